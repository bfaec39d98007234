use super::*;
use crate::syntax::{Trees, yaml};
use crate::text::{Encoding, Sources};
use crate::values::{StackInput, ValuesFile, merge};

/// `path: item field @layer` of every part lost in a stack of files.
fn lost(files: &[&str]) -> Vec<String> {
    let (mut sources, mut trees, mut stack) = (Sources::default(), Trees::default(), Vec::new());
    for (index, text) in files.iter().enumerate() {
        let source = sources.add(format!("{index}"), *text, Encoding::Utf8, true);
        let tree = trees.add(yaml::parse((*text).into(), source));
        stack.push(ValuesFile { name: index.to_string(), tree });
    }
    let merged = merge(&StackInput { files: &stack, ..StackInput::default() }, &trees).unwrap();
    let mut lines = Vec::new();
    for loss in losses(&merged) {
        for part in loss.parts {
            let (path, field) = (path_text(&loss.path), path_text(&part.field));
            let name = part.name.unwrap_or_else(|| to_json(part.value));
            let (from, by) = (part.value.origin.layer.0, part.by.layer.0);
            lines.push(format!("{path}: {name} {field} {from}>{by}"));
        }
    }
    lines
}

#[test]
fn a_field_of_a_named_item_is_lost() {
    let found =
        lost(&["c: [{name: a, image: x, command: [y], env: [{name: E, value: 1}]}]", "c: [{name: a, image: z}]"]);
    assert_eq!(found, ["c: a command 0>1", "c: a env 0>1"]);
}

#[test]
fn an_item_of_a_list_in_an_item_is_lost() {
    let found = lost(&["c: [{name: a, env: [{name: E}, {name: F}]}]", "c: [{name: a, env: [{name: F}]}]"]);
    assert_eq!(found, ["c: a env[E] 0>1"]);
}

#[test]
fn losses_add_up_over_layers() {
    let found = lost(&["l: [{name: a}, {name: b}, {name: c}]", "l: [{name: a}, {name: b}]", "l: [{name: a}]"]);
    assert_eq!(found, ["l: c  0>1", "l: b  1>2"]);
    let found = lost(&["l: [{name: a, x: 1}]", "l: [{name: a}]", "l: [{name: a, y: 1}]"]);
    assert_eq!(found, ["l: a x 0>1"]);
}

#[test]
fn what_comes_back_is_not_lost() {
    assert!(lost(&["l: [{name: a}]", "l: [{name: b}]", "l: [{name: a}, {name: b}]"]).is_empty());
}

#[test]
fn empty_lists_and_nulls_say_on_purpose() {
    assert!(lost(&["l: [1]", "l: []"]).is_empty());
    assert!(lost(&["l: [1]", "l: []", "l: [2]"]).is_empty());
    assert!(lost(&["l: [1]", "l: null", "l: [2]"]).is_empty());
    assert!(lost(&["c: [{name: a, env: [1], x: 1}]", "c: [{name: a, env: [], x: null}]"]).is_empty());
}

#[test]
fn scalars_match_by_equality() {
    assert_eq!(lost(&["l: [a, b]", "l: [b, c]"]), ["l: \"a\"  0>1"]);
    assert_eq!(lost(&["l: [{name: a}, 1]", "l: [{name: a}]"]), ["l: 1  0>1"]);
}
