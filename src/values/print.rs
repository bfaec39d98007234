//! Values as Go prints them.

use std::fmt::Write as _;

use super::number::{go_float, json_float};
use super::{Data, Value};

/// The Go type, as `%T` prints it.
pub fn go_type(value: &Value) -> &'static str {
    match value.data {
        Data::Null => "<nil>",
        Data::Bool(_) => "bool",
        Data::Int(_) => "int64",
        Data::Float(_) => "float64",
        Data::Number(_) => "json.Number",
        Data::String(_) => "string",
        Data::List(_) => "[]interface {}",
        Data::Map(_) => "map[string]interface {}",
    }
}

/// What `{{ . }}` prints: Go's `%v`.
pub fn printed(value: &Value) -> String {
    let mut out = String::new();
    print_into(value, &mut out);
    out
}

fn print_into(value: &Value, out: &mut String) {
    match &value.data {
        Data::Null => out.push_str("<nil>"),
        Data::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        Data::Int(value) => _ = write!(out, "{value}"),
        Data::Float(value) => out.push_str(&go_float(*value)),
        Data::Number(text) | Data::String(text) => out.push_str(text),
        Data::List(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push(' ');
                }
                print_into(item, out);
            }
            out.push(']');
        }
        Data::Map(map) => {
            out.push_str("map[");
            for (index, (key, value)) in sorted(map).into_iter().enumerate() {
                if index > 0 {
                    out.push(' ');
                }
                out.push_str(key);
                out.push(':');
                print_into(value, out);
            }
            out.push(']');
        }
    }
}

fn sorted(map: &super::Map) -> Vec<(&str, &Value)> {
    let mut entries: Vec<(&str, &Value)> = map.entries.iter().map(|(key, value)| (key.as_str(), value)).collect();
    entries.sort_unstable_by_key(|&(key, _)| key);
    entries
}

/// The value as Helm's `toJson` prints it: sorted keys, `<`, `>`, `&` escaped.
pub fn to_json(value: &Value) -> String {
    let mut out = String::new();
    json_into(value, &mut out);
    out
}

fn json_into(value: &Value, out: &mut String) {
    match &value.data {
        Data::Null => out.push_str("null"),
        Data::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        Data::Int(value) => _ = write!(out, "{value}"),
        Data::Float(value) => out.push_str(&json_float(*value)),
        Data::Number(text) => out.push_str(text),
        Data::String(text) => json_string(text, out),
        Data::List(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                json_into(item, out);
            }
            out.push(']');
        }
        Data::Map(map) => {
            out.push('{');
            for (index, (key, value)) in sorted(map).into_iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                json_string(key, out);
                out.push(':');
                json_into(value, out);
            }
            out.push('}');
        }
    }
}

fn json_string(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' | '\0'..='\u{1f}' => _ = write!(out, "\\u{:04x}", u32::from(c)),
            c => out.push(c),
        }
    }
    out.push('"');
}
