//! What replaced lists lost, over all layers: items, and fields of items that stayed.

use rustc_hash::{FxHashMap, FxHashSet};

use super::print::{printed, to_json};
use super::{Data, Merged, Origin, Value};

/// Keys that tell items apart, if every item on both sides has the key and no two of a side the same.
const IDENTITIES: [&str; 6] = ["name", "mountPath", "host", "secretName", "containerPort", "key"];

/// One list that lost something.
#[derive(Debug, Clone, PartialEq)]
pub struct Loss<'a> {
    /// From the top to the list.
    pub path: Vec<Step>,
    /// The list as it is.
    pub list: &'a Value,
    /// What is no longer there, the parts of lower layers first.
    pub parts: Vec<LostPart<'a>>,
}

/// A part that is gone.
#[derive(Debug, Clone, PartialEq)]
pub struct LostPart<'a> {
    /// The value that is gone, of the highest layer that had it: its origin says where it was.
    pub value: &'a Value,
    /// The layer that replaced it.
    pub by: Origin,
    /// The item of the list as it is that lost it; none where a whole item of the list is gone.
    pub item: Option<&'a Value>,
    /// What identifies the item: its `name`, `mountPath`, …; none where items are told apart by
    /// equality.
    pub name: Option<String>,
    /// The way from the item to what it lost (`env`, `[DEBUG]`); empty for a whole item.
    pub field: Vec<Step>,
}

/// One step of a path.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Step {
    /// A key of a map.
    Key(String),
    /// An item by its index.
    Index(usize),
    /// An item by what identifies it.
    Item(String),
}

/// All losses of a merge, in the order of the merged values.
pub fn losses(merged: &Merged) -> Vec<Loss<'_>> {
    let mut found = Vec::new();
    walk(&merged.values, &mut Vec::new(), &mut found);
    found
}

fn walk<'a>(value: &'a Value, path: &mut Vec<Step>, found: &mut Vec<Loss<'a>>) {
    match &value.data {
        Data::Map(map) => {
            for (key, value) in &map.entries {
                path.push(Step::Key(key.clone()));
                walk(value, path, found);
                path.pop();
            }
        }
        Data::List(items) => {
            let parts = losses_of(value);
            if !parts.is_empty() {
                found.push(Loss { path: path.clone(), list: value, parts });
            }
            for (index, item) in items.iter().enumerate() {
                path.push(Step::Index(index));
                walk(item, path, found);
                path.pop();
            }
        }
        _ => {}
    }
}

/// What one list lost against all that it replaced; nothing for other values and for an empty list,
/// which says "on purpose" (as does one between two layers, and a null).
pub fn losses_of(list: &Value) -> Vec<LostPart<'_>> {
    let Some(now) = list.as_list().filter(|items| !items.is_empty()) else {
        return Vec::new();
    };
    let meant = |value: &Value| value.as_list().is_none_or(<[Value]>::is_empty);
    let from = list.past.iter().rposition(|past| meant(&past.value)).map_or(0, |index| index + 1);
    let mut seen = FxHashSet::default();
    let mut parts = Vec::new();
    // From the top, so that each part is told of the highest layer that had it.
    for past in list.past.iter().skip(from).rev() {
        let mut layer = Vec::new();
        compare(past.value.as_list().unwrap_or_default(), now, past.by, &mut layer);
        layer.retain(|part| seen.insert(part.identity()));
        parts.push(layer);
    }
    // A field of an item that a higher layer lost whole cannot stand here: the item is not in `now`.
    parts.into_iter().rev().flatten().collect()
}

impl LostPart<'_> {
    fn identity(&self) -> (Option<String>, Vec<Step>, Option<String>) {
        let whole = self.name.is_none() || matches!(self.field.last(), Some(Step::Index(_)));
        (self.name.clone(), self.field.clone(), whole.then(|| to_json(self.value)))
    }
}

/// The key by which the items of both lists can be told apart.
fn identity(old: &[Value], new: &[Value]) -> Option<&'static str> {
    IDENTITIES.into_iter().find(|key| tells_apart(key, old) && tells_apart(key, new))
}

fn tells_apart(key: &str, items: &[Value]) -> bool {
    let mut seen = FxHashSet::default();
    items
        .iter()
        .all(|item| item.get(key).filter(|value| is_scalar(value)).is_some_and(|value| seen.insert(printed(value))))
}

fn is_scalar(value: &Value) -> bool {
    !matches!(value.data, Data::Map(_) | Data::List(_) | Data::Null)
}

fn compare<'a>(old: &'a [Value], new: &'a [Value], by: Origin, parts: &mut Vec<LostPart<'a>>) {
    let Some(key) = identity(old, new) else {
        let kept: FxHashSet<String> = new.iter().map(to_json).collect();
        let gone = old.iter().filter(|item| !kept.contains(&to_json(item)));
        parts.extend(gone.map(|value| LostPart { value, by, item: None, name: None, field: Vec::new() }));
        return;
    };
    let name_of = |item: &Value| item.get(key).map(printed).unwrap_or_default();
    let kept: FxHashMap<String, &Value> = new.iter().map(|item| (name_of(item), item)).collect();
    for value in old {
        let name = name_of(value);
        match kept.get(&name) {
            None => parts.push(LostPart { value, by, item: None, name: Some(name), field: Vec::new() }),
            Some(&item) => {
                let mut gone = Vec::new();
                fields(value, item, &mut Vec::new(), &mut gone);
                parts.extend(gone.into_iter().map(|(field, value)| LostPart {
                    value,
                    by,
                    item: Some(item),
                    name: Some(name.clone()),
                    field,
                }));
            }
        }
    }
}

/// Fields of `old` that `new` lacks. A key set to null or `[]` was taken out on purpose.
fn fields<'a>(old: &'a Value, new: &'a Value, path: &mut Vec<Step>, gone: &mut Vec<(Vec<Step>, &'a Value)>) {
    match (&old.data, &new.data) {
        (Data::Map(old), Data::Map(new)) => {
            for (key, value) in old.entries.iter().filter(|(_, value)| !value.is_null()) {
                path.push(Step::Key(key.clone()));
                match new.entries.get(key) {
                    None => gone.push((path.clone(), value)),
                    Some(now) => fields(value, now, path, gone),
                }
                path.pop();
            }
        }
        (Data::List(old), Data::List(new)) if !new.is_empty() => {
            let mut parts = Vec::new();
            compare(old, new, Origin { layer: super::LayerId(0), node: None }, &mut parts);
            for part in parts {
                let index = || old.iter().position(|item| std::ptr::eq(item, part.value)).unwrap_or_default();
                let step = part.name.map_or_else(|| Step::Index(index()), Step::Item);
                let way = path.iter().cloned().chain([step]).chain(part.field);
                gone.push((way.collect(), part.value));
            }
        }
        _ => {}
    }
}

impl Step {
    /// The key, where it is one.
    pub fn key(&self) -> Option<&str> {
        match self {
            Self::Key(key) => Some(key),
            _ => None,
        }
    }
}

impl std::fmt::Display for Step {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Key(key) => f.write_str(key),
            Self::Index(index) => write!(f, "[{index}]"),
            Self::Item(name) => write!(f, "[{name}]"),
        }
    }
}

/// A path in the field's usual form: `a.b[0].c`, a key that is no plain word in double quotes.
pub fn path_text(steps: &[Step]) -> String {
    let mut path = String::new();
    for step in steps {
        let Step::Key(key) = step else {
            path.push_str(&step.to_string());
            continue;
        };
        if !path.is_empty() {
            path.push('.');
        }
        let plain = !key.is_empty() && key.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-'));
        if plain { path.push_str(key) } else { path.push_str(&format!("{key:?}")) }
    }
    path
}

#[cfg(test)]
#[path = "lost_tests.rs"]
mod tests;
