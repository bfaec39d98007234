//! The arena tree that both readers fill, and the handles that everybody reads it with.

mod builder;
mod unmask;

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::text::{Location, SourceId, Span};

pub use builder::Builder;

/// Index of a node in its tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub u32);

/// Index of a tree in [`Trees`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TreeId(pub u32);

/// A node of any tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeRef {
    /// The tree.
    pub tree: TreeId,
    /// The node in it.
    pub node: NodeId,
}

/// Which grammar a tree was read with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// YAML 1.1 as go-yaml v2 reads it.
    Yaml,
    /// TOML 1.
    Toml,
}

/// What a node is and how it was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Unquoted scalar (in TOML: a number, boolean or date).
    Plain,
    /// `'…'` (TOML: literal strings, `'''` too).
    SingleQuoted,
    /// `"…"` (TOML: basic strings, `"""` too).
    DoubleQuoted,
    /// `|` block scalar.
    Literal,
    /// `>` block scalar.
    Folded,
    /// Nothing was written; the span has no width.
    Empty,
    /// `*name`.
    Alias,
    /// Mapping over lines.
    BlockMap,
    /// `{…}` (TOML: inline table).
    FlowMap,
    /// A pair in a flow sequence: `[a: 1]`.
    FlowPair,
    /// Sequence over lines (TOML: array of tables).
    BlockSeq,
    /// `[…]`.
    FlowSeq,
}

impl Kind {
    /// Whether the node holds pairs.
    pub fn is_map(self) -> bool {
        matches!(self, Self::BlockMap | Self::FlowMap | Self::FlowPair)
    }

    /// Whether the node holds items.
    pub fn is_seq(self) -> bool {
        matches!(self, Self::BlockSeq | Self::FlowSeq)
    }

    /// Whether the node is a scalar (an alias is none).
    pub fn is_scalar(self) -> bool {
        !self.is_map() && !self.is_seq() && self != Self::Alias
    }
}

#[derive(Debug, Clone)]
struct NodeData {
    kind: Kind,
    span: Span,
    parent: Option<NodeId>,
    key: Option<NodeId>,
    children: Span,
}

/// One document of a stream.
#[derive(Debug, Clone)]
pub struct Document {
    /// Top node; none where the document could not be read.
    pub root: Option<NodeId>,
    /// From the document's first byte (its `---`, directives or content) to the next document.
    pub span: Span,
    /// How far its reader had to read, in bytes.
    pub reach: u32,
}

impl Document {
    /// Where the text of a document begins that nothing separates from the one before it: there the reader of a
    /// single document stops without a word. None for a document with a `---` line of its own.
    fn runs_on(&self, text: &str) -> Option<u32> {
        let mut at = self.span.start as usize;
        for line in self.span.slice(text).split_inclusive('\n') {
            let words = line.trim_start();
            let rest = line.strip_prefix("...").map(str::trim_start);
            let is_end = rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('#'));
            if words.is_empty() || words.starts_with('#') || is_end {
                at += line.len();
                continue;
            }
            at += line.len() - words.len();
            return if words.starts_with("---") { None } else { u32::try_from(at).ok() };
        }
        None
    }
}

/// Where a comment stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// Alone on its line, before what it belongs to.
    Before,
    /// After something on its line.
    EndOfLine,
    /// Alone on its line with nothing after it in the collection or document.
    End,
}

/// A comment and what it belongs to.
#[derive(Debug, Clone)]
pub struct Comment {
    /// From `#` to before the line break.
    pub span: Span,
    /// Where it stands.
    pub place: Place,
    /// Value node of the entry (pair or item) it belongs to; none for the document.
    pub owner: Option<NodeId>,
    /// Index of the document.
    pub document: usize,
}

/// Something that could not be read.
#[derive(Debug, Clone)]
pub struct SyntaxError {
    /// The smallest honest place.
    pub span: Span,
    /// What is wrong, lower case, no full stop.
    pub message: String,
    /// A second place ("the bracket was opened here").
    pub context: Option<(Span, String)>,
    /// Index of the document it stands in.
    pub document: usize,
    /// Whether a key or table stands twice (its reader may go on).
    pub duplicate: bool,
    /// Whether nothing that follows on the line could mend it.
    pub certain: bool,
}

/// A run of embedded text whose offsets advance byte by byte with its host's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Segment {
    /// Where the run begins in the embedded text.
    pub inner: u32,
    /// Where it begins in the host.
    pub host: u32,
    /// Where it ends in the host: of an escape, past all its characters.
    pub host_end: u32,
}

/// How an embedded tree's offsets map to its host's bytes.
#[derive(Debug, Clone)]
pub struct Host {
    /// The scalar that holds the text.
    pub scalar: NodeRef,
    /// Source of the host file.
    pub source: SourceId,
    /// Ascending, the first one from offset 0, the last one empty at the end of the text.
    pub segments: Vec<Segment>,
    /// End of the host scalar, an upper bound for mapped offsets.
    pub end: u32,
}

impl Host {
    /// The host's offset of an offset of the embedded text. An end (`is_end`) that falls on the
    /// start of a segment belongs to the segment before it.
    pub fn map(&self, inner: u32, is_end: bool) -> u32 {
        let after = self.segments.partition_point(
            |segment| {
                if is_end { segment.inner < inner } else { segment.inner <= inner }
            },
        );
        let Some(segment) = self.segments.get(after.saturating_sub(1)) else { return self.end };
        if is_end && self.segments.get(after).is_some_and(|next| next.inner == inner) {
            // The end of an escape is the end of all its characters.
            return segment.host_end.min(self.end);
        }
        segment.host.saturating_add(inner.saturating_sub(segment.inner)).min(self.end)
    }
}

/// A text as a flat arena of nodes with its documents, comments and errors.
#[derive(Debug, Clone)]
pub struct Tree {
    /// The grammar.
    pub language: Language,
    /// The text that all spans point into (for an embedded tree: the decoded scalar).
    pub text: Arc<str>,
    /// The source; of an embedded tree: the host's.
    pub source: SourceId,
    /// Where an embedded tree was read from.
    pub host: Option<Host>,
    /// The documents of the stream, in order.
    pub documents: Vec<Document>,
    /// All comments, in order.
    pub comments: Vec<Comment>,
    /// What could not be read, in order.
    pub errors: Vec<SyntaxError>,
    /// Template markup that was masked for the reader, in order.
    pub masked: Vec<Span>,
    /// Markup outside of all values: it may bring or remove any entry.
    pub statements: Vec<Span>,
    nodes: Vec<NodeData>,
    children: Vec<NodeId>,
    decoded: FxHashMap<NodeId, Box<str>>,
    anchors: FxHashMap<NodeId, Span>,
    tags: FxHashMap<NodeId, (Span, Box<str>)>,
    aliases: FxHashMap<NodeId, NodeId>,
    headers: FxHashMap<NodeId, Span>,
    /// Owners of comments with the comment's index, ascending.
    owned: Vec<(NodeId, u32)>,
}

impl Tree {
    /// The node of an id.
    pub fn node(&self, id: NodeId) -> Node<'_> {
        Node { tree: self, id }
    }

    /// Root of the first document.
    pub fn root(&self) -> Option<Node<'_>> {
        self.documents.first()?.root.map(|id| self.node(id))
    }

    /// Roots of all documents that could be read.
    pub fn roots(&self) -> impl Iterator<Item = Node<'_>> {
        self.documents.iter().filter_map(|document| document.root).map(|id| self.node(id))
    }

    /// Every node, keys included, in the order in which they were finished.
    pub fn nodes(&self) -> impl Iterator<Item = Node<'_>> {
        (0..self.nodes.len()).map(|index| self.node(NodeId(index as u32)))
    }

    /// The same text with one of its nodes as the only document; none where the document around it is broken.
    pub(crate) fn narrowed(&self, root: NodeId) -> Option<Self> {
        let at = self.node(root).span().start;
        let index = self.documents.iter().rposition(|document| document.span.start <= at)?;
        if self.errors.iter().any(|error| error.document == index && !error.duplicate) {
            return None;
        }
        let document = Document { root: Some(root), ..self.documents.get(index)?.clone() };
        Some(Self { documents: vec![document], errors: Vec::new(), ..self.clone() })
    }

    /// Documents after the first that could not be read because nothing separates them from the one before: their
    /// numbers, and where their text begins. A reader of single documents loses them without a word.
    pub fn run_on(&self) -> Vec<(usize, u32)> {
        let mut failed: Vec<usize> =
            self.errors.iter().map(|error| error.document).filter(|&index| index > 0).collect();
        failed.dedup();
        let start = |index: usize| Some((index, self.documents.get(index)?.runs_on(&self.text)?));
        failed.into_iter().filter_map(start).collect()
    }

    fn data(&self, id: NodeId) -> &NodeData {
        static NOTHING: NodeData = NodeData {
            kind: Kind::Empty,
            span: Span { start: 0, end: 0 },
            parent: None,
            key: None,
            children: Span { start: 0, end: 0 },
        };
        self.nodes.get(id.0 as usize).unwrap_or(&NOTHING)
    }

    /// The innermost entry or item around an offset; of several the one that begins last before it.
    pub fn node_at<'a>(&'a self, offset: u32) -> Option<Node<'a>> {
        let start = |node: Node<'_>| node.key().map_or(node.span().start, |key| key.span().start);
        let around = |node: &Node<'_>| start(*node) <= offset && offset <= node.span().end;
        let mut at = self.root_at(offset)?;
        let inner = |node: Node<'a>| {
            if !node.kind().is_seq() {
                return node.children().filter(around).max_by_key(|&child| start(child));
            }
            // Items stand in their order, and there may be very many.
            let items = self.children.get(self.data(node.id).children.range()).unwrap_or_default();
            let after = items.partition_point(|&item| start(self.node(item)) <= offset);
            node.child(after.checked_sub(1)?).filter(around)
        };
        while let Some(next) = inner(at) {
            at = next;
        }
        Some(at)
    }

    /// Root of the document around an offset; none where that document could not be read.
    pub fn root_at(&self, offset: u32) -> Option<Node<'_>> {
        let after = self.documents.partition_point(|document| document.span.start <= offset);
        let root = self.documents.get(after.max(1) - 1)?.root?;
        Some(self.node(root)).filter(|root| root.span().start <= offset)
    }

    /// Location in the file of a span of this tree's text.
    pub fn location(&self, span: Span) -> Location {
        let span = match &self.host {
            None => span,
            Some(host) => {
                let start = host.map(span.start, false);
                Span { start, end: host.map(span.end, true).max(start) }
            }
        };
        Location { source: self.source, span }
    }
}

/// Whether any of the ascending `spans` has a byte in common with `span`.
pub(super) fn touches(spans: &[Span], span: Span) -> bool {
    let next = spans.partition_point(|other| other.end <= span.start);
    spans.get(next).is_some_and(|other| other.start < span.end)
}

/// A handle on a node. All positions are byte offsets into the tree's text.
#[derive(Clone, Copy)]
pub struct Node<'a> {
    /// The tree.
    pub tree: &'a Tree,
    /// The node's index in it.
    pub id: NodeId,
}

impl std::fmt::Debug for Node<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?} {:?} {:?}", self.kind(), self.span(), self.raw())
    }
}

impl<'a> Node<'a> {
    /// What it is.
    pub fn kind(self) -> Kind {
        self.tree.data(self.id).kind
    }

    /// Its own span, without anchor, tag and comments.
    pub fn span(self) -> Span {
        self.tree.data(self.id).span
    }

    /// The text as written.
    pub fn raw(self) -> &'a str {
        self.span().slice(&self.tree.text)
    }

    /// A scalar's text with quotes, escapes, folding and indentation undone; for other nodes what was written.
    pub fn text(self) -> &'a str {
        match self.tree.decoded.get(&self.id) {
            Some(text) => text,
            None if matches!(self.kind(), Kind::SingleQuoted | Kind::DoubleQuoted) => {
                let raw = self.raw();
                raw.get(1..raw.len().saturating_sub(1)).unwrap_or_default()
            }
            None => self.raw(),
        }
    }

    /// The collection around it (for a key: the mapping).
    pub fn parent(self) -> Option<Node<'a>> {
        self.tree.data(self.id).parent.map(|id| self.tree.node(id))
    }

    /// The key node, if this is the value of a pair.
    pub fn key(self) -> Option<Node<'a>> {
        self.tree.data(self.id).key.map(|id| self.tree.node(id))
    }

    /// Values of the pairs of a mapping or items of a sequence, as written, duplicates included.
    pub fn children(self) -> impl DoubleEndedIterator<Item = Node<'a>> + ExactSizeIterator {
        let range = self.tree.data(self.id).children.range();
        self.tree.children.get(range).unwrap_or_default().iter().map(move |&id| self.tree.node(id))
    }

    /// The value of one pair or one item, by position.
    pub fn child(self, index: usize) -> Option<Node<'a>> {
        let range = self.tree.data(self.id).children.range();
        self.tree.children.get(range)?.get(index).map(|&id| self.tree.node(id))
    }

    /// The anchored node of an alias; none for other nodes.
    pub fn alias_target(self) -> Option<Node<'a>> {
        self.tree.aliases.get(&self.id).map(|&id| self.tree.node(id))
    }

    /// Items of a sequence; nothing for other nodes.
    pub fn items(self) -> impl DoubleEndedIterator<Item = Node<'a>> {
        self.children().filter(move |_| self.kind().is_seq())
    }

    /// Pairs of a mapping as written, duplicates and merge keys included; nothing for other nodes.
    pub fn entries(self) -> impl DoubleEndedIterator<Item = (Node<'a>, Node<'a>)> {
        self.children().filter_map(|value| Some((value.key()?, value)))
    }

    /// Last value written under the scalar key `key`, aliases followed; merge keys are not looked into.
    pub fn get(self, key: &str) -> Option<Node<'a>> {
        // The items of a long list are not looked through for keys.
        let map = Some(self.follow()).filter(|node| node.kind().is_map())?;
        let (_, value) = map.entries().rev().find(|(k, _)| k.kind() != Kind::Alias && k.text() == key)?;
        Some(value.follow())
    }

    /// [`Node::get`] along a path of keys.
    pub fn at(self, path: &[&str]) -> Option<Node<'a>> {
        path.iter().try_fold(self, |node, key| node.get(key))
    }

    /// The anchored node for an alias, else the node itself.
    pub fn follow(self) -> Node<'a> {
        let mut node = self;
        // Anchors are defined before their aliases, so this ends.
        while let Some(&target) = node.tree.aliases.get(&node.id) {
            node = node.tree.node(target);
        }
        node
    }

    /// Span of `&name`.
    pub fn anchor(self) -> Option<Span> {
        self.tree.anchors.get(&self.id).copied()
    }

    /// Whether template markup stands in it, so that its value cannot be known.
    pub fn is_masked(self) -> bool {
        touches(&self.tree.masked, self.span())
    }

    /// Span of `!tag`.
    pub fn tag(self) -> Option<Span> {
        self.tree.tags.get(&self.id).map(|&(span, _)| span)
    }

    /// The tag in full, its handle replaced: `tag:yaml.org,2002:str` for `!!str`.
    pub fn tag_name(self) -> Option<&'a str> {
        self.tree.tags.get(&self.id).map(|(_, name)| &**name)
    }

    /// Comments that belong to the entry of this value.
    pub fn comments(self) -> impl Iterator<Item = &'a Comment> {
        let owned = &self.tree.owned;
        let from = owned.partition_point(|&(owner, _)| owner < self.id);
        let mine = owned.get(from..).unwrap_or_default().iter().take_while(move |&&(owner, _)| owner == self.id);
        mine.filter_map(|&(_, index)| self.tree.comments.get(index as usize))
    }

    /// The span to point at: a scalar itself; of a collection its key, or for an item its first key.
    pub fn anchor_span(self) -> Span {
        if self.kind().is_scalar() && self.kind() != Kind::Empty || self.kind() == Kind::Alias {
            return self.span();
        }
        if let Some(key) = self.key() {
            return key.span();
        }
        if let Some(&header) = self.tree.headers.get(&self.id) {
            return header;
        }
        match self.children().next() {
            Some(first) => first.key().unwrap_or(first).anchor_span(),
            None => self.span(),
        }
    }

    /// Which of its items a node is. Most are numbered in their order, so that they need not be counted.
    pub fn position_of(self, item: Node<'_>) -> usize {
        let range = self.tree.data(self.id).children.range();
        let items = self.tree.children.get(range).unwrap_or_default();
        let found = items.binary_search(&item.id).ok();
        found.or_else(|| items.iter().position(|id| *id == item.id)).unwrap_or(0)
    }

    /// The path in the field's usual form: `a.b[0].c`; a key that is no plain word in double quotes.
    pub fn path(self) -> String {
        let mut parts = Vec::new();
        let mut node = self;
        while let Some(parent) = node.parent() {
            match node.key() {
                Some(key) => parts.push(path_key(key.text())),
                None => {
                    parts.push(format!("[{}]", parent.position_of(node)));
                }
            }
            node = parent;
        }
        join_path(parts.iter().rev())
    }
}

fn path_key(key: &str) -> String {
    let plain = !key.is_empty() && key.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-'));
    if plain { key.to_owned() } else { format!("\"{}\"", key.replace('\\', "\\\\").replace('"', "\\\"")) }
}

fn join_path<'a>(parts: impl Iterator<Item = &'a String>) -> String {
    let mut path = String::new();
    for part in parts {
        if !path.is_empty() && !part.starts_with('[') {
            path.push('.');
        }
        path.push_str(part);
    }
    path
}

/// All trees of a run.
#[derive(Debug, Default)]
pub struct Trees {
    trees: Vec<Tree>,
}

impl Trees {
    /// Adds a tree and returns its id.
    pub fn add(&mut self, tree: Tree) -> TreeId {
        let id = TreeId(u32::try_from(self.trees.len()).unwrap_or(u32::MAX));
        self.trees.push(tree);
        id
    }

    /// Says that a tree's text stands in a scalar of another tree.
    pub fn embed(&mut self, id: TreeId, host: Host) {
        if let Some(tree) = self.trees.get_mut(id.0 as usize) {
            tree.source = host.source;
            tree.host = Some(host);
        }
    }

    /// The tree of an id that this store handed out.
    pub fn get(&self, id: TreeId) -> Option<&Tree> {
        self.trees.get(id.0 as usize)
    }

    /// The node of a reference.
    pub fn node(&self, at: NodeRef) -> Option<Node<'_>> {
        Some(self.get(at.tree)?.node(at.node))
    }

    /// All trees with their ids.
    pub fn iter(&self) -> impl Iterator<Item = (TreeId, &Tree)> {
        (0u32..).map(TreeId).zip(&self.trees)
    }

    /// Path of a node; through its hosts for an embedded one: `host.path > inner.path`.
    pub fn path(&self, at: NodeRef) -> String {
        let Some(node) = self.node(at) else {
            return String::new();
        };
        match &node.tree.host {
            None => node.path(),
            Some(host) => format!("{} > {}", self.path(host.scalar), node.path()),
        }
    }
}
