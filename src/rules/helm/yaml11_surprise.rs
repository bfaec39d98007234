//! A plain scalar is a boolean or a number to Helm where a string was meant.

use crate::knowledge::Shape;
use crate::rule::Checker;
use crate::syntax::Kind;
use crate::values::{Data, Step, Value, printed};
use crate::view::{Expected, Stack, walk};

pub(crate) fn check(stack: &Stack<'_>, checker: &mut Checker<'_>) {
    let mut found = Vec::new();
    walk(&stack.merged.values, &mut |path, value| {
        if is_leaf(value) && wants_text(stack, path) {
            found.push((path.to_vec(), value));
        }
    });
    for (path, value) in found {
        report(&path, value, checker);
    }
}

fn report(path: &[Step], value: &Value, checker: &mut Checker<'_>) {
    let Some(node) = value.origin.node.and_then(|at| checker.trees().node(at)) else { return };
    let (written, read) = (node.raw(), printed(value));
    // A plain `true`, and a number that prints as it is written, come out as they look.
    let is_plain_bool = matches!(value.data, Data::Bool(_)) && written.eq_ignore_ascii_case(&read);
    if node.kind() != Kind::Plain || written == read || is_plain_bool || !checker.is_in_file(value) {
        return;
    }
    let kind = if matches!(value.data, Data::Bool(_)) { "boolean" } else { "number" };
    let key = path.last().map(ToString::to_string).unwrap_or_default();
    let message = format!("`{key}` is written `{written}`, and Helm reads the {kind} `{read}`");
    checker.report_value(value, message).help(format!("quote it: `\"{written}\"`"));
}

fn is_leaf(value: &Value) -> bool {
    matches!(value.data, Data::Bool(_) | Data::Int(_) | Data::Float(_) | Data::Number(_))
}

/// Whether a string is meant at a place: by a known chart, or since it is the tag of an image.
fn wants_text(stack: &Stack<'_>, path: &[Step]) -> bool {
    match stack.expected(path) {
        Expected::Shape(shape) => shape == Shape::String,
        _ => is_tag_of_image(stack, path),
    }
}

fn is_tag_of_image(stack: &Stack<'_>, path: &[Step]) -> bool {
    let Some((Step::Key(tag), around)) = path.split_last() else { return false };
    if tag != "tag" {
        return false;
    }
    let mut image = Some(&stack.merged.values);
    for step in around {
        image = image.and_then(|value| match step {
            Step::Key(key) => value.get(key),
            Step::Index(index) => value.items().nth(*index),
            Step::Item(_) => None,
        });
    }
    let named = matches!(around.last(), Some(Step::Key(key)) if key.to_lowercase().ends_with("image"));
    named || image.is_some_and(|image| ["repository", "registry"].iter().any(|key| image.get(key).is_some()))
}
