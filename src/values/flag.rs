//! `--set`, `--set-string`, `--set-json`, `--set-file`, `--set-literal`.

mod apply;
mod json;
mod scan;

use super::HelmError;
use crate::syntax::{Builder, Language, NodeId, TreeId, Trees};
use crate::text::{Encoding, Sources};

pub(super) use apply::apply;

/// Which flag; in the order of rank, lowest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FlagKind {
    /// `--set-json`.
    Json,
    /// `--set`.
    Set,
    /// `--set-string`.
    String,
    /// `--set-file`.
    File,
    /// `--set-literal`.
    Literal,
}

impl FlagKind {
    /// The flag as typed.
    pub fn name(self) -> &'static str {
        match self {
            Self::Json => "--set-json",
            Self::Set => "--set",
            Self::String => "--set-string",
            Self::File => "--set-file",
            Self::Literal => "--set-literal",
        }
    }

    /// The kind of a flag as typed.
    pub fn of_name(name: &str) -> Option<Self> {
        [Self::Json, Self::Set, Self::String, Self::File, Self::Literal].into_iter().find(|kind| kind.name() == name)
    }
}

/// A flag that was read; what is wrong with it comes out when it is merged.
#[derive(Debug, Clone, PartialEq)]
pub struct Flag {
    /// Which flag.
    pub kind: FlagKind,
    /// Its argument.
    pub text: String,
    /// The tree of its keys and values.
    pub tree: TreeId,
    assignments: Vec<Assignment>,
    /// `--set-json '{…}'`, which Helm 4 merges as a whole.
    whole: Option<Result<Written, String>>,
}

/// One `path=value`.
#[derive(Debug, Clone, PartialEq)]
struct Assignment {
    steps: Vec<Step>,
    /// Dots between keys.
    depth: usize,
    end: End,
}

/// A part of a path, with the node of what lies under it. The first is a key.
#[derive(Debug, Clone, PartialEq)]
enum Step {
    Key(String, NodeId),
    Index(i64, NodeId),
}

/// What a path leads to.
#[derive(Debug, Clone, PartialEq)]
enum End {
    Value(Written),
    /// `a=` at the very end: an empty string, and the text was over.
    Blank(Written),
    /// The text was over.
    Eof {
        in_index: bool,
    },
    Error(String),
}

/// A value as typed, with its node.
#[derive(Debug, Clone, PartialEq)]
enum Written {
    Null(NodeId),
    Bool(bool, NodeId),
    Int(i64, NodeId),
    Float(f64, NodeId),
    String(String, NodeId),
    List(Vec<Written>, NodeId),
    Map(Vec<(String, Written)>, NodeId),
}

impl Written {
    fn node(&self) -> NodeId {
        match self {
            Self::Null(node)
            | Self::Bool(_, node)
            | Self::Int(_, node)
            | Self::Float(_, node)
            | Self::String(_, node)
            | Self::List(_, node)
            | Self::Map(_, node) => *node,
        }
    }
}

impl Flag {
    /// Reads a flag's argument; it becomes a source that is no file. `read_file` gives the text of a
    /// file that `--set-file` names, or what is wrong with it.
    pub fn parse(
        kind: FlagKind,
        text: &str,
        sources: &mut Sources,
        trees: &mut Trees,
        read_file: &mut dyn FnMut(&str) -> Result<String, String>,
    ) -> Self {
        let source = sources.add(format!("{} {text}", kind.name()), text, Encoding::Utf8, false);
        let mut builder = Builder::new(Language::Yaml, text.into(), source);
        let is_whole = kind == FlagKind::Json && text.trim_start().starts_with('{');
        let whole = is_whole.then(|| json::read_whole(text, &mut builder));
        let assignments = scan::scan(kind, text, &mut builder, read_file);
        let tree = trees.add(builder.finish());
        Self { kind, text: text.to_owned(), tree, assignments, whole }
    }

    /// The layer's name.
    pub fn name(&self) -> String {
        format!("{} {}", self.kind.name(), self.text)
    }

    fn refused(&self, message: &str) -> HelmError {
        HelmError::new(match self.kind {
            FlagKind::Json => format!("failed parsing --set-json data {}", self.text),
            kind => format!("failed parsing {} data: {message}", kind.name()),
        })
    }
}
