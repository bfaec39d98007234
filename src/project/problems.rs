//! What is wrong with files themselves: `meta/` findings.

use rustc_hash::FxHashMap;

use crate::diagnostic::{Diagnostic, Label, Severity};
use crate::syntax::{Kind, Node, NodeRef, SyntaxError, Tree, TreeId, Trees};
use crate::text::{Location, SourceId, Span};
use crate::values::read::{Collision, ReadError};

fn finding(rule: &'static str, location: Location, path: String, message: String) -> Diagnostic {
    Diagnostic::new(rule, Severity::Error, Some(Label::primary(location, path)), message)
}

/// A file that could not be read as text; what could be read is its source's text, which ends at the fault.
pub(super) fn unreadable(source: SourceId, end: usize, message: String) -> Diagnostic {
    finding("meta/unreadable-file", Location { source, span: Span::empty(end) }, String::new(), message)
}

/// Syntax errors of a YAML file.
pub(super) fn syntax(tree: &Tree) -> impl Iterator<Item = Diagnostic> {
    tree.errors.iter().map(|error| syntax_error(tree, error))
}

/// Syntax errors of a values file. Where Helm stops reading without a word, there is a rule for it.
pub(super) fn syntax_of_values(tree: &Tree) -> impl Iterator<Item = Diagnostic> {
    let lost = tree.run_on();
    let is_read = move |error: &&SyntaxError| !lost.iter().any(|(index, _)| *index == error.document);
    tree.errors.iter().filter(is_read).map(|error| syntax_error(tree, error))
}

fn syntax_error(tree: &Tree, error: &SyntaxError) -> Diagnostic {
    let mut found = finding("meta/syntax-error", tree.location(error.span), String::new(), error.message.clone());
    if let Some((span, message)) = &error.context {
        let location = tree.location(*span);
        found.related.push(Label { location, path: String::new(), message: message.clone() });
    }
    found
}

/// What [`syntax_of_values`] leaves to a rule.
pub(super) fn syntax_of_rest(tree: &Tree) -> impl Iterator<Item = Diagnostic> {
    let lost = tree.run_on();
    let is_lost = move |error: &&SyntaxError| lost.iter().any(|(index, _)| *index == error.document);
    tree.errors.iter().filter(is_lost).map(|error| syntax_error(tree, error))
}

/// A document that parses and that Helm refuses all the same.
pub(super) fn refused(tree: &Tree, error: ReadError) -> Diagnostic {
    finding("meta/syntax-error", tree.location(error.span), String::new(), error.message)
}

/// Keys that stand twice in a mapping: the last one wins, without a word.
pub(super) fn duplicates(trees: &Trees, id: TreeId) -> Vec<Diagnostic> {
    let Some(tree) = trees.get(id) else { return Vec::new() };
    let mut found = Vec::new();
    for map in tree.nodes().filter(|node| node.kind().is_map()) {
        for (first, second) in repeated(map) {
            found.push(repeated_key(trees, id, first, second));
        }
    }
    found.sort_by_key(|diagnostic| diagnostic.primary.as_ref().map(|label| label.location));
    found
}

fn repeated_key(trees: &Trees, id: TreeId, first: Node<'_>, second: Node<'_>) -> Diagnostic {
    let key = second.key().unwrap_or(second);
    let message = format!("`{}` stands twice in this mapping, and only the last one counts", key.text());
    let path = trees.path(NodeRef { tree: id, node: second.id });
    let mut diagnostic = finding("meta/duplicate-key", second.tree.location(key.span()), path, message);
    let key = first.key().unwrap_or(first);
    diagnostic.related.push(Label {
        location: first.tree.location(key.span()),
        path: trees.path(NodeRef { tree: id, node: first.id }),
        message: "this one is lost".to_owned(),
    });
    diagnostic
}

/// Pairs of values under the same key, each but the first with the one before it. Merge keys may repeat.
fn repeated(map: Node<'_>) -> Vec<(Node<'_>, Node<'_>)> {
    let mut pairs = Vec::new();
    if map.children().len() < 2 {
        return pairs;
    }
    let named = map.entries().filter(|(key, _)| key.kind() != Kind::Alias && key.kind() != Kind::Empty);
    let named = named.filter(|(key, _)| !(key.kind() == Kind::Plain && key.text() == "<<"));
    // Small maps are compared pair by pair: that is cheaper than hashing.
    if map.children().len() <= 8 {
        let all: Vec<_> = named.collect();
        for (index, (key, value)) in all.iter().enumerate() {
            let before = all.iter().take(index).rev().find(|(other, _)| same_key(*other, *key));
            pairs.extend(before.map(|(_, first)| (*first, *value)));
        }
        return pairs;
    }
    let mut seen: FxHashMap<&str, (Node<'_>, Node<'_>)> = FxHashMap::default();
    for (key, value) in named {
        if let Some((other, first)) = seen.insert(key.text(), (key, value))
            && same_key(other, key)
        {
            pairs.push((first, value));
        }
    }
    pairs
}

fn same_key(one: Node<'_>, other: Node<'_>) -> bool {
    one.text() == other.text() && one.kind().is_scalar() && other.kind().is_scalar()
}

/// Where a finding is.
pub(super) fn place(diagnostic: &Diagnostic) -> Option<Location> {
    diagnostic.primary.as_ref().map(|label| label.location)
}

/// Keys that differ in YAML and are one key in JSON.
pub(super) fn collision(trees: &Trees, collision: &Collision) -> Option<Diagnostic> {
    let (first, second) = (trees.node(collision.first)?, trees.node(collision.second)?);
    let message = format!(
        "two keys of this mapping both become `{}`, and which of them wins is chance on every run",
        collision.key
    );
    let key = second.key().unwrap_or(second);
    let mut diagnostic =
        finding("meta/duplicate-key", second.tree.location(key.span()), trees.path(collision.second), message);
    let key = first.key().unwrap_or(first);
    diagnostic.related.push(Label {
        location: first.tree.location(key.span()),
        path: trees.path(collision.first),
        message: "the other one".to_owned(),
    });
    Some(diagnostic)
}

/// A mistake in a `[[stack]]`.
pub(super) fn config(trees: &Trees, at: NodeRef, message: String) -> Option<Diagnostic> {
    let node = trees.node(at)?;
    let location = node.tree.location(node.anchor_span());
    Some(finding("meta/invalid-config", location, trees.path(at), message))
}
