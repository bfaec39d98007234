//! Values that stand there for others than the chart: for aliases, for templates in other values, for other charts.

use super::{Part, Stack};
use crate::syntax::{Kind, NodeRef, Trees};
use crate::values::{Data, Value};

impl Stack<'_> {
    /// Whether something beside the templates of its chart may read the value at a path of a part.
    pub fn is_read_elsewhere(&self, part: &Part<'_>, path: &str, value: &Value, trees: &Trees) -> bool {
        let (own, shown) = (format!(".Values.{path}"), format!(".Values.{}", part.shown(path)));
        let by_chart_around = |key: &String| {
            is_named_by(&self.merged.values, &shown)
                || names(self.templates, &shown)
                || self.templates.contains(&format!("index .Values \"{key}\""))
        };
        is_named_by(part.values, &own)
            || is_named(self.templates, &own)
            || part.prefix.first().is_some_and(by_chart_around)
            || value.origin.node.is_some_and(|at| self.shared.contains(&at.tree) || holds_anchor(at, trees))
    }
}

/// Whether an alias outside of a node stands for something in it.
fn holds_anchor(at: NodeRef, trees: &Trees) -> bool {
    let Some(node) = trees.node(at) else { return false };
    let (tree, span) = (node.tree, node.span());
    let outside = tree.nodes().filter(|alias| alias.kind() == Kind::Alias && !span.contains(alias.span()));
    outside.filter_map(|alias| alias.alias_target()).any(|target| span.contains(target.span()))
}

/// Whether a template in the text of a value names a path, something in it, or the whole of a table around it.
fn is_named_by(value: &Value, path: &str) -> bool {
    match &value.data {
        Data::String(text) => text.contains(".Values.") && names(text, path),
        Data::List(items) => items.iter().any(|item| is_named_by(item, path)),
        Data::Map(map) => map.entries.values().any(|value| is_named_by(value, path)),
        _ => false,
    }
}

fn names(text: &str, path: &str) -> bool {
    // `range .Values.a`, `index .Values.a "b"`.
    let tables = path.match_indices('.').filter_map(|(at, _)| path.get(..at));
    let mut tables = tables.filter(|table| table.len() > ".Values".len());
    is_named(text, path)
        || tables.any(|table| after(text, table).any(|rest| !rest.starts_with(|c| is_word(c) || c == '.')))
}

/// Whether a text names a path or something in it.
fn is_named(text: &str, path: &str) -> bool {
    after(text, path).any(|rest| !rest.starts_with(is_word))
}

fn after<'t>(text: &'t str, word: &str) -> impl Iterator<Item = &'t str> {
    text.match_indices(word).filter_map(move |(at, _)| text.get(at + word.len()..))
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-')
}

#[cfg(test)]
mod tests {
    use super::names;

    #[test]
    fn paths_are_named_whole() {
        for text in [
            "{{ .Values.runners.job.image }}",
            "{{ .Values.runners.job }}",
            "{{- range $key, $value := .Values.runners }}",
            "{{ $.Values.runners.job | quote }}",
            "{{ index .Values.runners \"job\" }}",
        ] {
            assert!(names(text, ".Values.runners.job"), "{text}");
        }
        for text in ["{{ .Values.runners.jobNamespace }}", "{{ .Values.runnersJob }}", "{{ .Values.runners.tags }}"] {
            assert!(!names(text, ".Values.runners.job"), "{text}");
        }
    }
}
