//! Values that stand there for others than the chart: for aliases, for templates in other values, for other charts.

use super::{Part, Stack};
use crate::syntax::{Kind, NodeRef, Trees};
use crate::values::{Data, Value};

impl Stack<'_> {
    /// Whether something beside the templates of its chart may read the value at a path of a part.
    pub fn is_read_elsewhere(&self, part: &Part<'_>, path: &str, value: &Value, trees: &Trees) -> bool {
        is_named_by(part.values, &format!(".Values.{path}"))
            || !part.prefix.is_empty() && is_named_by(&self.merged.values, &format!(".Values.{}", part.shown(path)))
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
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    let after =
        |of: &str| -> Vec<&str> { text.match_indices(of).filter_map(|(at, _)| text.get(at + of.len()..)).collect() };
    if after(path).into_iter().any(|rest| !rest.starts_with(is_word)) {
        return true;
    }
    // `range .Values.a`, `index .Values.a "b"`.
    let tables =
        path.match_indices('.').filter_map(|(at, _)| path.get(..at)).filter(|table| table.len() > ".Values".len());
    tables.flat_map(after).any(|rest| !rest.starts_with(|c| is_word(c) || c == '.'))
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
