//! A chart's table meets a value that is none, or the other way round: Helm keeps the user's and only logs it.

use crate::diagnostic::Severity;
use crate::knowledge::Shape;
use crate::rule::Checker;
use crate::values::{Data, Step, Value, path_text, printed};
use crate::view::{Expected, Stack, walk};

pub(crate) fn check(stack: &Stack<'_>, checker: &mut Checker<'_>) {
    let mut found = Vec::new();
    walk(&stack.merged.values, &mut |path, value| {
        if let Some(default) = conflict(stack, path, value) {
            found.push((path.to_vec(), value, default));
        }
    });
    for (path, value, default) in found {
        report(stack, &path, value, default, checker);
    }
}

/// The chart's value that one of another kind replaced.
fn conflict<'a>(stack: &Stack<'_>, path: &[Step], value: &'a Value) -> Option<&'a Value> {
    let is_table = |value: &Value| value.as_map().is_some();
    let expected = stack.expected(path);
    if value.is_unknown() || stack.is_default(value) && value.past.is_empty() || says_off(value) {
        return None;
    }
    // A place where the chart takes more than one kind of thing.
    if matches!(expected, Expected::Shape(Shape::Any | Shape::Other)) {
        return None;
    }
    let of_chart = value.past.iter().map(|past| &past.value).filter(|past| stack.is_default(past));
    let default = of_chart.last().filter(|default| is_table(default) != is_table(value))?;
    // An empty default says nothing of its kind, unless the chart is known.
    let is_known = matches!(expected, Expected::Shape(shape) if shape.is_map() != is_table(value));
    (is_known || matches!(expected, Expected::Unknown) && !says_off(default)).then_some(default)
}

/// Null, nothing, or `false`: a way to switch something off.
fn says_off(value: &Value) -> bool {
    value.is_empty() || value.as_bool() == Some(false)
}

fn report(stack: &Stack<'_>, path: &[Step], value: &Value, default: &Value, checker: &mut Checker<'_>) {
    if !checker.is_in_file(value) && stack.is_default(value) {
        return;
    }
    let shown = path_text(path);
    let message = match &default.data {
        Data::Map(map) => {
            let keys: Vec<_> = map.entries.keys().take(3).map(|key| format!("`{key}`")).collect();
            let more = if map.entries.len() > 3 { ", …" } else { "" };
            let lost = if keys.is_empty() { String::new() } else { format!(" and loses {}{more}", keys.join(", ")) };
            format!("`{shown}` is a table in the chart: {} replaces it{lost}", kind(value))
        }
        _ => format!("`{shown}` is {} in the chart (`{}`): a table replaces it", kind(default), printed(default)),
    };
    let mut finding = checker.report_key_of(value, message);
    finding
        .related(default.origin.node, "the chart's value")
        .help("write it the way that the chart does; Helm logs the conflict and goes on");
    if stack.expected(path) == Expected::Unknown {
        finding.diagnostic.lower_to(Severity::Warning);
    }
}

fn kind(value: &Value) -> &'static str {
    match value.data {
        Data::Null => "null",
        Data::Bool(_) => "a boolean",
        Data::Int(_) | Data::Float(_) | Data::Number(_) => "a number",
        Data::String(_) => "a string",
        Data::List(_) => "a list",
        Data::Map(_) => "a table",
    }
}
