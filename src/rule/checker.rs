//! A rule's only window: facts of the run, options, and `report`.

use std::sync::Arc;

use jiff::civil::Date;

use super::Meta;
use crate::diagnostic::{Diagnostic, Label};
use crate::knowledge::runner_release::Releases;
use crate::syntax::{Node, NodeRef, Tree, TreeId, Trees};
use crate::text::{Sources, Span};
use crate::values::Value;

/// Facts of the run that rules may ask for.
#[derive(Debug, Clone)]
pub struct Facts {
    /// The day to judge by.
    pub as_of: Date,
    /// `(major, minor)` of Kubernetes, where it is known.
    pub kube_version: Option<(u32, u32)>,
    /// The releases of the GitHub Actions runner that are known.
    pub releases: Arc<Releases>,
}

/// What a rule sees beside its subject.
#[derive(Debug)]
pub struct Checker<'a> {
    meta: &'a Meta,
    facts: &'a Facts,
    trees: &'a Trees,
    sources: &'a Sources,
    options: &'a [(String, i64)],
    found: Vec<Diagnostic>,
}

impl<'a> Checker<'a> {
    /// A window for one rule. `options` are those that the configuration sets for it.
    pub fn new(
        meta: &'a Meta,
        facts: &'a Facts,
        trees: &'a Trees,
        sources: &'a Sources,
        options: &'a [(String, i64)],
    ) -> Self {
        Self { meta, facts, trees, sources, options, found: Vec::new() }
    }

    /// Facts of the run.
    pub fn facts(&self) -> &'a Facts {
        self.facts
    }

    /// All trees.
    pub fn trees(&self) -> &'a Trees {
        self.trees
    }

    /// All sources.
    pub fn sources(&self) -> &'a Sources {
        self.sources
    }

    /// An option of the rule: what the configuration says, else the page's default.
    pub fn option(&self, name: &str) -> i64 {
        let set = self.options.iter().find(|(key, _)| key == name).map(|(_, value)| *value);
        let default = || self.meta.options.iter().find(|(key, _)| *key == name).map(|(_, value)| *value);
        set.or_else(default).unwrap_or_default()
    }

    /// Reports at a node: at a scalar itself, at a collection's key or an item's first key.
    pub fn report(&mut self, at: NodeRef, message: impl Into<String>) -> Finding<'_, 'a> {
        let primary = self.label(at, String::new());
        self.push(primary, message.into())
    }

    /// Reports at the key of a node.
    pub fn report_key(&mut self, at: NodeRef, message: impl Into<String>) -> Finding<'_, 'a> {
        let primary = self.key_label(at);
        self.push(primary, message.into())
    }

    /// Reports at the key of a value, or without a place where it has none in a file.
    pub fn report_key_of(&mut self, value: &Value, message: impl Into<String>) -> Finding<'_, 'a> {
        let primary = value.origin.node.and_then(|at| self.key_label(at));
        let message = self.with_flag(value.origin.node, message.into());
        self.push(primary, message)
    }

    /// Reports at a value: at its node; where that is in no file, at what it beat last, else without a place.
    pub fn report_value(&mut self, value: &Value, message: impl Into<String>) -> Finding<'_, 'a> {
        let beaten = value.past.iter().rev().map(|past| &past.value);
        self.report_first(std::iter::once(value).chain(beaten), message)
    }

    /// Reports at the first of these values that stands in a file of the user's.
    pub fn report_first<'v>(
        &mut self,
        places: impl IntoIterator<Item = &'v Value>,
        message: impl Into<String>,
    ) -> Finding<'_, 'a> {
        let mut nodes = places.into_iter().filter_map(|value| value.origin.node).peekable();
        let message = self.with_flag(nodes.peek().copied(), message.into());
        let primary = nodes.find_map(|at| self.label(at, String::new()));
        self.push(primary, message)
    }

    /// [`Checker::report_first`] at the key of the value.
    pub fn report_first_key<'v>(
        &mut self,
        places: impl IntoIterator<Item = &'v Value>,
        message: impl Into<String>,
    ) -> Finding<'_, 'a> {
        let mut nodes = places.into_iter().filter_map(|value| value.origin.node).peekable();
        let message = self.with_flag(nodes.peek().copied(), message.into());
        let primary = nodes.find_map(|at| self.key_label(at));
        self.push(primary, message)
    }

    /// Whether a value stands in a file of the user's.
    pub fn is_in_file(&self, value: &Value) -> bool {
        value.origin.node.is_some_and(|at| self.is_node_in_file(at))
    }

    /// Whether a node stands in a file of the user's.
    pub fn is_node_in_file(&self, at: NodeRef) -> bool {
        self.label(at, String::new()).is_some()
    }

    /// Reports at a span of a tree, as syntax errors have it.
    pub fn report_span(&mut self, at: TreeId, span: Span, message: impl Into<String>) -> Finding<'_, 'a> {
        let primary =
            self.trees.get(at).and_then(|tree| span_label(self.trees, self.sources, tree, span, String::new()));
        self.push(primary, message.into())
    }

    /// The message, with the flag that set what it is about: no place can show that. What the flag says may be secret.
    fn with_flag(&self, at: Option<NodeRef>, message: String) -> String {
        let source = at.and_then(|at| {
            let tree = self.trees.get(at.tree)?;
            self.sources.get(tree.location(self.trees.node(at)?.anchor_span()).source)
        });
        let name = source.filter(|source| !source.is_file).map(|source| source.name.as_str());
        match name.and_then(|name| name.split_whitespace().next()).filter(|word| word.starts_with("--")) {
            Some(flag) => format!("{message} (set by `{flag}`)"),
            None => message,
        }
    }

    fn push(&mut self, primary: Option<Label>, message: String) -> Finding<'_, 'a> {
        let (trees, sources) = (self.trees, self.sources);
        self.found.push(Diagnostic::new(self.meta.id, self.meta.severity, primary, message));
        let [.., diagnostic] = self.found.as_mut_slice() else { unreachable!("one was pushed just now") };
        Finding { diagnostic, trees, sources }
    }

    fn key_label(&self, at: NodeRef) -> Option<Label> {
        let node = self.trees.node(at)?;
        let span = node.key().unwrap_or(node).anchor_span();
        file_label(self.trees, self.sources, at, span, String::new())
    }

    fn label(&self, at: NodeRef, message: String) -> Option<Label> {
        let span = self.trees.node(at)?.anchor_span();
        file_label(self.trees, self.sources, at, span, message)
    }

    /// What was reported.
    pub fn finish(self) -> Vec<Diagnostic> {
        self.found
    }
}

/// A label in a file of the user's; none for built-in defaults and flags.
fn file_label(trees: &Trees, sources: &Sources, at: NodeRef, span: Span, message: String) -> Option<Label> {
    let tree = trees.get(at.tree)?;
    let location = tree.location(span);
    sources.get(location.source)?.is_file.then(|| Label { location, path: trees.path(at), message })
}

/// A label at a span of a tree, also of one that is not in the store.
fn span_label(trees: &Trees, sources: &Sources, tree: &Tree, span: Span, message: String) -> Option<Label> {
    let location = tree.location(span);
    let inner = tree.node_at(span.start).map(Node::path).unwrap_or_default();
    let path = match &tree.host {
        None => inner,
        Some(host) => format!("{} > {inner}", trees.path(host.scalar)),
    };
    sources.get(location.source)?.is_file.then_some(Label { location, path, message })
}

/// A finding that was just reported, to hang labels and help on.
pub struct Finding<'f, 'a> {
    /// The finding.
    pub diagnostic: &'f mut Diagnostic,
    trees: &'a Trees,
    sources: &'a Sources,
}

impl Finding<'_, '_> {
    /// Names another party; left out where it is in no file of the user's.
    pub fn related(&mut self, at: Option<NodeRef>, message: impl Into<String>) -> &mut Self {
        let label = at.and_then(|at| {
            let span = self.trees.node(at)?.anchor_span();
            file_label(self.trees, self.sources, at, span, message.into())
        });
        self.diagnostic.related.extend(label);
        self
    }

    /// Names another party by its span in a tree, also in one that is not in the store.
    pub fn related_span(&mut self, tree: &Tree, span: Span, message: impl Into<String>) -> &mut Self {
        let label = span_label(self.trees, self.sources, tree, span, message.into());
        self.diagnostic.related.extend(label);
        self
    }

    /// What to do.
    pub fn help(&mut self, help: impl Into<String>) -> &mut Self {
        self.diagnostic.help(help);
        self
    }
}
