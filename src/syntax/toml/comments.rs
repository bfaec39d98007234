//! Which entry a comment belongs to: by the convention of the YAML reader.

use super::layout::{Item, Nodes};
use crate::syntax::{Comment, Place};
use crate::text::Span;

/// Something that begins in the text: a pair, a header, an item, a bracket.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mark {
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) item: Item,
    /// The bracket around it, as an index into `flows`.
    pub(super) flow: Option<usize>,
}

#[derive(Debug)]
struct Raw {
    span: Span,
    flow: Option<usize>,
    /// How many marks were begun, how many ended before it.
    begun: usize,
    closed: usize,
}

/// Comments and what they may belong to, gathered while reading.
#[derive(Debug, Default)]
pub(super) struct Comments {
    raw: Vec<Raw>,
    marks: Vec<Mark>,
    flows: Vec<Mark>,
    /// `(end, item)` in the order of closing.
    closed: Vec<(u32, Item)>,
}

impl Comments {
    pub(super) fn push(&mut self, span: Span, flow: Option<usize>) {
        self.raw.push(Raw { span, flow, begun: self.marks.len(), closed: self.closed.len() });
    }

    pub(super) fn mark(&mut self, mark: Mark) -> usize {
        self.marks.push(mark);
        self.marks.len() - 1
    }

    pub(super) fn unmark(&mut self, mark: usize) {
        self.marks.truncate(mark);
    }

    pub(super) fn set_item(&mut self, mark: usize, item: Item) {
        if let Some(mark) = self.marks.get_mut(mark) {
            mark.item = item;
        }
    }

    pub(super) fn close(&mut self, mark: usize, end: u32) {
        if let Some(mark) = self.marks.get_mut(mark) {
            mark.end = end;
            self.closed.push((end, mark.item));
        }
    }

    pub(super) fn last_end(&self) -> u32 {
        self.closed.last().map_or(0, |&(end, _)| end)
    }

    pub(super) fn open_flow(&mut self, flow: Mark) -> usize {
        self.flows.push(flow);
        self.flows.len() - 1
    }

    pub(super) fn close_flow(&mut self, flow: usize, end: u32) {
        if let Some(flow) = self.flows.get_mut(flow) {
            flow.end = end;
        }
    }

    pub(super) fn resolve(self, text: &str, nodes: &Nodes) -> Vec<Comment> {
        let owned = self.raw.iter().map(|raw| {
            let before = text.get(..raw.span.start as usize).unwrap_or_default();
            let line = before.rfind(['\n', '\r']).map_or(0, |at| at + 1);
            let alone = before.get(line..).unwrap_or_default().trim_start_matches('\u{feff}').trim().is_empty();
            let (place, item) =
                if alone { self.alone(raw) } else { (Place::EndOfLine, self.on_line(raw, line as u32)) };
            Comment { span: raw.span, place, owner: item.and_then(|item| nodes.get(item)), document: 0 }
        });
        owned.collect()
    }

    fn alone(&self, raw: &Raw) -> (Place, Option<Item>) {
        let around = raw.flow.and_then(|flow| self.flows.get(flow));
        match self.marks.get(raw.begun) {
            Some(next) if around.is_none_or(|around| next.start < around.end) => (Place::Before, Some(next.item)),
            _ => (Place::End, around.map(|around| around.item)),
        }
    }

    fn on_line(&self, raw: &Raw, line: u32) -> Option<Item> {
        let begun = self.marks.get(..raw.begun).unwrap_or_default().iter().rev();
        let open =
            |mark: &&Mark| mark.flow.and_then(|flow| self.flows.get(flow)).is_none_or(|flow| flow.end > raw.span.start);
        if let Some(mark) = begun.take_while(|mark| mark.start >= line).find(open) {
            return Some(mark.item);
        }
        // What closes later is further out.
        match self.closed.get(..raw.closed).and_then(<[_]>::last) {
            Some(&(end, item)) if end > line => Some(item),
            _ => raw.flow.and_then(|flow| self.flows.get(flow)).map(|flow| flow.item),
        }
    }
}
