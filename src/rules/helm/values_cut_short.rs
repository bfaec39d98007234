//! Helm stops reading a values file without a word, and the rest is lost.

use crate::rule::Checker;
use crate::syntax::{Kind, Tree};
use crate::text::Span;
use crate::view::Stack;

pub(crate) fn check(stack: &Stack<'_>, checker: &mut Checker<'_>) {
    for &file in &stack.files {
        let Some(tree) = checker.trees().get(file) else { continue };
        for (document, start) in tree.run_on() {
            let span = first_word(tree, start);
            let word = span.slice(&tree.text).trim_matches(['{', '"', '\'']);
            let message = format!("Helm stops reading before `{word}`: it and what follows is lost");
            let mut finding = checker.report_span(file, span, message);
            let (last, why, help) = cause(tree, document);
            finding.related_span(tree, last, why).help(help);
        }
    }
}

/// What ended the document before, why, and what to do.
fn cause(tree: &Tree, document: usize) -> (Span, &'static str, &'static str) {
    let before = document.checked_sub(1).and_then(|before| tree.documents.get(before));
    let root = before.and_then(|before| before.root).map(|root| tree.node(root));
    let end = root.map_or(0, |root| root.span().end);
    let begin = tree.documents.get(document).map_or(end, |document| document.span.start).max(end);
    let between = Span { start: end, end: begin + 4 }.slice(&tree.text);
    if let Some(dots) = between.find("\n...").map(|at| end as usize + at + 1) {
        return (Span::new(dots, dots + 3), "this ends the document", "remove the `...`");
    }
    match root {
        Some(root) if root.kind() == Kind::FlowMap => {
            let close = Span { start: end.saturating_sub(1), end };
            (close, "this closes the mapping that holds all values", "put all values into one mapping")
        }
        Some(root) => {
            let first = root.children().next().and_then(|value| value.key()).unwrap_or(root);
            (first.span(), "the values began here, further right", "indent all keys of the top alike")
        }
        None => (Span { start: end, end }, "the values ended here", "put all values into one mapping"),
    }
}

fn first_word(tree: &Tree, start: u32) -> Span {
    let text = tree.text.get(start as usize..).unwrap_or_default();
    let line = text.lines().next().unwrap_or_default();
    let end = line.find(|c: char| c == ':' || c.is_whitespace()).unwrap_or(line.len());
    Span::new(start as usize, start as usize + end.max(1).min(line.len()))
}
