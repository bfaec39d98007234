//! The merge as one JSON object.

use serde_json::{Map, Value as Json, json as object};

use super::MergeView;
use super::lost::all_lost;
use crate::values::{Data, Value, go_type, printed, to_json};

/// `values`, `charts`, `warnings`, `origins`, `lost`.
pub fn json(view: &MergeView<'_>) -> String {
    let mut origins = Map::new();
    walk(view, &view.merged.values, &mut String::new(), &mut origins);
    let lost: Vec<Json> = all_lost(view)
        .into_iter()
        .map(|lost| {
            object!({
                "path": lost.path,
                "layer": view.layer(lost.by).map(|layer| layer.name.as_str()),
                "line": view.line(lost.by),
                "lost_from": view.layer(lost.value.origin).map(|layer| layer.name.as_str()),
                "lost_line": view.line(lost.value.origin),
                "what": lost.what,
            })
        })
        .collect();
    let rest = object!({
        "charts": view.merged.charts,
        "warnings": view.warnings(),
        "origins": origins,
        "lost": lost,
    });
    // The values in Helm's own text: floats keep Go's form, keys are sorted.
    let rest = rest.to_string();
    format!("{{\"values\":{},{}\n", to_json(&view.merged.values), rest.strip_prefix('{').unwrap_or_default())
}

fn walk(view: &MergeView<'_>, value: &Value, pointer: &mut String, origins: &mut Map<String, Json>) {
    let mut entry = Map::new();
    entry.insert("layer".to_owned(), view.layer(value.origin).map(|layer| layer.name.as_str()).into());
    entry.insert("line".to_owned(), view.line(value.origin).into());
    let children: Vec<(String, &Value)> = match &value.data {
        Data::Map(map) => map.entries.iter().map(|(key, value)| (escape(key), value)).collect(),
        Data::List(items) => items.iter().enumerate().map(|(index, value)| (index.to_string(), value)).collect(),
        _ => {
            let go = go_type(value).trim_matches(['<', '>']);
            entry.insert("type".to_owned(), go.into());
            entry.insert("printed".to_owned(), printed(value).into());
            Vec::new()
        }
    };
    if !pointer.is_empty() {
        origins.insert(pointer.clone(), Json::Object(entry));
    }
    let length = pointer.len();
    for (key, value) in children {
        pointer.push('/');
        pointer.push_str(&key);
        walk(view, value, pointer, origins);
        pointer.truncate(length);
    }
}

fn escape(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}
