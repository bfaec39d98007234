//! What the scanner hands to the parser, and what it says when it cannot.

use std::borrow::Cow;

use crate::syntax::Kind;

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TokenKind {
    StreamEnd,
    /// `%YAML` with major and minor version.
    VersionDirective(u8, u8),
    /// `%TAG`: an index into the scanner's list.
    TagDirective(u32),
    DocumentStart,
    DocumentEnd,
    BlockSequenceStart,
    BlockMappingStart,
    BlockEnd,
    FlowSequenceStart,
    FlowSequenceEnd,
    FlowMappingStart,
    FlowMappingEnd,
    BlockEntry,
    FlowEntry,
    Key,
    Value,
    Alias,
    Anchor,
    /// A tag, with the length in bytes of its handle.
    Tag(u32),
    Scalar(Kind),
}

/// A token; offsets are bytes.
#[derive(Debug, Clone)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    pub(super) start: usize,
    pub(super) end: usize,
    /// A scalar's text where it is not what was written; a tag's suffix.
    pub(super) text: Option<Box<str>>,
}

impl Token {
    pub(super) fn new(kind: TokenKind, start: usize, end: usize) -> Self {
        Self { kind, start, end, text: None }
    }
}

/// Why a document cannot be read.
#[derive(Debug, Clone)]
pub(super) struct Fault {
    /// The thing at fault.
    pub(super) start: usize,
    pub(super) end: usize,
    /// How far the reader had come.
    pub(super) noticed: usize,
    pub(super) message: Cow<'static, str>,
    /// What it belongs to.
    pub(super) context: Option<(usize, usize, &'static str)>,
}

impl Fault {
    pub(super) fn new(start: usize, end: usize, message: impl Into<Cow<'static, str>>) -> Self {
        Self { start, end, noticed: start, message: message.into(), context: None }
    }

    /// Adds the second place.
    pub(super) fn within(mut self, start: usize, end: usize, what: &'static str) -> Self {
        self.context = Some((start, end, what));
        self
    }

    /// Says how far the reader had come.
    pub(super) fn noticed_at(mut self, at: usize) -> Self {
        self.noticed = at;
        self
    }
}

pub(super) type Result<T> = std::result::Result<T, Fault>;
