//! A tree of masked text as one of the text itself.

use std::sync::Arc;

use super::{SyntaxError, Tree, touches};
use crate::syntax::embedded;
use crate::text::Span;

impl Tree {
    /// Puts back the text that was masked for the reader: scalars with markup in them say it, and
    /// what markup may have broken or doubled is no error.
    pub(crate) fn unmask(&mut self, text: Arc<str>, masked: Vec<Span>, statements: Vec<Span>) {
        self.text = text;
        let touched = self.nodes().filter(|node| node.kind().is_scalar() && touches(&masked, node.span()));
        let read: Vec<_> = touched.filter_map(|node| Some((node.id, embedded::text(node)?.into()))).collect();
        self.decoded.extend(read);
        let text = &self.text;
        self.errors.retain(|error| {
            let doubled = error.context.as_ref().filter(|_| error.duplicate).map(|(first, _)| *first);
            let between = doubled.map(|first| Span { start: first.start.min(error.span.start), end: error.span.end });
            !touches(&masked, doubtful(error, text)) && !between.is_some_and(|between| touches(&statements, between))
        });
        self.masked = masked;
        self.statements = statements;
    }
}

/// Where markup might mend an error: before it on its line, and behind it where that is not past help.
fn doubtful(error: &SyntaxError, text: &str) -> Span {
    let before = text.get(..error.span.start as usize).unwrap_or_default();
    let after = text.get(error.span.end as usize..).unwrap_or_default();
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    let line = after.find('\n').unwrap_or(after.len());
    let blank = after.len() - after.trim_start_matches([' ', '\t']).len();
    let reach = match (error.certain, error.span.is_empty()) {
        // Something is missing: what comes next may be it.
        (true, true) => line.min(blank + 1),
        (true, false) => 0,
        (false, _) => line,
    };
    Span::new(start, error.span.end as usize + reach)
}
