//! JSON with a node for every value, as Go's decoder reads it.

use crate::syntax::{Builder, Kind, NodeId};
use crate::text::Span;

use super::Written;

/// Deeper than this is refused; Go stops at 10,000.
const MAX_DEPTH: usize = 500;

/// Reads one value at byte `at`; gives the offset behind it.
pub(super) fn read(text: &str, at: usize, builder: &mut Builder) -> Result<(Written, usize), String> {
    let mut reader = Reader { text, at, builder };
    let value = reader.value(0)?;
    Ok((value, reader.at))
}

/// Reads a text that is one value and nothing else.
pub(super) fn read_whole(text: &str, builder: &mut Builder) -> Result<Written, String> {
    let (value, end) = read(text, 0, builder)?;
    let rest = text.get(end..).unwrap_or_default();
    if rest.trim().is_empty() { Ok(value) } else { Err("invalid character after top-level value".to_owned()) }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    builder: &'a mut Builder,
}

impl Reader<'_> {
    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn skip(&mut self) {
        self.at += self.rest().bytes().take_while(|b| matches!(b, b' ' | b'\t' | b'\n' | b'\r')).count();
    }

    fn eat(&mut self, c: char) -> bool {
        self.skip();
        let found = self.rest().starts_with(c);
        if found {
            self.at += c.len_utf8();
        }
        found
    }

    fn unexpected(&self) -> String {
        match self.rest().chars().next() {
            Some(c) => format!("invalid character '{c}' looking for beginning of value"),
            None => "unexpected end of JSON input".to_owned(),
        }
    }

    fn value(&mut self, depth: usize) -> Result<Written, String> {
        self.skip();
        if depth > MAX_DEPTH {
            return Err("exceeded max depth".to_owned());
        }
        match self.rest().bytes().next() {
            Some(b'{') => self.object(depth),
            Some(b'[') => self.array(depth),
            Some(b'"') => {
                let (text, node) = self.string()?;
                Ok(Written::String(text, node))
            }
            _ => self.word(),
        }
    }

    fn word(&mut self) -> Result<Written, String> {
        let start = self.at;
        let len = self.rest().bytes().take_while(|b| b.is_ascii_alphanumeric() || b"+-.".contains(b)).count();
        let span = Span::new(start, start + len);
        let word = span.slice(self.text);
        let number = serde_json::from_str::<serde_json::Number>(word).ok().and_then(|n| n.as_f64());
        if !matches!(word, "null" | "true" | "false") && number.is_none() {
            return Err(self.unexpected());
        }
        self.at += len;
        let node = self.builder.scalar(Kind::Plain, span, None);
        Ok(match (word, number) {
            (_, Some(number)) => Written::Float(number, node),
            ("null", None) => Written::Null(node),
            (word, None) => Written::Bool(word == "true", node),
        })
    }

    fn string(&mut self) -> Result<(String, NodeId), String> {
        let start = self.at;
        let mut escaped = true;
        let len = self.rest().bytes().position(|byte| {
            let ends = byte == b'"' && !escaped;
            escaped = byte == b'\\' && !escaped;
            ends
        });
        let Some(len) = len else {
            return Err("unexpected end of JSON input".to_owned());
        };
        let span = Span::new(start, start + len + 1);
        let text: String = serde_json::from_str(span.slice(self.text)).map_err(|error| error.to_string())?;
        self.at = span.end as usize;
        let node = self.builder.scalar(Kind::DoubleQuoted, span, Some(text.clone().into()));
        Ok((text, node))
    }

    fn array(&mut self, depth: usize) -> Result<Written, String> {
        let start = self.at;
        self.eat('[');
        let mut items = Vec::new();
        if !self.eat(']') {
            loop {
                items.push(self.value(depth + 1)?);
                if self.eat(']') {
                    break;
                }
                if !self.eat(',') {
                    return Err(self.unexpected());
                }
            }
        }
        let nodes: Vec<NodeId> = items.iter().map(Written::node).collect();
        let node = self.builder.sequence(Kind::FlowSeq, Span::new(start, self.at), &nodes);
        Ok(Written::List(items, node))
    }

    fn object(&mut self, depth: usize) -> Result<Written, String> {
        let start = self.at;
        self.eat('{');
        let mut entries = Vec::new();
        let mut pairs = Vec::new();
        if !self.eat('}') {
            loop {
                self.skip();
                if !self.rest().starts_with('"') {
                    return Err(self.unexpected());
                }
                let (key, key_node) = self.string()?;
                if !self.eat(':') {
                    return Err(self.unexpected());
                }
                let value = self.value(depth + 1)?;
                pairs.push((key_node, value.node()));
                entries.push((key, value));
                if self.eat('}') {
                    break;
                }
                if !self.eat(',') {
                    return Err(self.unexpected());
                }
            }
        }
        let node = self.builder.mapping(Kind::FlowMap, Span::new(start, self.at), &pairs);
        Ok(Written::Map(entries, node))
    }
}
