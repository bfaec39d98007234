//! A null that was to remove a value removes nothing.

use crate::rule::Checker;
use crate::values::{Role, Step, Value, path_text};
use crate::view::{Expected, Stack, nearest_key, walk};

pub(crate) fn check(stack: &Stack<'_>, checker: &mut Checker<'_>) {
    let mut forgotten = Vec::new();
    walk(&stack.merged.values, &mut |path, value| {
        let null = value.past.iter().map(|past| &past.value).rfind(|past| past.is_null() && is_users(stack, past));
        if let Some(null) = null.filter(|_| value.as_map().is_some() && holds_default(stack, value)) {
            forgotten.push((path_text(path), null, value));
        }
    });
    for (path, null, value) in forgotten {
        let message =
            format!("this null removes nothing: `{path}` is set again later, and the chart's defaults return");
        let mut finding = checker.report_value(null, message);
        finding
            .related(value.origin.node, "it is set again here")
            .help("set each key to null that is not wanted, in the file that sets the table again");
    }
    check_last(stack, checker);
}

/// Nulls that no later file of the user's replaced.
fn check_last(stack: &Stack<'_>, checker: &mut Checker<'_>) {
    let mut nulls = Vec::new();
    walk(&stack.merged.user_values, &mut |path, value| {
        if value.is_null() && is_users(stack, value) {
            nulls.push((path.to_vec(), value));
        }
    });
    for (path, null) in nulls {
        let keys: Option<Vec<_>> = path.iter().map(Step::key).collect();
        let Some(keys) = keys else { continue };
        let (shown, there) = (path_text(&path), stack.merged.values.at(&keys));
        if let Some(back) = there.filter(|there| !there.is_null() && there.as_map().is_none()) {
            let message = format!("this null removes nothing: a default of `{shown}` further down comes back");
            let mut finding = checker.report_value(null, message);
            finding.related(back.origin.node, "this is what counts").help("set the value that is wanted");
        } else if let Some(near) = misspelt(stack, &path, &keys) {
            let message = format!("this null removes nothing: the chart has no `{shown}`");
            checker.report_key_of(null, message).help(format!("did you mean `{near}`?"));
        }
    }
}

/// The key beside it that a null was probably meant for, where the chart is known to have no such key.
fn misspelt(stack: &Stack<'_>, path: &[Step], keys: &[&str]) -> Option<String> {
    if stack.expected(path) != Expected::Nothing {
        return None;
    }
    let (name, around) = keys.split_last()?;
    let there = stack.merged.values.at(around)?.entries().filter(|(_, value)| stack.is_default(value));
    let near = nearest_key(name, there.map(|(key, _)| key))?;
    Some([around, &[near]].concat().join("."))
}

fn is_users(stack: &Stack<'_>, value: &Value) -> bool {
    stack.layer_of(value).is_some_and(|layer| matches!(layer.role, Role::File | Role::Flag))
}

/// Whether any value in a table is a chart's default.
fn holds_default(stack: &Stack<'_>, table: &Value) -> bool {
    table
        .entries()
        .any(|(_, value)| if value.as_map().is_some() { holds_default(stack, value) } else { stack.is_default(value) })
}
