//! Runner TOML that does not parse.

use crate::rule::Checker;
use crate::syntax::Tree;
use crate::text::Span;
use crate::view::RunnerConfig;

pub(crate) fn check(config: &RunnerConfig<'_>, checker: &mut Checker<'_>) {
    let Some(tree) = checker.trees().get(config.tree) else { return };
    for error in tree.errors.iter().filter(|error| !error.duplicate) {
        let help = if is_folded(tree, error.span, checker) {
            "YAML makes one line of these: write the text after `|`, which keeps its lines"
        } else {
            "the runner refuses the whole file: correct this line"
        };
        let mut finding = checker.report_span(config.tree, error.span, format!("no valid TOML: {}", error.message));
        if let Some((span, message)) = &error.context {
            finding.related_span(tree, *span, message);
        }
        finding.fault_in_config(config).help(help);
    }
}

/// Whether the line of a place is written over several lines of the file.
fn is_folded(tree: &Tree, at: Span, checker: &Checker<'_>) -> bool {
    let before = tree.text.get(..at.start as usize).unwrap_or_default();
    let after = tree.text.get(at.start as usize..).unwrap_or_default();
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    let line = Span::new(start, before.len() + after.find('\n').unwrap_or(after.len()));
    let source = tree.host.as_ref().and_then(|_| checker.sources().get(tree.source));
    source.is_some_and(|source| tree.location(line).span.slice(&source.text).contains('\n'))
}
