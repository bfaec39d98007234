//! Values as Go prints them.

use std::fmt::Write as _;

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
        Data::Float(value) => out.push_str(&float_v(*value)),
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

/// Shortest digits and decimal exponent: `d.ddd` × 10^exponent.
fn digits(value: f64) -> (String, i32) {
    let text = format!("{:e}", value.abs());
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    (mantissa.replace('.', ""), exponent.parse().unwrap_or(0))
}

fn exponent_form(value: f64, exponent_digits: usize) -> String {
    let (digits, exponent) = digits(value);
    let (first, rest) = digits.split_at_checked(1).unwrap_or((&digits, ""));
    let sign = if value.is_sign_negative() { "-" } else { "" };
    let point = if rest.is_empty() { "" } else { "." };
    let exponent_sign = if exponent < 0 { '-' } else { '+' };
    let exponent = exponent.unsigned_abs();
    format!("{sign}{first}{point}{rest}e{exponent_sign}{exponent:0exponent_digits$}")
}

/// Go's `%v` of a float64: shortest digits, exponent form below 1e-4 and from 1e6 on.
pub(super) fn float_v(value: f64) -> String {
    if value.is_nan() {
        return "NaN".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { "+Inf" } else { "-Inf" }.to_owned();
    }
    let (_, exponent) = digits(value);
    if value != 0.0 && !(-4..6).contains(&exponent) { exponent_form(value, 2) } else { format!("{value}") }
}

/// A float64 as encoding/json writes it.
pub(super) fn float_json(value: f64) -> String {
    let size = value.abs();
    if size != 0.0 && !(1e-6..1e21).contains(&size) { exponent_form(value, 1) } else { format!("{value}") }
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
        Data::Float(value) => out.push_str(&float_json(*value)),
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
