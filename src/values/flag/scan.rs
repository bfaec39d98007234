//! The grammar of strvals: the text of a flag to assignments, without looking at any values.

use crate::syntax::{Builder, Kind, NodeId};
use crate::text::Span;

use super::json;
use super::{Assignment, End, FlagKind, Step, Written};

/// Reads a file for `--set-file`: its text, or what is wrong.
pub(super) type ReadFile<'a> = &'a mut dyn FnMut(&str) -> Result<String, String>;

/// Reads all assignments of `text` and fills `builder` with a node for every key and value.
pub(super) fn scan(kind: FlagKind, text: &str, builder: &mut Builder, read_file: ReadFile<'_>) -> Vec<Assignment> {
    let mut scanner = Scanner { kind, text, at: 0, builder, read_file };
    let mut assignments = Vec::new();
    let mut pairs = Vec::new();
    loop {
        let start = scanner.at;
        let raw = scanner.assignment();
        let stops = !matches!(raw.end, RawEnd::Value(_));
        let (assignment, pair) = scanner.build(raw, start);
        assignments.push(assignment);
        pairs.extend(pair);
        if stops {
            break;
        }
    }
    let root = scanner.builder.mapping(Kind::FlowMap, Span::new(0, text.len()), &pairs);
    let span = Span::new(0, text.len());
    scanner.builder.tree().documents.push(crate::syntax::Document { root: Some(root), span, reach: 0 });
    assignments
}

enum RawStep {
    Key(String, Span),
    Index(i64, Span),
}

enum RawEnd {
    Value(Written),
    /// `a=` at the very end.
    Blank(Written),
    /// The text ended; `in_index` behind an open bracket.
    Eof {
        in_index: bool,
    },
    Error(String),
}

struct Raw {
    steps: Vec<RawStep>,
    depth: usize,
    end: RawEnd,
}

struct Scanner<'a> {
    kind: FlagKind,
    text: &'a str,
    at: usize,
    builder: &'a mut Builder,
    read_file: ReadFile<'a>,
}

impl Scanner<'_> {
    fn peek(&self) -> Option<char> {
        self.text.get(self.at..)?.chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let next = self.peek()?;
        self.at += next.len_utf8();
        Some(next)
    }

    /// Text up to a stop (consumed) or the end; `\c` is c but for `--set-literal`.
    fn until(&mut self, stops: &[char]) -> (String, Span, Option<char>) {
        let start = self.at;
        let mut text = String::new();
        loop {
            let end = self.at;
            match self.next() {
                None => return (text, Span::new(start, end), None),
                Some(c) if stops.contains(&c) => return (text, Span::new(start, end), Some(c)),
                Some('\\') if self.kind != FlagKind::Literal => text.extend(self.next()),
                Some(c) => text.push(c),
            }
        }
    }

    fn assignment(&mut self) -> Raw {
        let mut raw = Raw { steps: Vec::new(), depth: 0, end: RawEnd::Eof { in_index: false } };
        let stops: &[char] = if self.kind == FlagKind::Literal { &['=', '[', '.'] } else { &['=', '[', ',', '.'] };
        loop {
            let (key, span, last) = self.until(stops);
            let no_value = format!("key {} has no value", go_quote(&key));
            let empty = key.is_empty();
            raw.steps.push(RawStep::Key(key, span));
            match last {
                None if !empty => raw.end = RawEnd::Error(no_value),
                Some(',') => raw.end = RawEnd::Error(format!("{no_value} (cannot end with ,)")),
                Some('=') => raw.end = self.value(),
                None => {}
                Some('[') if !self.indices(&mut raw) => {}
                Some('[') => continue,
                Some(_) => {
                    raw.depth += 1;
                    continue;
                }
            }
            return raw;
        }
    }

    /// Everything behind `key[`: true if a key follows, else the end is set.
    fn indices(&mut self, raw: &mut Raw) -> bool {
        loop {
            let (text, span, last) = self.until(&[']']);
            if last.is_none() {
                raw.end = RawEnd::Eof { in_index: true };
                return false;
            }
            let Ok(index) = text.parse::<i64>() else {
                let quoted = go_quote(&text);
                raw.end = RawEnd::Error(format!("error parsing index: strconv.Atoi: parsing {quoted}: invalid syntax"));
                return false;
            };
            raw.steps.push(RawStep::Index(index, span));
            if index < 0 {
                raw.end = RawEnd::Error(format!("negative {index} index not allowed"));
                return false;
            }
            let (junk, _, last) = self.until(&['[', '.', '=']);
            match last {
                _ if !junk.is_empty() => {
                    let list: Vec<String> = junk.chars().map(|c| format!("'{c}'")).collect();
                    let list = list.join(" ");
                    raw.end = RawEnd::Error(format!("unexpected data at end of array index: [{list}]"));
                    return false;
                }
                None => return false,
                Some('=') => {
                    raw.end = self.value();
                    return false;
                }
                Some('.') => return true,
                Some(_) => {}
            }
        }
    }

    fn value(&mut self) -> RawEnd {
        match self.kind {
            FlagKind::Json => self.json_value(),
            FlagKind::Literal => {
                let (text, span, _) = self.until(&[]);
                RawEnd::Value(self.scalar(text, span))
            }
            _ if self.peek().is_none() => RawEnd::Blank(self.scalar(String::new(), Span::empty(self.at))),
            _ if self.peek() == Some('{') => self.list(),
            _ => {
                let (text, span, _) = self.until(&[',']);
                match self.typed(text, span) {
                    Ok(value) => RawEnd::Value(value),
                    Err(error) => RawEnd::Error(error),
                }
            }
        }
    }

    fn json_value(&mut self) -> RawEnd {
        let start = self.at;
        if self.skip_blank() {
            let node = self.builder.scalar(Kind::Empty, Span::empty(start), None);
            return RawEnd::Value(Written::Null(node));
        }
        match json::read(self.text, self.at, self.builder) {
            Ok((value, end)) => {
                self.at = end;
                self.skip_blank();
                RawEnd::Value(value)
            }
            Err(error) => RawEnd::Error(error),
        }
    }

    /// Skips white space; true if a comma (consumed) or the end was met.
    fn skip_blank(&mut self) -> bool {
        loop {
            match self.peek() {
                None => return true,
                Some(',') => {
                    self.at += 1;
                    return true;
                }
                Some(c) if c.is_whitespace() => self.at += c.len_utf8(),
                Some(_) => return false,
            }
        }
    }

    fn list(&mut self) -> RawEnd {
        let start = self.at;
        self.next();
        let mut items = Vec::new();
        loop {
            let (text, span, last) = self.until(&[',', '}']);
            if last.is_none() {
                return RawEnd::Error("list must terminate with '}'".to_owned());
            }
            match self.typed(text, span) {
                Ok(item) => items.push(item),
                Err(error) => return RawEnd::Error(error),
            }
            if last == Some('}') {
                break;
            }
        }
        let nodes: Vec<NodeId> = items.iter().map(Written::node).collect();
        let node = self.builder.sequence(Kind::FlowSeq, Span::new(start, self.at), &nodes);
        if self.peek() == Some(',') {
            self.at += 1;
        }
        RawEnd::Value(Written::List(items, node))
    }

    /// A value by the rules of its flag.
    fn typed(&mut self, text: String, span: Span) -> Result<Written, String> {
        match self.kind {
            FlagKind::Set => Ok(self.guessed(text, span)),
            FlagKind::File => {
                let content = (self.read_file)(&text)?;
                let node = self.builder.scalar(Kind::SingleQuoted, span, Some(content.clone().into()));
                Ok(Written::String(content, node))
            }
            _ => Ok(self.scalar(text, span)),
        }
    }

    /// `--set`: booleans, null and decimal integers by their looks.
    fn guessed(&mut self, text: String, span: Span) -> Written {
        let lower = text.to_ascii_lowercase();
        let int = if text == "0" || !text.starts_with('0') { text.parse::<i64>().ok() } else { None };
        if !matches!(lower.as_str(), "true" | "false" | "null") && int.is_none() {
            return self.scalar(text, span);
        }
        let decoded = (span.slice(self.text) != text).then(|| text.clone().into());
        let node = self.builder.scalar(Kind::Plain, span, decoded);
        match (lower.as_str(), int) {
            ("null", _) => Written::Null(node),
            (_, Some(int)) => Written::Int(int, node),
            (word, None) => Written::Bool(word == "true", node),
        }
    }

    fn scalar(&mut self, text: String, span: Span) -> Written {
        let decoded = (span.slice(self.text) != text).then(|| text.clone().into());
        let node = self.builder.scalar(Kind::SingleQuoted, span, decoded);
        Written::String(text, node)
    }

    /// Nodes for the path, from the value up; gives the top pair too.
    fn build(&mut self, raw: Raw, start: usize) -> (Assignment, Option<(NodeId, NodeId)>) {
        let (end, mut node) = match raw.end {
            RawEnd::Value(value) => {
                let node = value.node();
                (End::Value(value), node)
            }
            RawEnd::Blank(value) => {
                let node = value.node();
                (End::Blank(value), node)
            }
            other => {
                let node = self.builder.scalar(Kind::Empty, Span::empty(self.at), None);
                let end = match other {
                    RawEnd::Error(error) => End::Error(error),
                    RawEnd::Eof { in_index } => End::Eof { in_index },
                    RawEnd::Value(value) | RawEnd::Blank(value) => End::Value(value),
                };
                (end, node)
            }
        };
        let mut steps = Vec::with_capacity(raw.steps.len());
        let mut pair = None;
        let last = raw.steps.len();
        for (from_top, step) in raw.steps.into_iter().enumerate().rev() {
            match step {
                RawStep::Key(key, span) => {
                    let decoded = (span.slice(self.text) != key).then(|| key.clone().into());
                    let key_node = self.builder.scalar(Kind::SingleQuoted, span, decoded);
                    steps.push(Step::Key(key, node));
                    if from_top == 0 {
                        pair = Some((key_node, node));
                    } else {
                        let whole = Span::new(span.start as usize, self.at);
                        node = self.builder.mapping(Kind::FlowMap, whole, &[(key_node, node)]);
                    }
                }
                RawStep::Index(index, span) => {
                    steps.push(Step::Index(index, node));
                    let whole = Span::new(span.start as usize, self.at);
                    node = self.builder.sequence(Kind::FlowSeq, whole, &[node]);
                }
            }
        }
        steps.reverse();
        // A text that ended before anything was written adds no pair.
        let nothing = last == 1 && start == self.at;
        (Assignment { steps, depth: raw.depth, end }, pair.filter(|_| !nothing))
    }
}

/// A string as Go's `%q` prints it.
pub(crate) fn go_quote(text: &str) -> String {
    format!("{text:?}")
}
