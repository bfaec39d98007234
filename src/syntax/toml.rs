//! TOML into the tree: events of `toml_parser` laid out as tables, with spans, comments and duplicates.
//!
//! GitLab Runner reads its files with BurntSushi/toml, since 1.6 in the grammar of TOML 1.1 as here;
//! before that a line break or a trailing comma in an inline table was refused.

mod comments;
mod layout;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::sync::Arc;

use toml_parser::decoder::{Encoding, ScalarKind};
use toml_parser::parser::{Event, EventKind, RecursionGuard, ValidateWhitespace, parse_document};
use toml_parser::{Expected, ParseError};

use self::comments::{Comments, Mark};
use self::layout::{Form, Item, Key, Layout, TableId};
use super::mask;
use super::{Builder, Kind, Language, SyntaxError, Tree};
use crate::text::{SourceId, Span};

/// How deep tables and arrays may nest.
pub const MAX_DEPTH: usize = 80;

const NEVER_CLOSED: &str = "is never closed";

const TOO_DEEP: &str = "nested more than 80 levels deep";

/// Reads a TOML document; several errors are reported, what could be read is in the tree. Template
/// markup is masked: what it touches is [`super::Node::is_masked`].
pub fn parse(text: Arc<str>, source: SourceId) -> Tree {
    match mask::mask(&text, Language::Toml) {
        None => read(&text, source),
        Some(masked) => {
            let mut tree = read(&masked.text.into(), source);
            tree.unmask(text, masked.spans, masked.statements);
            tree
        }
    }
}

fn read(text: &Arc<str>, source: SourceId) -> Tree {
    let mut builder = Builder::new(Language::Toml, Arc::clone(text), source);
    let input = toml_parser::Source::new(text);
    let tokens = input.lex().into_vec();
    let mut events: Vec<Event> = Vec::with_capacity(tokens.len());
    let mut faults: Vec<ParseError> = Vec::new();
    {
        let mut checked = ValidateWhitespace::new(&mut events, input);
        let mut guarded = RecursionGuard::new(&mut checked, MAX_DEPTH as u32);
        parse_document(&tokens, &mut guarded, &mut faults);
    }
    drop(tokens);
    let mut reader = Reader {
        input,
        events: events.into_iter().peekable(),
        builder: &mut builder,
        layout: Layout::default(),
        comments: Comments::default(),
        faults,
        depth: 0,
    };
    reader.document();
    let Reader { layout, comments, faults, .. } = reader;
    finish(&mut builder, layout, comments, &faults);
    builder.finish()
}

fn finish(builder: &mut Builder, layout: Layout, comments: Comments, faults: &[ParseError]) {
    let (root, mut errors, nodes) = layout.emit(builder);
    let tree = builder.tree();
    tree.documents.push(super::Document { root: Some(root), span: Span::new(0, tree.text.len()), reach: 0 });
    tree.comments = comments.resolve(&tree.text, &nodes);
    errors.extend(faults.iter().map(|fault| syntax_error(fault, &tree.text)));
    // A bracket that is never closed swallows the rest: nothing after it says anything of its own.
    if let Some(open) = faults.iter().filter_map(never_closed).min() {
        errors.retain(|error| error.span.start < open.start);
        let message = format!("this bracket {NEVER_CLOSED}");
        errors.push(SyntaxError { span: open, message, context: None, document: 0, duplicate: false, certain: false });
    }
    errors.sort_by_key(|error| error.span);
    // One fault breaks the rest of its line: what follows there says nothing of its own, nor does a key that stands twice.
    let text = &tree.text;
    let line_of = |error: &SyntaxError| {
        text.get(..error.span.start as usize).map_or(0, |before| before.rfind('\n').map_or(0, |at| at + 1))
    };
    let broken: Vec<usize> = errors.iter().filter(|error| !error.duplicate).map(line_of).collect();
    errors.retain(|error| !error.duplicate || broken.binary_search(&line_of(error)).is_err());
    errors.dedup_by(|next, first| {
        let between = text.get(first.span.start as usize..next.span.start as usize).unwrap_or_default();
        next.duplicate == first.duplicate && !between.contains('\n') && (!first.duplicate || next.span == first.span)
    });
    tree.errors = errors;
}

fn never_closed(fault: &ParseError) -> Option<Span> {
    let bracket = matches!(fault.description(), "unclosed array" | "unclosed inline table");
    fault.context().filter(|_| bracket).map(span_of)
}

fn syntax_error(fault: &ParseError, text: &str) -> SyntaxError {
    let place = fault.unexpected().or(fault.context()).map_or(Span::empty(text.len()), span_of);
    let (span, message) = match (fault.description(), fault.expected()) {
        // Where it is noticed is the end of the line or of the file; what is wrong is where it begins.
        (what, Some([Expected::Literal("\"" | "'")])) if what.ends_with("string") => {
            let open = fault.context().map_or(place.start as usize, |context| context.start());
            (Span::new(open, open + 1), format!("this string {NEVER_CLOSED}"))
        }
        ("string values must be quoted", _) => (place, unquoted(place.slice(text))),
        // A word that begins like `true`, `nan` or `inf` is no boolean and no number for that.
        ("invalid boolean" | "invalid float", _) if place.slice(text).starts_with(char::is_alphabetic) => {
            (place, unquoted(place.slice(text)))
        }
        ("cannot recurse further; max recursion depth met", _) => (place, TOO_DEEP.to_owned()),
        ("unquoted keys cannot be empty", _) => (place, "a key is missing".to_owned()),
        ("invalid unquoted key", _) => {
            (place, "a key with other characters than letters, digits, `-` and `_` must stand in quotes".to_owned())
        }
        (what, expected) => (place, in_words(what, expected.unwrap_or_default())),
    };
    let certain = !message.ends_with(NEVER_CLOSED);
    SyntaxError { span: on_characters(span, text), message, context: None, document: 0, duplicate: false, certain }
}

/// What to say of a bare word: other formats have more words for booleans, and capitals in them.
fn unquoted(word: &str) -> String {
    match word.to_ascii_lowercase().as_str() {
        "true" | "yes" | "on" => format!("`{word}` is no boolean: write `true`"),
        "false" | "no" | "off" => format!("`{word}` is no boolean: write `false`"),
        "null" | "nil" | "none" => format!("there is no `{word}`: leave the key out"),
        _ => "a text must stand in quotes".to_owned(),
    }
}

fn in_words(what: &str, expected: &[Expected]) -> String {
    let mut message = what.to_owned();
    for (index, expected) in expected.iter().enumerate() {
        message.push_str(if index == 0 { ", expected " } else { " or " });
        match expected {
            Expected::Literal("\n") => message.push_str("a line break"),
            Expected::Literal(literal) => message.push_str(&format!("`{}`", literal.escape_debug())),
            Expected::Description(words) => message.push_str(words),
            _ => message.push_str("something else"),
        }
    }
    message
}

/// A fault inside a character of several bytes covers the whole of it.
fn on_characters(span: Span, text: &str) -> Span {
    let (mut start, mut end) = (span.start as usize, (span.end as usize).min(text.len()));
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    while !text.is_char_boundary(end) {
        end += 1;
    }
    Span::new(start.min(text.len()), end)
}

fn span_of(span: toml_parser::Span) -> Span {
    Span::new(span.start(), span.end())
}

struct Reader<'t> {
    input: toml_parser::Source<'t>,
    events: std::iter::Peekable<std::vec::IntoIter<Event>>,
    builder: &'t mut Builder,
    layout: Layout,
    comments: Comments,
    faults: Vec<ParseError>,
    depth: usize,
}

impl<'t> Reader<'t> {
    fn document(&mut self) {
        let mut table = self.layout.root();
        while let Some(event) = self.events.next() {
            match event.kind() {
                EventKind::StdTableOpen | EventKind::ArrayTableOpen => {
                    if let Some(opened) = self.header(event) {
                        table = opened;
                    }
                }
                EventKind::SimpleKey => self.pair(event, table, None),
                EventKind::Comment => self.comments.push(span_of(event.span()), None),
                _ => {}
            }
        }
    }

    fn header(&mut self, open: Event) -> Option<TableId> {
        let mut path = Vec::new();
        let mut end = open.span().end();
        while let Some(event) = self.events.next_if(|event| event.kind() != EventKind::Newline) {
            match event.kind() {
                EventKind::SimpleKey => path.extend(self.key(event)),
                EventKind::StdTableClose | EventKind::ArrayTableClose => {
                    end = event.span().end();
                    break;
                }
                EventKind::Comment => {
                    self.comments.push(span_of(event.span()), None);
                    break;
                }
                _ => {}
            }
        }
        let span = Span::new(open.span().start(), end);
        if path.len() > MAX_DEPTH {
            self.too_deep(span);
            return None;
        }
        let table = self.layout.open(&path, open.kind() == EventKind::ArrayTableOpen, span)?;
        let mark = self.comments.mark(Mark { start: span.start, end: span.end, item: Item::Table(table), flow: None });
        self.comments.close(mark, span.end);
        Some(table)
    }

    /// A key with its value, in a table over lines or in an inline table (`flow`).
    fn pair(&mut self, first: Event, table: TableId, flow: Option<usize>) {
        let start = first.span().start();
        let mut path: Vec<Key> = self.key(first).into_iter().collect();
        let mut separated = false;
        while let Some(event) = self.events.next_if(|event| {
            use EventKind::{KeySep, KeyValSep, SimpleKey, Whitespace};
            matches!(event.kind(), KeySep | KeyValSep | SimpleKey | Whitespace)
        }) {
            match event.kind() {
                EventKind::SimpleKey => path.extend(self.key(event)),
                EventKind::KeyValSep => {
                    separated = true;
                    break;
                }
                _ => {}
            }
        }
        let at = path.last().map_or(start, |key| key.span.end as usize);
        let mark = self.comments.mark(Mark { start: start as u32, end: at as u32, item: Item::Table(table), flow });
        let depth = std::mem::replace(&mut self.depth, self.layout.depth(table) + path.len());
        let item = if separated { self.value(at) } else { self.nothing(at) };
        self.depth = depth;
        self.comments.set_item(mark, item);
        let end = self.end_of(item);
        self.comments.close(mark, end);
        if self.layout.depth(table) + path.len() > MAX_DEPTH {
            self.too_deep(Span::new(start, at));
        } else {
            self.layout.insert(table, &path, item);
        }
    }

    fn key(&mut self, event: Event) -> Option<Key> {
        let raw = self.input.get(event)?;
        let mut name = Cow::Borrowed("");
        raw.decode_key(&mut name, &mut self.faults);
        let span = span_of(event.span());
        if span.is_empty() {
            return None;
        }
        let decoded = event.encoding().map(|_| name.as_ref().into());
        let node = self.builder.scalar(kind_of(event.encoding()), span, decoded);
        Some(Key { node, span, name: name.into() })
    }

    fn value(&mut self, at: usize) -> Item {
        while let Some(event) = self.events.next_if(|event| {
            use EventKind::{ArrayOpen, Error, InlineTableOpen, Scalar, Whitespace};
            matches!(event.kind(), ArrayOpen | Error | InlineTableOpen | Scalar | Whitespace)
        }) {
            if let Some(item) = self.opened(event, at) {
                return item;
            }
        }
        self.nothing(at)
    }

    fn opened(&mut self, event: Event, at: usize) -> Option<Item> {
        match event.kind() {
            EventKind::Scalar if event.span().is_empty() => {
                self.faults.push(ParseError::new("missing value").with_unexpected(event.span()));
                Some(self.nothing(at))
            }
            EventKind::Scalar => Some(self.scalar(event)),
            EventKind::ArrayOpen => Some(self.array(event)),
            EventKind::InlineTableOpen => Some(self.inline_table(event)),
            _ => None,
        }
    }

    fn nothing(&mut self, at: usize) -> Item {
        Item::Node(self.builder.scalar(Kind::Empty, Span::empty(at), None))
    }

    fn scalar(&mut self, event: Event) -> Item {
        let span = span_of(event.span());
        let mut text = Cow::Borrowed("");
        if let Some(raw) = self.input.get(event) {
            let kind = raw.decode_scalar(&mut text, &mut self.faults);
            self.check(kind, &text, event);
        }
        let decoded = event.encoding().map(|_| text.as_ref().into());
        Item::Node(self.builder.scalar(kind_of(event.encoding()), span, decoded))
    }

    /// What the grammar allows and the value's type does not.
    fn check(&mut self, kind: ScalarKind, text: &str, event: Event) {
        let fault = match kind {
            ScalarKind::Integer(radix) if i64::from_str_radix(text, radix.value()).is_err() => {
                "integer does not fit in 64 bits".to_owned()
            }
            ScalarKind::DateTime => match text.parse::<toml::value::Datetime>() {
                Ok(_) => return,
                Err(error) => error.to_string(),
            },
            _ => return,
        };
        // An earlier fault of the same scalar says more.
        let told = |known: &ParseError| known.unexpected().is_some_and(|at| at.start() >= event.span().start());
        if !self.faults.last().is_some_and(told) {
            self.faults.push(ParseError::new(fault).with_unexpected(event.span()));
        }
    }

    fn array(&mut self, open: Event) -> Item {
        let array = self.layout.array();
        let mut end = open.span().end();
        let around = Mark { start: open.span().start() as u32, end: u32::MAX, item: Item::Array(array), flow: None };
        let flow = self.comments.open_flow(around);
        self.depth += 1;
        while let Some(event) = self.next_in_flow(&mut end) {
            match event.kind() {
                EventKind::Comment => self.comments.push(span_of(event.span()), Some(flow)),
                EventKind::ArrayClose => break,
                _ => {
                    let start = event.span().start() as u32;
                    let mark =
                        self.comments.mark(Mark { start, end: start, item: Item::Array(array), flow: Some(flow) });
                    if let Some(item) = self.opened(event, end) {
                        self.comments.set_item(mark, item);
                        end = self.end_of(item) as usize;
                        self.comments.close(mark, end as u32);
                        self.layout.push(array, item);
                    } else {
                        self.comments.unmark(mark);
                    }
                }
            }
        }
        self.depth -= 1;
        self.layout.close_array(array, Span::new(open.span().start(), end));
        self.comments.close_flow(flow, end as u32);
        Item::Array(array)
    }

    fn inline_table(&mut self, open: Event) -> Item {
        let table = self.layout.table(Form::Inline, self.depth);
        let mut end = open.span().end();
        let around = Mark { start: open.span().start() as u32, end: u32::MAX, item: Item::Table(table), flow: None };
        let flow = self.comments.open_flow(around);
        self.depth += 1;
        while let Some(event) = self.next_in_flow(&mut end) {
            match event.kind() {
                EventKind::Comment => self.comments.push(span_of(event.span()), Some(flow)),
                EventKind::InlineTableClose => break,
                EventKind::SimpleKey => {
                    self.pair(event, table, Some(flow));
                    end = self.comments.last_end().max(end as u32) as usize;
                }
                _ => {}
            }
        }
        self.depth -= 1;
        self.layout.close_table(table, Span::new(open.span().start(), end));
        self.comments.close_flow(flow, end as u32);
        Item::Table(table)
    }

    /// The next event inside brackets; none where a header shows that they were never closed.
    fn next_in_flow(&mut self, end: &mut usize) -> Option<Event> {
        let event = self
            .events
            .next_if(|event| !matches!(event.kind(), EventKind::StdTableOpen | EventKind::ArrayTableOpen))?;
        if !matches!(event.kind(), EventKind::Whitespace | EventKind::Newline | EventKind::Comment) {
            *end = event.span().end();
        }
        Some(event)
    }

    fn end_of(&mut self, item: Item) -> u32 {
        match item {
            Item::Node(node) => self.builder.tree().node(node).span().end,
            other => self.layout.end_of(other),
        }
    }

    fn too_deep(&mut self, span: Span) {
        let at = toml_parser::Span::new_unchecked(span.start as usize, span.end as usize);
        self.faults.push(ParseError::new(TOO_DEEP).with_unexpected(at));
    }
}

fn kind_of(encoding: Option<Encoding>) -> Kind {
    match encoding {
        None => Kind::Plain,
        Some(Encoding::LiteralString | Encoding::MlLiteralString) => Kind::SingleQuoted,
        Some(Encoding::BasicString | Encoding::MlBasicString) => Kind::DoubleQuoted,
    }
}
