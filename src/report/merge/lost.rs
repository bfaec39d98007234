//! All that a merge lost: parts of replaced lists, keys that a null deleted, tables and lists that
//! something else replaced.

use super::MergeView;
use crate::values::{Data, Origin, Step, Value, losses_of, path_text, to_json};

/// A part that is gone.
pub(super) struct Lost<'a> {
    /// The nearest place in the merged values.
    pub(super) path: String,
    /// What was there.
    pub(super) value: &'a Value,
    /// What replaced it.
    pub(super) by: Origin,
    /// In words.
    pub(super) what: String,
}

/// In the order of the merged values.
pub(super) fn all_lost<'a>(view: &MergeView<'a>) -> Vec<Lost<'a>> {
    let mut found = Vec::new();
    walk(&view.merged.values, &mut Vec::new(), &mut found);
    found
}

fn walk<'a>(value: &'a Value, path: &mut Vec<Step>, found: &mut Vec<Lost<'a>>) {
    replaced(value, path, found);
    match &value.data {
        Data::Map(map) => {
            for (key, value) in &map.entries {
                path.push(Step::Key(key.clone()));
                walk(value, path, found);
                path.pop();
            }
            for deleted in &map.deleted {
                path.push(Step::Key(deleted.key.clone()));
                let what = format!("key `{}`, deleted by null", deleted.key);
                found.push(Lost { path: path_text(path), value: &deleted.value, by: deleted.by, what });
                path.pop();
            }
        }
        Data::List(items) => {
            parts(value, items, path, found);
            for (index, item) in items.iter().enumerate() {
                path.push(Step::Index(index));
                walk(item, path, found);
                path.pop();
            }
        }
        _ => {}
    }
}

fn parts<'a>(list: &'a Value, items: &'a [Value], path: &mut Vec<Step>, found: &mut Vec<Lost<'a>>) {
    for part in losses_of(list) {
        let name = part.name.clone().unwrap_or_else(|| short(part.value));
        let index = part.item.and_then(|item| items.iter().position(|other| std::ptr::eq(other, item)));
        let lost = match index {
            None => Lost { path: path_text(path), value: part.value, by: part.by, what: format!("item `{name}`") },
            Some(index) => {
                path.push(Step::Index(index));
                let what = format!("`{}` of `{name}`", path_text(&part.field));
                let lost = Lost { path: path_text(path), value: part.value, by: part.by, what };
                path.pop();
                lost
            }
        };
        found.push(lost);
    }
}

/// A table or list in whose place something of another kind stands.
fn replaced<'a>(value: &'a Value, path: &[Step], found: &mut Vec<Lost<'a>>) {
    for past in &value.past {
        let kind = match (&past.value.data, &value.data) {
            (Data::List(old), now) if !old.is_empty() && !matches!(now, Data::List(_) | Data::Null) => "list",
            (Data::Map(old), now) if !old.entries.is_empty() && !matches!(now, Data::Map(_) | Data::Null) => "table",
            _ => continue,
        };
        let what = format!("the whole {kind}, replaced by another kind of value");
        found.push(Lost { path: path_text(path), value: &past.value, by: past.by, what });
    }
}

/// A value on one short line.
pub(super) fn short(value: &Value) -> String {
    let text = to_json(value);
    if text.chars().count() <= 60 { text } else { text.chars().take(57).chain("...".chars()).collect() }
}
