//! One line a leaf: where it comes from, what it is, what it beat.

use super::MergeView;
use crate::report::paint::{Paint, one_line};
use crate::values::{Data, Step, Value, path_text, to_json};

struct Row {
    place: String,
    path: String,
    value: String,
    beaten: String,
}

/// `place  path = value  (over place = value)`.
pub fn origins(view: &MergeView<'_>, paint: Paint) -> String {
    let mut rows = Vec::new();
    walk(view, &view.merged.values, &mut Vec::new(), &mut rows);
    let width = rows.iter().map(|row| row.place.chars().count()).max().unwrap_or(0);
    rows.iter()
        .map(|row| {
            let pad = " ".repeat(width - row.place.chars().count());
            format!("{}{pad}  {} = {}{}\n", paint.dim(&row.place), paint.name(&row.path), row.value, row.beaten)
        })
        .collect()
}

fn walk(view: &MergeView<'_>, value: &Value, path: &mut Vec<Step>, rows: &mut Vec<Row>) {
    match &value.data {
        Data::Map(map) if !map.entries.is_empty() => {
            for (key, value) in &map.entries {
                path.push(Step::Key(key.clone()));
                walk(view, value, path, rows);
                path.pop();
            }
        }
        Data::List(items) if !items.is_empty() => {
            for (index, value) in items.iter().enumerate() {
                path.push(Step::Index(index));
                walk(view, value, path, rows);
                path.pop();
            }
        }
        _ if path.is_empty() => {}
        _ => {
            let over: Vec<String> = value.past.iter().rev().map(|past| beaten(view, &past.value)).collect();
            let beaten = if over.is_empty() { String::new() } else { format!("  ({})", over.join(", ")) };
            let place = view.place(value.origin);
            let place = if place.is_empty() { "(Helm)".to_owned() } else { one_line(&place) };
            rows.push(Row { place, path: one_line(&path_text(path)), value: one_line(&to_json(value)), beaten });
        }
    }
}

fn beaten(view: &MergeView<'_>, value: &Value) -> String {
    one_line(&format!("over {} = {}", view.place(value.origin), super::lost::short(value)))
}
