//! Tokens to events: go-yaml's state machine, its oddities kept.

use super::scanner::Scanner;
use super::token::{Fault, Result, Token, TokenKind};
use crate::syntax::Kind;
use crate::text::Span;

/// What an event is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum EventKind {
    StreamEnd,
    DocumentStart,
    DocumentEnd,
    Alias,
    Scalar(Kind),
    /// A sequence or mapping begins.
    Start(Kind),
    End,
}

/// A step of a document; offsets are bytes.
#[derive(Debug)]
pub(super) struct Event {
    pub(super) kind: EventKind,
    /// The node itself, without anchor and tag.
    pub(super) start: usize,
    pub(super) end: usize,
    /// Where the node begins, anchor and tag included.
    pub(super) first: usize,
    /// Where the entry begins: its `-` or `?`, else the node.
    pub(super) entry: usize,
    pub(super) anchor: Option<Span>,
    pub(super) tag: Option<(Span, Box<str>)>,
    pub(super) text: Option<Box<str>>,
}

impl Event {
    fn new(kind: EventKind, start: usize, end: usize) -> Self {
        Self { kind, start, end, first: start, entry: start, anchor: None, tag: None, text: None }
    }
}

/// What is expected next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    ImplicitDocumentStart,
    DocumentStart,
    DocumentContent,
    DocumentEnd,
    BlockNode,
    BlockSequenceFirst,
    BlockSequenceEntry,
    IndentlessEntry,
    BlockMappingFirst,
    BlockMappingKey,
    BlockMappingValue,
    FlowSequenceFirst,
    FlowSequenceEntry,
    PairKey,
    PairValue,
    PairEnd,
    FlowMappingFirst,
    FlowMappingKey,
    FlowMappingValue,
    FlowMappingEmptyValue,
    End,
}

/// The parser.
#[derive(Debug)]
pub(super) struct Parser<'t> {
    pub(super) scanner: Scanner<'t>,
    state: State,
    states: Vec<State>,
    /// Where the open collections begin.
    marks: Vec<usize>,
    /// `%TAG` handles of the document: handle and prefix.
    handles: Vec<(Box<str>, Box<str>)>,
    /// Start of the `-` or `?` that the next node belongs to.
    entry: Option<usize>,
    /// End of what was read last.
    last: usize,
}

impl<'t> Parser<'t> {
    pub(super) fn new(scanner: Scanner<'t>) -> Self {
        Self {
            scanner,
            state: State::ImplicitDocumentStart,
            states: Vec::new(),
            marks: Vec::new(),
            handles: Vec::new(),
            entry: None,
            last: 0,
        }
    }

    /// Starts anew at a `---` line.
    pub(super) fn restart(&mut self, pos: usize) {
        self.scanner.restart(pos);
        self.state = State::DocumentStart;
        self.states.clear();
        self.marks.clear();
        self.handles.clear();
        self.entry = None;
    }

    /// The next event.
    pub(super) fn next(&mut self) -> Result<Event> {
        match self.state {
            State::ImplicitDocumentStart => self.document_start(true),
            State::DocumentStart => self.document_start(false),
            State::DocumentContent => self.document_content(),
            State::DocumentEnd => self.document_end(),
            State::BlockNode => self.node(true, false),
            State::BlockSequenceFirst => self.block_sequence_entry(true),
            State::BlockSequenceEntry => self.block_sequence_entry(false),
            State::IndentlessEntry => self.indentless_entry(),
            State::BlockMappingFirst => self.block_mapping_key(true),
            State::BlockMappingKey => self.block_mapping_key(false),
            State::BlockMappingValue => self.block_mapping_value(),
            State::FlowSequenceFirst => self.flow_sequence_entry(true),
            State::FlowSequenceEntry => self.flow_sequence_entry(false),
            State::PairKey => self.pair_key(),
            State::PairValue => self.pair_value(),
            State::PairEnd => {
                self.state = State::FlowSequenceEntry;
                Ok(Event::new(EventKind::End, self.last, self.last))
            }
            State::FlowMappingFirst => self.flow_mapping_key(true),
            State::FlowMappingKey => self.flow_mapping_key(false),
            State::FlowMappingValue => self.flow_mapping_value(false),
            State::FlowMappingEmptyValue => self.flow_mapping_value(true),
            State::End => Ok(Event::new(EventKind::StreamEnd, self.last, self.last)),
        }
    }

    fn document_start(&mut self, implicit: bool) -> Result<Event> {
        if !implicit {
            while self.scanner.peek_kind()? == TokenKind::DocumentEnd {
                self.scanner.take()?;
            }
        }
        let (kind, start) = self.peek()?;
        let explicit = matches!(
            kind,
            TokenKind::VersionDirective(..)
                | TokenKind::TagDirective(_)
                | TokenKind::DocumentStart
                | TokenKind::StreamEnd
        );
        if implicit && !explicit {
            self.directives()?;
            self.states.push(State::DocumentEnd);
            self.state = State::BlockNode;
            return Ok(Event::new(EventKind::DocumentStart, start, start));
        }
        if kind == TokenKind::StreamEnd {
            self.state = State::End;
            return Ok(Event::new(EventKind::StreamEnd, start, start));
        }
        self.directives()?;
        if self.scanner.peek_kind()? != TokenKind::DocumentStart {
            return Err(self.unexpected("a new document needs a `---` line")?);
        }
        self.states.push(State::DocumentEnd);
        self.state = State::DocumentContent;
        let token = self.scanner.take()?;
        self.last = token.end;
        Ok(Event::new(EventKind::DocumentStart, start, token.end))
    }

    fn peek(&mut self) -> Result<(TokenKind, usize)> {
        let token = self.scanner.peek()?;
        Ok((token.kind, token.start))
    }

    /// A fault of the next token.
    fn unexpected(&mut self, message: &'static str) -> Result<Fault> {
        let token = self.scanner.peek()?;
        Ok(Fault::new(token.start, token.end, message))
    }

    /// The same, with the collection that is open.
    fn unexpected_in(&mut self, message: &'static str, what: &'static str) -> Result<Event> {
        let fault = self.unexpected(message)?;
        let open = self.marks.last().copied().unwrap_or(0);
        Err(fault.within(open, open + 1, what))
    }

    fn directives(&mut self) -> Result<()> {
        self.handles.clear();
        let mut version = false;
        loop {
            match self.scanner.peek_kind()? {
                TokenKind::VersionDirective(major, minor) => {
                    if version {
                        return Err(self.unexpected("a second `%YAML` directive")?);
                    }
                    if (major, minor) != (1, 1) {
                        return Err(self.unexpected("only `%YAML 1.1` can be read")?);
                    }
                    version = true;
                }
                TokenKind::TagDirective(index) => {
                    let directive = self.scanner.tag_directives.get(index as usize).cloned().unwrap_or_default();
                    if self.handles.iter().any(|(handle, _)| *handle == directive.0) {
                        return Err(self.unexpected("a second `%TAG` directive for this handle")?);
                    }
                    self.handles.push(directive);
                }
                _ => return Ok(()),
            }
            self.scanner.take()?;
        }
    }

    fn document_content(&mut self) -> Result<Event> {
        match self.scanner.peek_kind()? {
            TokenKind::VersionDirective(..)
            | TokenKind::TagDirective(_)
            | TokenKind::DocumentStart
            | TokenKind::DocumentEnd
            | TokenKind::StreamEnd => {
                self.pop_state();
                Ok(self.empty(self.last))
            }
            _ => self.node(true, false),
        }
    }

    fn document_end(&mut self) -> Result<Event> {
        let (kind, start) = self.peek()?;
        if kind == TokenKind::DocumentEnd {
            self.scanner.take()?;
        }
        self.handles.clear();
        self.state = State::DocumentStart;
        Ok(Event::new(EventKind::DocumentEnd, start, start))
    }

    fn pop_state(&mut self) {
        self.state = self.states.pop().unwrap_or(State::End);
    }

    /// A scalar that was not written.
    fn empty(&mut self, at: usize) -> Event {
        self.last = at;
        let mut event = Event::new(EventKind::Scalar(Kind::Empty), at, at);
        event.entry = self.entry.take().unwrap_or(at);
        event
    }

    fn node_then(&mut self, then: State, block: bool, indentless: bool) -> Result<Event> {
        self.states.push(then);
        self.node(block, indentless)
    }

    fn node(&mut self, block: bool, indentless: bool) -> Result<Event> {
        let (kind, first) = self.peek()?;
        let mut event = Event::new(EventKind::Alias, first, first);
        event.entry = self.entry.take().unwrap_or(first);
        if kind == TokenKind::Alias {
            let token = self.scanner.take()?;
            self.pop_state();
            self.last = token.end;
            event.end = token.end;
            return Ok(event);
        }
        if matches!(kind, TokenKind::Anchor | TokenKind::Tag(_)) {
            self.properties(&mut event)?;
        }
        self.content(event, block, indentless)
    }

    /// An anchor and a tag, in any order.
    fn properties(&mut self, event: &mut Event) -> Result<()> {
        loop {
            match self.scanner.peek_kind()? {
                TokenKind::Anchor if event.anchor.is_none() => {
                    let token = self.scanner.take()?;
                    event.anchor = Some(Span::new(token.start, token.end));
                    self.last = token.end;
                }
                TokenKind::Tag(handle) if event.tag.is_none() => {
                    let token = self.scanner.take()?;
                    self.last = token.end;
                    event.tag = Some((Span::new(token.start, token.end), self.full_tag(&token, handle as usize)?));
                }
                _ => return Ok(()),
            }
        }
    }

    /// The tag with its handle replaced.
    fn full_tag(&self, token: &Token, handle_len: usize) -> Result<Box<str>> {
        let suffix = token.text.as_deref().unwrap_or_default();
        if handle_len == 0 {
            return Ok(suffix.into());
        }
        let handle = self.scanner.cursor.slice(token.start, token.start + handle_len);
        let own = self.handles.iter().find(|(own, _)| **own == *handle).map(|(_, prefix)| &**prefix);
        let prefix = own.or(match handle {
            "!" => Some("!"),
            "!!" => Some("tag:yaml.org,2002:"),
            _ => None,
        });
        let Some(prefix) = prefix else {
            return Err(Fault::new(token.start, token.end, "a tag with a handle that no `%TAG` defines"));
        };
        Ok(format!("{prefix}{suffix}").into())
    }

    fn content(&mut self, mut event: Event, block: bool, indentless: bool) -> Result<Event> {
        let (kind, start) = self.peek()?;
        event.start = start;
        let collection = match kind {
            TokenKind::BlockEntry if indentless => Some((State::IndentlessEntry, Kind::BlockSeq)),
            TokenKind::Scalar(kind) => {
                let token = self.scanner.take()?;
                self.pop_state();
                self.last = token.end;
                event.kind = EventKind::Scalar(kind);
                event.end = token.end;
                event.text = token.text;
                return Ok(event);
            }
            TokenKind::FlowSequenceStart => Some((State::FlowSequenceFirst, Kind::FlowSeq)),
            TokenKind::FlowMappingStart => Some((State::FlowMappingFirst, Kind::FlowMap)),
            TokenKind::BlockSequenceStart if block => Some((State::BlockSequenceFirst, Kind::BlockSeq)),
            TokenKind::BlockMappingStart if block => Some((State::BlockMappingFirst, Kind::BlockMap)),
            _ => None,
        };
        if let Some((state, kind)) = collection {
            self.state = state;
            event.kind = EventKind::Start(kind);
            event.end = start;
            return Ok(event);
        }
        if event.anchor.is_some() || event.tag.is_some() {
            self.pop_state();
            event.kind = EventKind::Scalar(Kind::Empty);
            (event.start, event.end) = (self.last, self.last);
            return Ok(event);
        }
        let what = if block { "in the block" } else { "in the brackets" };
        let fault = self.unexpected("a value should stand here")?;
        Err(match self.marks.last() {
            Some(&open) => fault.within(open, open + 1, what),
            None => fault,
        })
    }

    /// Leaves a collection whose last token may be its bracket.
    fn close(&mut self) -> Result<Event> {
        let token = self.scanner.take()?;
        self.pop_state();
        self.marks.pop();
        if matches!(token.kind, TokenKind::FlowSequenceEnd | TokenKind::FlowMappingEnd) {
            self.last = token.end;
        }
        Ok(Event::new(EventKind::End, token.start, self.last))
    }

    fn block_sequence_entry(&mut self, first: bool) -> Result<Event> {
        if first {
            self.open()?;
        }
        match self.scanner.peek_kind()? {
            TokenKind::BlockEntry => {
                let dash = self.scanner.take()?;
                self.entry = Some(dash.start);
                if matches!(self.scanner.peek_kind()?, TokenKind::BlockEntry | TokenKind::BlockEnd) {
                    self.state = State::BlockSequenceEntry;
                    return Ok(self.empty(dash.end));
                }
                self.node_then(State::BlockSequenceEntry, true, false)
            }
            TokenKind::BlockEnd => self.close(),
            _ => self.unexpected_in("a `-` should stand here", "in the list that begins here"),
        }
    }

    /// Takes the token that opens a collection.
    fn open(&mut self) -> Result<()> {
        let token = self.scanner.take()?;
        self.marks.push(token.start);
        Ok(())
    }

    fn indentless_entry(&mut self) -> Result<Event> {
        if self.scanner.peek_kind()? != TokenKind::BlockEntry {
            self.pop_state();
            return Ok(Event::new(EventKind::End, self.last, self.last));
        }
        let dash = self.scanner.take()?;
        self.entry = Some(dash.start);
        if matches!(
            self.scanner.peek_kind()?,
            TokenKind::BlockEntry | TokenKind::Key | TokenKind::Value | TokenKind::BlockEnd
        ) {
            self.state = State::IndentlessEntry;
            return Ok(self.empty(dash.end));
        }
        self.node_then(State::IndentlessEntry, true, false)
    }

    fn block_mapping_key(&mut self, first: bool) -> Result<Event> {
        if first {
            self.open()?;
        }
        match self.scanner.peek_kind()? {
            TokenKind::Key => {
                let key = self.scanner.take()?;
                self.entry = Some(key.start);
                if is_block_mapping_gap(self.scanner.peek_kind()?) {
                    self.state = State::BlockMappingValue;
                    return Ok(self.empty(key.end));
                }
                self.node_then(State::BlockMappingValue, true, true)
            }
            TokenKind::BlockEnd => self.close(),
            _ => self.unexpected_in("a key should stand here", "in the mapping that begins here"),
        }
    }

    fn block_mapping_value(&mut self) -> Result<Event> {
        if self.scanner.peek_kind()? != TokenKind::Value {
            self.state = State::BlockMappingKey;
            return Ok(self.empty(self.last));
        }
        let colon = self.scanner.take()?;
        if is_block_mapping_gap(self.scanner.peek_kind()?) {
            self.state = State::BlockMappingKey;
            return Ok(self.empty(colon.end));
        }
        self.node_then(State::BlockMappingKey, true, true)
    }

    fn flow_sequence_entry(&mut self, first: bool) -> Result<Event> {
        if first {
            self.open()?;
        }
        let mut kind = self.scanner.peek_kind()?;
        if kind == TokenKind::FlowSequenceEnd {
            return self.close();
        }
        if !first {
            if kind != TokenKind::FlowEntry {
                return self.unexpected_in("a `,` or `]` should stand here", "the bracket was opened here");
            }
            self.scanner.take()?;
            kind = self.scanner.peek_kind()?;
        }
        match kind {
            TokenKind::Key => {
                let key = self.scanner.take()?;
                self.state = State::PairKey;
                self.entry = Some(key.start);
                Ok(Event::new(EventKind::Start(Kind::FlowPair), key.start, key.start))
            }
            TokenKind::FlowSequenceEnd => self.close(),
            _ => self.node_then(State::FlowSequenceEntry, false, false),
        }
    }

    fn pair_key(&mut self) -> Result<Event> {
        if matches!(self.scanner.peek_kind()?, TokenKind::Value | TokenKind::FlowEntry | TokenKind::FlowSequenceEnd) {
            // go-yaml takes the token here and so loses it.
            let token = self.scanner.take()?;
            self.state = State::PairValue;
            return Ok(self.empty(token.start));
        }
        self.node_then(State::PairValue, false, false)
    }

    fn pair_value(&mut self) -> Result<Event> {
        let mut at = self.last;
        if self.scanner.peek_kind()? == TokenKind::Value {
            at = self.scanner.take()?.end;
            if !matches!(self.scanner.peek_kind()?, TokenKind::FlowEntry | TokenKind::FlowSequenceEnd) {
                return self.node_then(State::PairEnd, false, false);
            }
        }
        self.state = State::PairEnd;
        Ok(self.empty(at))
    }

    fn flow_mapping_key(&mut self, first: bool) -> Result<Event> {
        if first {
            self.open()?;
        }
        let mut kind = self.scanner.peek_kind()?;
        if kind == TokenKind::FlowMappingEnd {
            return self.close();
        }
        if !first {
            if kind != TokenKind::FlowEntry {
                return self.unexpected_in("a `,` or `}` should stand here", "the brace was opened here");
            }
            self.scanner.take()?;
            kind = self.scanner.peek_kind()?;
        }
        match kind {
            TokenKind::Key => {
                let key = self.scanner.take()?;
                self.entry = Some(key.start);
                if matches!(
                    self.scanner.peek_kind()?,
                    TokenKind::Value | TokenKind::FlowEntry | TokenKind::FlowMappingEnd
                ) {
                    self.state = State::FlowMappingValue;
                    return Ok(self.empty(key.end));
                }
                self.node_then(State::FlowMappingValue, false, false)
            }
            TokenKind::FlowMappingEnd => self.close(),
            _ => self.node_then(State::FlowMappingEmptyValue, false, false),
        }
    }

    fn flow_mapping_value(&mut self, empty: bool) -> Result<Event> {
        let mut at = self.last;
        if !empty && self.scanner.peek_kind()? == TokenKind::Value {
            at = self.scanner.take()?.end;
            if !matches!(self.scanner.peek_kind()?, TokenKind::FlowEntry | TokenKind::FlowMappingEnd) {
                return self.node_then(State::FlowMappingKey, false, false);
            }
        }
        // go-yaml looks at the next token first.
        self.scanner.peek_kind()?;
        self.state = State::FlowMappingKey;
        Ok(self.empty(at))
    }
}

fn is_block_mapping_gap(kind: TokenKind) -> bool {
    matches!(kind, TokenKind::Key | TokenKind::Value | TokenKind::BlockEnd)
}
