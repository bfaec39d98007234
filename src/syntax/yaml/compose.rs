//! Events to the tree: documents, anchors, entries, and going on after an error.

use rustc_hash::FxHashMap;

use super::comments::{Entry, Owners};
use super::parser::{Event, EventKind, Parser};
use super::token::{Fault, Result};
use crate::syntax::{Builder, Document, Kind, NodeId, SyntaxError};
use crate::text::Span;

/// A collection that is open.
#[derive(Debug)]
struct Frame {
    kind: Kind,
    start: usize,
    anchor: Option<Span>,
    tag: Option<(Span, Box<str>)>,
    /// Length of the stack of children when it was opened.
    base: usize,
    /// The entry that holds it.
    entry: Option<Entry>,
    /// The key whose value comes next.
    key: Option<NodeId>,
    /// The pair whose value comes next.
    pair: Option<Entry>,
    /// Whether it is a key itself.
    is_key: bool,
    /// End of its last child.
    end: usize,
}

/// What an anchor names.
#[derive(Debug, Clone, Copy)]
enum Anchored {
    /// A collection that is still open: its depth.
    Open(usize),
    Node(NodeId),
}

/// Builds the tree of a stream.
#[derive(Debug)]
pub(super) struct Composer<'t> {
    text: &'t str,
    parser: Parser<'t>,
    builder: Builder,
    frames: Vec<Frame>,
    items: Vec<NodeId>,
    pairs: Vec<(NodeId, NodeId)>,
    anchors: FxHashMap<&'t str, Anchored>,
    owners: Owners,
    /// The value of each entry of the document.
    entries: Vec<Option<NodeId>>,
    root: Option<NodeId>,
    /// Aliases that stand inside what they name.
    loops: Vec<Span>,
    start: usize,
}

impl<'t> Composer<'t> {
    pub(super) fn new(text: &'t str, parser: Parser<'t>, builder: Builder) -> Self {
        Self {
            text,
            parser,
            builder,
            frames: Vec::new(),
            items: Vec::new(),
            pairs: Vec::new(),
            anchors: FxHashMap::default(),
            owners: Owners::default(),
            entries: Vec::new(),
            root: None,
            loops: Vec::new(),
            start: 0,
        }
    }

    /// Reads all documents.
    pub(super) fn run(mut self) -> Builder {
        loop {
            match self.document() {
                Ok(true) => {}
                Ok(false) => break,
                Err(fault) => {
                    if !self.recover(fault) {
                        break;
                    }
                }
            }
        }
        let end = self.text.len();
        self.take_comments(end);
        if let Some(last) = self.builder.tree().documents.last_mut() {
            last.span = Span::new(last.span.start as usize, end);
        }
        self.builder
    }

    /// Reads one document; false at the end of the stream.
    fn document(&mut self) -> Result<bool> {
        loop {
            let event = self.parser.next()?;
            match event.kind {
                EventKind::StreamEnd => return Ok(false),
                EventKind::DocumentStart => self.begin_document(event.start),
                EventKind::DocumentEnd => {
                    self.end_document(event.start);
                    return Ok(true);
                }
                EventKind::Alias | EventKind::Scalar(_) => self.leaf(event)?,
                EventKind::Start(kind) => self.open(kind, event),
                EventKind::End => self.close(&event),
            }
        }
    }

    fn begin_document(&mut self, start: usize) {
        self.start = start;
        if let Some(last) = self.builder.tree().documents.last_mut() {
            last.span = Span::new(last.span.start as usize, start);
        }
    }

    fn end_document(&mut self, end: usize) {
        self.take_comments(end);
        let document = self.builder.tree().documents.len();
        for span in self.loops.drain(..) {
            self.builder.tree().errors.push(SyntaxError {
                span,
                message: "an alias inside of what it names".to_owned(),
                context: None,
                document,
                duplicate: false,
                certain: false,
            });
        }
        let root = self.root.take();
        let reach = u32::try_from(self.parser.scanner.cursor.pos).unwrap_or(u32::MAX);
        self.builder.tree().documents.push(Document { root, span: Span::new(self.start, end), reach });
        self.start = end;
        self.reset();
    }

    fn reset(&mut self) {
        self.frames.clear();
        self.items.clear();
        self.pairs.clear();
        self.anchors.clear();
        self.entries.clear();
        self.loops.clear();
        self.root = None;
    }

    fn take_comments(&mut self, end: usize) {
        let document = self.builder.tree().documents.len();
        let comments = self.owners.finish(&self.parser.scanner.comments, end, document, &self.entries);
        self.builder.tree().comments.extend(comments);
    }

    /// Notes what is wrong and goes to the next `---` line; false where there is none.
    fn recover(&mut self, fault: Fault) -> bool {
        let document = self.builder.tree().documents.len();
        let clamp = |start: usize, end: usize| char_span(self.text, start, end);
        let span = clamp(fault.start, fault.end);
        let context = fault.context.map(|(start, end, what)| (clamp(start, end), what.to_owned()));
        let message = fault.message.into_owned();
        self.builder.tree().errors.push(SyntaxError {
            span,
            message,
            context,
            document,
            duplicate: false,
            certain: false,
        });
        let from = fault.noticed.max(fault.start);
        let next = next_marker(self.text, from);
        let end = next.unwrap_or(self.text.len());
        self.take_comments(end);
        let span = Span::new(self.start.min(end), end);
        self.builder.tree().documents.push(Document { root: None, span, reach: span.end });
        self.reset();
        let Some(next) = next else {
            return false;
        };
        self.start = next;
        super::limit(&mut self.parser.scanner, next);
        self.parser.restart(next);
        true
    }

    fn new_entry(&mut self) -> Entry {
        let entry = u32::try_from(self.entries.len()).unwrap_or(u32::MAX);
        self.entries.push(None);
        entry
    }

    /// The entry that a node which begins now belongs to, and whether it is a key.
    fn begin_node(&mut self, event: &Event, quiet: bool) -> (Option<Entry>, bool) {
        let Some(frame) = self.frames.last() else {
            if !quiet {
                self.owners.begin(&self.parser.scanner.comments, event.first, None);
            }
            return (None, false);
        };
        let (is_map, pair) = (frame.kind.is_map(), frame.pair);
        let has_key = frame.key.is_some();
        if is_map && has_key {
            let written = !quiet && event.kind != EventKind::Scalar(Kind::Empty);
            if written || event.anchor.is_some() || event.tag.is_some() {
                self.owners.begin(&self.parser.scanner.comments, event.first, pair);
            }
            return (pair, false);
        }
        let entry = self.new_entry();
        self.owners.begin(&self.parser.scanner.comments, event.entry, Some(entry));
        if is_map {
            if let Some(frame) = self.frames.last_mut() {
                frame.pair = Some(entry);
            }
        } else if event.first > event.entry && !quiet && event.kind != EventKind::Scalar(Kind::Empty) {
            self.owners.begin(&self.parser.scanner.comments, event.first, Some(entry));
        }
        (Some(entry), is_map)
    }

    fn leaf(&mut self, event: Event) -> Result<()> {
        let (entry, is_key) = self.begin_node(&event, false);
        let span = Span::new(event.start, event.end);
        let id = match event.kind {
            EventKind::Scalar(kind) => self.builder.scalar(kind, span, event.text),
            _ => self.alias(span)?,
        };
        self.name(id, event.anchor, event.tag);
        self.place(id, event.end, entry, is_key);
        Ok(())
    }

    fn alias(&mut self, span: Span) -> Result<NodeId> {
        let name = self.text.get(span.start as usize + 1..span.end as usize).unwrap_or_default();
        match self.anchors.get(name) {
            Some(&Anchored::Node(target)) => Ok(self.builder.alias(span, target)),
            Some(Anchored::Open(_)) => {
                self.loops.push(span);
                Ok(self.builder.alias_without_target(span))
            }
            None => {
                let message = format!("no anchor `{name}` stands before this alias");
                Err(Fault::new(span.start as usize, span.end as usize, message))
            }
        }
    }

    /// Notes a node's anchor and tag.
    fn name(&mut self, id: NodeId, anchor: Option<Span>, tag: Option<(Span, Box<str>)>) {
        if let Some(span) = anchor {
            self.builder.anchor(id, span);
            let depth = self.frames.len();
            if let Some(name) = self.text.get(span.start as usize + 1..span.end as usize) {
                let named = self.anchors.entry(name).or_insert(Anchored::Node(id));
                // A collection's name may have been given anew inside of it.
                let is_leaf = self.builder.is_leaf(id);
                if is_leaf || matches!(*named, Anchored::Open(open) if open == depth) {
                    *named = Anchored::Node(id);
                }
            }
        }
        if let Some((span, name)) = tag {
            self.builder.tag(id, span, name);
        }
    }

    fn open(&mut self, kind: Kind, event: Event) {
        let block = !matches!(kind, Kind::FlowMap | Kind::FlowSeq);
        let (entry, is_key) = self.begin_node(&event, block && event.first == event.start);
        if !block {
            self.owners.open_flow(entry);
        }
        if let Some(span) = event.anchor
            && let Some(name) = self.text.get(span.start as usize + 1..span.end as usize)
        {
            self.anchors.insert(name, Anchored::Open(self.frames.len()));
        }
        let base = if kind.is_map() { self.pairs.len() } else { self.items.len() };
        self.frames.push(Frame {
            kind,
            start: event.start,
            anchor: event.anchor,
            tag: event.tag,
            base,
            entry,
            key: None,
            pair: None,
            is_key,
            end: event.start,
        });
    }

    fn close(&mut self, event: &Event) {
        let Some(frame) = self.frames.pop() else {
            return;
        };
        let flow = matches!(frame.kind, Kind::FlowMap | Kind::FlowSeq);
        let end = if flow { event.end } else { frame.end };
        if flow {
            self.owners.close_flow(&self.parser.scanner.comments, event.start);
        }
        let span = Span::new(frame.start, end);
        let id = if frame.kind.is_map() {
            let pairs = self.pairs.get(frame.base..).unwrap_or_default();
            let id = self.builder.mapping(frame.kind, span, pairs);
            self.pairs.truncate(frame.base);
            id
        } else {
            let items = self.items.get(frame.base..).unwrap_or_default();
            let id = self.builder.sequence(frame.kind, span, items);
            self.items.truncate(frame.base);
            id
        };
        self.name(id, frame.anchor, frame.tag);
        self.place(id, end, frame.entry, frame.is_key);
    }

    /// Hangs a finished node into what holds it.
    fn place(&mut self, id: NodeId, end: usize, entry: Option<Entry>, is_key: bool) {
        let Some(frame) = self.frames.last_mut() else {
            self.root = Some(id);
            return;
        };
        frame.end = end;
        if is_key {
            frame.key = Some(id);
            return;
        }
        if frame.kind.is_map() {
            if let Some(key) = frame.key.take() {
                self.pairs.push((key, id));
            }
            frame.pair = None;
        } else {
            self.items.push(id);
        }
        if let Some(slot) = entry.and_then(|entry| self.entries.get_mut(entry as usize)) {
            *slot = Some(id);
        }
        self.owners.end(end, entry);
    }
}

/// Start of the first line at or after the one `from` stands on that begins a document.
fn next_marker(text: &str, from: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut line = from;
    let at_start = |at: usize| at == 0 || matches!(bytes.get(at - 1), Some(b'\n' | b'\r'));
    if !at_start(line) {
        line = next_line(bytes, line)?;
    }
    loop {
        let rest = bytes.get(line..)?;
        if rest.starts_with(b"---") && matches!(rest.get(3), None | Some(b' ' | b'\t' | b'\n' | b'\r')) {
            return Some(line);
        }
        line = next_line(bytes, line)?;
    }
}

fn next_line(bytes: &[u8], from: usize) -> Option<usize> {
    let rest = bytes.get(from..)?;
    rest.iter().position(|byte| matches!(byte, b'\n' | b'\r')).map(|at| from + at + 1)
}

/// A span that does not cut a character.
fn char_span(text: &str, start: usize, end: usize) -> Span {
    let start = start.min(text.len());
    let mut end = end.clamp(start, text.len());
    while !text.is_char_boundary(end) {
        end += 1;
    }
    Span::new(start, end)
}
