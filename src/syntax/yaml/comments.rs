//! Which node a comment belongs to.

use super::scanner::RawComment;
use crate::syntax::{Comment, NodeId, Place};
use crate::text::Span;

/// Number of an entry (pair or item) in its document; its node is known later.
pub(super) type Entry = u32;

/// A comment whose owner is known by number.
#[derive(Debug)]
struct Settled {
    span: Span,
    place: Place,
    owner: Option<Entry>,
}

/// A flow collection that is open.
#[derive(Debug)]
struct Flow {
    holder: Option<Entry>,
    /// Start of the entry, or value of one, that began last in it.
    last: Option<(usize, Entry)>,
}

/// Gives comments to entries while a document goes by.
#[derive(Debug, Default)]
pub(super) struct Owners {
    /// Comments before this one are settled.
    next: usize,
    /// The entry that began last outside of flow collections.
    last: Option<(usize, Entry)>,
    flows: Vec<Flow>,
    /// End and entry of the value that ended last, the outermost one.
    ended: Option<(usize, Entry)>,
    settled: Vec<Settled>,
}

impl Owners {
    /// An entry, or the value of one, begins at `start`.
    pub(super) fn begin(&mut self, raw: &[RawComment], start: usize, entry: Option<Entry>) {
        self.settle(raw, start, Place::Before, entry);
        let last = entry.map(|entry| (start, entry));
        match self.flows.last_mut() {
            Some(flow) => flow.last = last,
            None => self.last = last,
        }
    }

    /// A flow collection that `holder` holds was opened.
    pub(super) fn open_flow(&mut self, holder: Option<Entry>) {
        self.flows.push(Flow { holder, last: None });
    }

    /// The innermost flow collection is closed by the bracket at `bracket`.
    pub(super) fn close_flow(&mut self, raw: &[RawComment], bracket: usize) {
        let holder = self.flows.last().and_then(|flow| flow.holder);
        self.settle(raw, bracket, Place::End, holder);
        self.flows.pop();
    }

    /// A value ended.
    pub(super) fn end(&mut self, end: usize, entry: Option<Entry>) {
        if let Some(entry) = entry
            && self.ended.is_none_or(|(last, _)| last <= end)
        {
            self.ended = Some((end, entry));
        }
    }

    /// Settles what stands before `until`.
    fn settle(&mut self, raw: &[RawComment], until: usize, place: Place, owner: Option<Entry>) {
        while let Some(comment) = raw.get(self.next).filter(|comment| comment.start < until) {
            self.next += 1;
            let span = Span::new(comment.start, comment.end);
            self.settled.push(if comment.alone {
                Settled { span, place, owner }
            } else {
                Settled { span, place: Place::EndOfLine, owner: self.owner_of_line(comment) }
            });
        }
    }

    fn owner_of_line(&self, comment: &RawComment) -> Option<Entry> {
        let began = self.flows.iter().rev().map(|flow| flow.last).chain([self.last]).flatten().next();
        let on_line = |&(at, _): &(usize, Entry)| at >= comment.line_start;
        began
            .filter(on_line)
            .or(self.ended.filter(on_line))
            .map(|(_, entry)| entry)
            .or_else(|| self.flows.last().and_then(|flow| flow.holder))
    }

    /// Ends the document at `end` and hands its comments out.
    pub(super) fn finish(
        &mut self,
        raw: &[RawComment],
        end: usize,
        document: usize,
        nodes: &[Option<NodeId>],
    ) -> impl Iterator<Item = Comment> {
        self.settle(raw, end, Place::End, None);
        self.last = None;
        self.flows.clear();
        self.ended = None;
        let node = |entry: Entry| nodes.get(entry as usize).copied().flatten();
        let comments: Vec<Comment> = self
            .settled
            .drain(..)
            .map(|Settled { span, place, owner }| Comment { span, place, owner: owner.and_then(node), document })
            .collect();
        comments.into_iter()
    }
}
