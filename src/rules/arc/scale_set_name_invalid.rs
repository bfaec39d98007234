//! A scale set's name that is too long, or no name of a Kubernetes object.

use crate::rule::Checker;
use crate::values::Value;
use crate::view::{Field, Home, ScaleSet};

/// What the listener's name adds to it must fit into a label.
const LONGEST: usize = 45;

pub(crate) fn check(set: &ScaleSet<'_>, checker: &mut Checker<'_>) {
    let name = match &set.home {
        // What an object is called on GitHub may be any text.
        Home::Object(object) => Field::of(object.value.at(&["metadata", "name"]), Value::as_str),
        _ => set.name(),
    };
    // The experimental chart does not give the objects the set's name.
    let Field::Present(name, at) = name else { return };
    // No name has a dollar sign: some program is to put its own there.
    if name.contains('$') || set.home.is_experimental() {
        return;
    }
    let Some(fault) = fault(name, set) else { return };
    let key = if set.is_values() { "runnerScaleSetName" } else { "metadata.name" };
    let (what, help) = match at.as_str() {
        Some(_) => (format!("`{key}`"), "choose another name, and ask for it with `runs-on`".to_owned()),
        None => ("the release's name".to_owned(), format!("set `{key}`, which wins over the name of the release")),
    };
    checker
        .report_first(at.history(), format!("{what} is `{name}`, which {fault}"))
        .fault_in_set(set, "runnerScaleSetName")
        .help(help);
}

fn fault(name: &str, set: &ScaleSet<'_>) -> Option<String> {
    let length = name.len();
    if length > LONGEST {
        // Before 0.6.1 the chart looked at the release's name alone.
        return (!set.chart_is_before(0, 6, 1))
            .then(|| format!("has {length} characters: more than {LONGEST} are refused"));
    }
    let is_replaced = set.is_values() && !set.chart_is_before(0, 13, 0);
    let shown = if is_replaced { name.replace('_', "-") } else { name.to_owned() };
    if shown.contains('_') {
        return Some(match set.is_values() {
            true => "has an underscore: the chart replaces it only from 0.13.0 on".to_owned(),
            false => "has an underscore".to_owned(),
        });
    }
    let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    let is_name = shown.starts_with(is_plain) && shown.ends_with(is_plain);
    let is_name = is_name && shown.chars().all(|c| is_plain(c) || c == '-' || c == '.');
    (!is_name && !name.is_empty()).then(|| {
        "is no name of a Kubernetes object: those have lower-case letters, digits and `-`, and begin and end with a letter or digit".to_owned()
    })
}
