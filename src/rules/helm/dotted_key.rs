//! A key of a values file is a path with dots, which Helm takes for one word.

use crate::rule::Checker;
use crate::values::{Step, Value, path_text};
use crate::view::{Expected, Stack, is_templated, walk};

pub(crate) fn check(stack: &Stack<'_>, checker: &mut Checker<'_>) {
    let mut found = Vec::new();
    walk(&stack.merged.values, &mut |path, map| {
        for (key, value) in map.entries() {
            if let Some(nested) = meant(stack, path, map, key, value) {
                found.push((nested, key, value, map));
            }
        }
    });
    for (nested, key, value, map) in found {
        if !checker.is_in_file(value) {
            continue;
        }
        report(&nested, key, value, map, checker);
    }
}

fn report(nested: &[Step], key: &str, value: &Value, map: &Value, checker: &mut Checker<'_>) {
    let message = format!("`{key}` is one key with dots in it: `{}` stays as it is", path_text(nested));
    let mut finding = checker.report_key_of(value, message);
    let words: Vec<_> = key.split('.').collect();
    let there = map.at(&words).and_then(|there| there.origin.node);
    finding.related(there, "this is what was meant").help(format!("nest it: `{}`", words.join(": ")));
}

/// The path that a key with dots was meant for.
fn meant(stack: &Stack<'_>, path: &[Step], map: &Value, key: &str, value: &Value) -> Option<Vec<Step>> {
    let words: Vec<_> = key.split('.').collect();
    let is_word = |word: &&str| !word.is_empty() && word.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-'));
    if words.len() < 2 || !words.iter().all(is_word) || is_templated(key) {
        return None;
    }
    let nested: Vec<_> = path.iter().cloned().chain(words.iter().map(|word| Step::Key((*word).to_owned()))).collect();
    let own: Vec<_> = path.iter().cloned().chain([Step::Key(key.to_owned())]).collect();
    let is_known = |path: &[Step]| matches!(stack.expected(path), Expected::Shape(_));
    let says_chart = stack.expected(&own) == Expected::Nothing && is_known(&nested);
    let free = matches!(stack.expected(&own), Expected::Unknown) && !is_of_chart(stack, value);
    let is_there = || map.at(&words).is_some_and(|there| there.origin.layer < value.origin.layer);
    (says_chart || free && is_there()).then_some(nested)
}

/// Whether the chart has the key, dots and all.
fn is_of_chart(stack: &Stack<'_>, value: &Value) -> bool {
    stack.is_default(value)
        || value.past.iter().any(|past| stack.is_default(&past.value))
        || value.entries().any(|(_, value)| is_of_chart(stack, value))
}
