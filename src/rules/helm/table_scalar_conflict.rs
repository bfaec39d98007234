//! A chart's table meets a value that is none, or the other way round: Helm keeps the user's and only logs it.

use crate::diagnostic::Severity;
use crate::knowledge::Shape;
use crate::rule::Checker;
use crate::values::{Data, Step, Value, path_text, printed};
use crate::view::{Expected, Stack, walk};

/// What a value of the wrong kind stands against.
enum Against<'a> {
    /// The chart's default.
    Default(&'a Value),
    /// What the templates of a known chart take.
    Shape(&'static str),
}

pub(crate) fn check(stack: &Stack<'_>, checker: &mut Checker<'_>) {
    let mut found = Vec::new();
    walk(&stack.merged.values, &mut |path, value| {
        let default = conflict(stack, path, value).map(Against::Default);
        if let Some(against) = default.or_else(|| wrong_shape(stack, path, value).map(Against::Shape)) {
            found.push((path.to_vec(), value, against));
        }
    });
    for (path, value, against) in found {
        report(stack, &path, value, &against, checker);
    }
}

/// What a known chart takes at a place where something else stands.
fn wrong_shape(stack: &Stack<'_>, path: &[Step], value: &Value) -> Option<&'static str> {
    let Expected::Shape(shape) = stack.expected(path) else { return None };
    // A mode without its table has a rule of its own.
    let has_rule = path.last().and_then(Step::key) == Some("containerMode");
    if value.is_unknown() || says_off(value) || stack.is_default(value) || has_rule {
        return None;
    }
    let is_table = value.as_map().is_some();
    let is_list = value.as_list().is_some();
    match shape {
        Shape::Map | Shape::Open | Shape::Strings | Shape::PodSpec | Shape::Container => {
            (!is_table).then_some("a table")
        }
        Shape::List => (!is_list).then_some("a list"),
        Shape::String => (is_table || is_list).then_some("a string"),
        Shape::Number => (is_table || is_list).then_some("a number"),
        Shape::Bool => (is_table || is_list).then_some("a boolean"),
        Shape::Any | Shape::Other => None,
    }
}

/// The chart's value that one of another kind replaced.
fn conflict<'a>(stack: &Stack<'_>, path: &[Step], value: &'a Value) -> Option<&'a Value> {
    let is_table = |value: &Value| value.as_map().is_some();
    let expected = stack.expected(path);
    // What subcharts get of it is said once.
    let is_handed_down = path.iter().skip(1).any(|step| step.key() == Some("global"));
    if is_handed_down || value.is_unknown() || stack.is_default(value) && value.past.is_empty() || says_off(value) {
        return None;
    }
    // A place where the chart takes more than one kind of thing.
    if matches!(expected, Expected::Shape(Shape::Any | Shape::Other)) {
        return None;
    }
    let of_chart = value.past.iter().map(|past| &past.value).rfind(|past| stack.is_default(past));
    let default = of_chart.filter(|default| is_table(default) != is_table(value) && !default.is_unknown())?;
    // An empty default says nothing of its kind, unless the chart is known.
    let is_known = matches!(expected, Expected::Shape(shape) if shape.is_map() != is_table(value));
    (is_known || matches!(expected, Expected::Unknown) && !says_off(default)).then_some(default)
}

/// Null, nothing, or `false`: a way to switch something off.
fn says_off(value: &Value) -> bool {
    value.is_empty() || value.as_bool() == Some(false)
}

fn report(stack: &Stack<'_>, path: &[Step], value: &Value, against: &Against<'_>, checker: &mut Checker<'_>) {
    if !checker.is_in_file(value) && stack.is_default(value) {
        return;
    }
    let shown = path_text(path);
    let message = match against {
        Against::Shape(shape) => format!("`{shown}` is {}, and the chart takes {shape}", kind(value)),
        Against::Default(default) => against_default(&shown, value, default),
    };
    let mut finding = checker.report_key_of(value, message);
    if let Against::Default(default) = against {
        finding.related(default.origin.node, "the chart's value");
    }
    finding.help(match list_meant(stack, path, value) {
        Some(key) => format!("did you mean `{key}`? It takes a list"),
        None => "write it the way that the chart does: Helm itself lets it pass".to_owned(),
    });
    if stack.expected(path) == Expected::Unknown {
        finding.diagnostic.lower_to(Severity::Warning);
    }
}

/// The key beside it that takes a list and has its name in its own, as `scaleSetLabels` has `labels`.
fn list_meant(stack: &Stack<'_>, path: &[Step], value: &Value) -> Option<String> {
    value.as_list()?;
    let part = stack.part_of(path)?;
    let [name] = path.get(part.prefix.len()..)? else { return None };
    let ending = name.key()?.to_lowercase();
    let mut lists = part.chart.chart.keys()?.under("").filter(|key| key.shape == Shape::List);
    lists.find(|key| key.path.to_lowercase().ends_with(&ending)).map(|key| part.shown(key.path))
}

fn against_default(shown: &str, value: &Value, default: &Value) -> String {
    match &default.data {
        Data::Map(map) => {
            let keys: Vec<_> = map.entries.keys().take(3).map(|key| format!("`{key}`")).collect();
            let more = if map.entries.len() > 3 { ", …" } else { "" };
            let lost = if keys.is_empty() { String::new() } else { format!(" and loses {}{more}", keys.join(", ")) };
            format!("`{shown}` is a table in the chart: {} replaces it{lost}", kind(value))
        }
        Data::List(_) => format!("`{shown}` is a list in the chart: a table replaces it"),
        _ => format!("`{shown}` is {} in the chart (`{}`): a table replaces it", kind(default), printed(default)),
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
