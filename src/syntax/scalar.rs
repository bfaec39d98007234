//! What a scalar means, per dialect.

use std::borrow::Cow;

use super::{Kind, Node};

mod base64;
mod number;
mod timestamp;

/// Whose reading of scalars applies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// YAML 1.1 as Helm (and kubectl) read it: sigs.k8s.io/yaml over go-yaml v2. Every number is a float64.
    Helm,
    /// The same text as Kubernetes decodes it: integers stay integers.
    Kubernetes,
    /// TOML 1.
    Toml,
}

/// What a scalar means.
#[derive(Debug, Clone, PartialEq)]
pub enum Scalar {
    /// Nothing.
    Null,
    /// A boolean.
    Bool(bool),
    /// A 64-bit integer.
    Int(i64),
    /// A float64.
    Float(f64),
    /// A string (also dates).
    String(String),
}

/// What go-yaml makes of a scalar, before JSON sees it.
#[derive(Debug, Clone, PartialEq)]
pub enum YamlScalar<'a> {
    /// nil.
    Null,
    /// bool.
    Bool(bool),
    /// int.
    Int(i64),
    /// uint64, above what an int holds.
    Uint(u64),
    /// float64, infinite and NaN too.
    Float(f64),
    /// string, also dates.
    String(Cow<'a, str>),
}

const PREFIX: &str = "tag:yaml.org,2002:";

/// The meaning of a scalar node, or what is said against it. Nodes that are no scalars mean what was written.
pub fn resolve(node: Node<'_>, dialect: Dialect) -> Result<Scalar, String> {
    if dialect == Dialect::Toml {
        return Ok(resolve_toml(node));
    }
    Ok(match resolve_yaml(node)? {
        YamlScalar::Null => Scalar::Null,
        YamlScalar::Bool(value) => Scalar::Bool(value),
        YamlScalar::Int(value) if dialect == Dialect::Kubernetes => Scalar::Int(value),
        YamlScalar::Int(value) => Scalar::Float(value as f64),
        YamlScalar::Uint(value) => Scalar::Float(value as f64),
        YamlScalar::Float(value) => Scalar::Float(value),
        YamlScalar::String(text) => Scalar::String(text.into_owned()),
    })
}

/// The meaning of a YAML scalar as go-yaml v2 has it, or what is said against its tag.
pub fn resolve_yaml(node: Node<'_>) -> Result<YamlScalar<'_>, String> {
    let text = node.text();
    let Some(tag) = node.tag_name() else {
        return Ok(match node.kind() {
            Kind::Plain => resolve_plain(text, false),
            Kind::Empty => YamlScalar::Null,
            _ => YamlScalar::String(Cow::Borrowed(text)),
        });
    };
    let text = if node.kind() == Kind::Empty { "" } else { text };
    let wanted = match tag.strip_prefix(PREFIX) {
        Some("binary") => {
            let bytes = base64::decode(text).ok_or("the text under `!!binary` is no base64")?;
            return Ok(YamlScalar::String(Cow::Owned(String::from_utf8_lossy(&bytes).into_owned())));
        }
        Some(name @ ("bool" | "int" | "float" | "null" | "timestamp")) => name,
        _ => return Ok(YamlScalar::String(Cow::Borrowed(text))),
    };
    let value = resolve_plain(text, wanted == "timestamp");
    match (wanted, value) {
        ("float", YamlScalar::Int(value)) => Ok(YamlScalar::Float(value as f64)),
        ("bool", value @ YamlScalar::Bool(_))
        | ("int", value @ (YamlScalar::Int(_) | YamlScalar::Uint(_)))
        | ("float", value @ YamlScalar::Float(_))
        | ("null", value @ YamlScalar::Null) => Ok(value),
        ("timestamp", value @ YamlScalar::String(_)) if timestamp::is_timestamp(text) => Ok(value),
        _ => Err(format!("`{text}` cannot be read as `!!{wanted}`")),
    }
}

/// A scalar without quotes and tag.
fn resolve_plain(text: &str, may_be_date: bool) -> YamlScalar<'_> {
    let string = YamlScalar::String(Cow::Borrowed(text));
    if may_be_date && timestamp::is_timestamp(text) {
        return string;
    }
    match text.as_bytes().first() {
        None => YamlScalar::Null,
        Some(b'y' | b'Y' | b'n' | b'N' | b't' | b'T' | b'f' | b'F' | b'o' | b'O' | b'~') => {
            word(text).unwrap_or(string)
        }
        Some(b'.') => match special_float(text) {
            Some(value) => YamlScalar::Float(value),
            None => number::parse_go_float(text).map_or(string, YamlScalar::Float),
        },
        Some(b'+' | b'-') => match special_float(text) {
            Some(value) => YamlScalar::Float(value),
            None => number::parse(text).unwrap_or(string),
        },
        Some(b'0'..=b'9') => number::parse(text).unwrap_or(string),
        Some(_) => string,
    }
}

fn word(text: &str) -> Option<YamlScalar<'static>> {
    Some(match text {
        "~" | "null" | "Null" | "NULL" => YamlScalar::Null,
        "y" | "Y" | "yes" | "Yes" | "YES" | "true" | "True" | "TRUE" | "on" | "On" | "ON" => YamlScalar::Bool(true),
        "n" | "N" | "no" | "No" | "NO" | "false" | "False" | "FALSE" | "off" | "Off" | "OFF" => YamlScalar::Bool(false),
        _ => return None,
    })
}

fn special_float(text: &str) -> Option<f64> {
    Some(match text {
        ".nan" | ".NaN" | ".NAN" => f64::NAN,
        ".inf" | ".Inf" | ".INF" | "+.inf" | "+.Inf" | "+.INF" => f64::INFINITY,
        "-.inf" | "-.Inf" | "-.INF" => f64::NEG_INFINITY,
        _ => return None,
    })
}

/// TOML's reader leaves numbers, booleans and dates as written.
fn resolve_toml(node: Node<'_>) -> Scalar {
    let text = node.text();
    if node.kind() != Kind::Plain {
        return Scalar::String(text.to_owned());
    }
    match text {
        "true" => return Scalar::Bool(true),
        "false" => return Scalar::Bool(false),
        "inf" | "+inf" => return Scalar::Float(f64::INFINITY),
        "-inf" => return Scalar::Float(f64::NEG_INFINITY),
        "nan" | "+nan" | "-nan" => return Scalar::Float(f64::NAN),
        _ => {}
    }
    match number::parse(text) {
        Some(YamlScalar::Int(value)) => Scalar::Int(value),
        Some(YamlScalar::Uint(value)) => Scalar::Float(value as f64),
        Some(YamlScalar::Float(value)) => Scalar::Float(value),
        _ => Scalar::String(text.to_owned()),
    }
}
