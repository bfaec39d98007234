//! `proxy.noProxy` is no list, so the chart leaves it out.

use crate::rule::Checker;
use crate::values::{Data, Value};
use crate::view::{Field, ScaleSet};

pub(crate) fn check(set: &ScaleSet<'_>, checker: &mut Checker<'_>) {
    // In an object the API server refuses it aloud.
    let Some(said) = set.at(&["proxy", "noProxy"]).filter(|said| set.is_values() && !said.is_empty()) else { return };
    let Field::WrongShape(said) = Field::of(Some(said), Value::as_list) else { return };
    let shape = match said.data {
        Data::String(_) => "a text",
        Data::Map(_) => "a map",
        _ => "no list",
    };
    let message =
        format!("`proxy.noProxy` is {shape}, and the chart passes only a list on: all traffic takes the proxy");
    let mut finding = checker.report_first_key(said.history(), message);
    let beaten = said.past.iter().rev().find(|past| past.value.as_list().is_some());
    finding
        .related(beaten.and_then(|past| past.value.origin.node), "this list is overridden")
        .help(format!("write a list: {}", as_list(said)));
}

/// The list that a text with commas or lines stands for.
fn as_list(said: &Value) -> String {
    let text = said.as_str().unwrap_or("10.0.0.0/8,.svc,.cluster.local");
    let hosts = text.split(|letter: char| letter == ',' || letter.is_whitespace()).filter(|host| !host.is_empty());
    format!("`[{}]`", hosts.map(|host| format!("\"{host}\"")).collect::<Vec<_>>().join(", "))
}
