//! A flag sets an item of a list that only the chart has: Helm makes a new list of that item alone.

use crate::rule::Checker;
use crate::values::{Role, Step, Value, path_text};
use crate::view::{Stack, walk};

pub(crate) fn check(stack: &Stack<'_>, checker: &mut Checker<'_>) {
    let mut found = Vec::new();
    walk(&stack.merged.values, &mut |path, value| {
        let is_candidate = value.items().next().is_some() && (is_of_index(stack, value) || padding(stack, value) > 0);
        // Of the runner's containers other rules say what is lost.
        if is_candidate && !stack.is_runner_path(path) {
            found.push((path.to_vec(), value));
        }
    });
    for (path, list) in found {
        let node = list.origin.node.and_then(|at| checker.trees().node(at));
        // `{a,b}` and JSON restate the list.
        let is_whole = node.is_some_and(|node| node.raw().trim_start().starts_with(['{', '[']));
        let chart = list.past.iter().map(|past| &past.value).rfind(|past| stack.is_default(past));
        let chart = chart.filter(|_| !is_whole && is_of_index(stack, list));
        let lost = chart.map(|chart| lost(chart, list)).unwrap_or_default();
        if !lost.is_empty() || padding(stack, list) > 0 {
            report(stack, &path, list, chart, &lost, checker);
        }
    }
}

fn report(
    stack: &Stack<'_>,
    path: &[Step],
    list: &Value,
    chart: Option<&Value>,
    lost: &[String],
    checker: &mut Checker<'_>,
) {
    let of_flag = |value: &&Value| stack.layer_of(value).is_some_and(|layer| layer.role == Role::Flag);
    let parts = || list.items().chain([list]).filter(of_flag);
    let flag = parts().next().and_then(|value| stack.layer_of(value)).map_or("", |layer| layer.name.as_str());
    let shown = path_text(path);
    let pads = match padding(stack, list) {
        0 => String::new(),
        1 => ", which becomes `null` and the item".to_owned(),
        count => format!(", which becomes {count} times `null` and the item"),
    };
    let message = match (chart, lost) {
        (None, _) => format!("`{flag}` points behind the end of `{shown}`{pads}"),
        (Some(_), []) => format!("`{flag}` replaces the chart's list `{shown}`{pads}"),
        (Some(_), lost) => format!("`{flag}` replaces the chart's list `{shown}`{pads}: {} is lost", lost.join(", ")),
    };
    let places = parts().filter(|value| value.origin.node.is_some()).chain(chart);
    let mut finding = checker.report_first(places, message);
    finding
        .related(chart.and_then(|chart| chart.origin.node), "the chart's list")
        .help("an index counts in the lists of values files alone: set the whole list in a file");
}

/// What the chart's list had at the same places and the new one has not.
fn lost(chart: &Value, list: &Value) -> Vec<String> {
    let mut lost = Vec::new();
    for (index, item) in chart.items().enumerate() {
        match list.items().nth(index) {
            None => lost.push(format!("item {index}")),
            Some(now) if now.is_null() => {}
            Some(now) => {
                let gone = item.entries().filter(|(key, value)| !value.is_empty() && now.get(key).is_none());
                lost.extend(gone.map(|(key, _)| format!("`{key}` of item {index}")));
            }
        }
    }
    lost
}

/// Whether a flag made the list in order to set an item of it.
fn is_of_index(stack: &Stack<'_>, list: &Value) -> bool {
    stack.layer_of(list).is_some_and(|layer| layer.role == Role::Flag && layer.name.contains('['))
        && list.items().all(|item| stack.layer_of(item).is_some_and(|layer| layer.role == Role::Flag))
}

/// Items that Helm made up to reach an index.
fn padding(stack: &Stack<'_>, list: &Value) -> usize {
    let made_up = |item: &&Value| {
        item.is_null()
            && item.origin.node.is_none()
            && stack.layer_of(item).is_some_and(|layer| layer.role == Role::Flag)
    };
    list.items().filter(made_up).count()
}
