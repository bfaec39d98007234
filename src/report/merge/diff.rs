//! What the last layer changed.

use similar::{ChangeTag, TextDiff};

use super::lines::Writer;
use crate::report::paint::{Paint, one_line};
use crate::values::{Value, to_json};

/// As a unified diff of YAML with sorted keys; empty where nothing changed.
pub fn diff_text(before: &Value, after: &Value, names: (&str, &str), paint: Paint) -> String {
    let (old, new) = (text(before), text(after));
    let diff = TextDiff::from_lines(old.as_str(), new.as_str());
    let hunks = diff.grouped_ops(3);
    if hunks.is_empty() {
        return String::new();
    }
    let mut out = format!("--- {}\n+++ {}\n", one_line(names.0), one_line(names.1));
    for hunk in hunks {
        let range = hunk.first().map(|op| (op.old_range().start + 1, op.new_range().start + 1)).unwrap_or_default();
        out += &format!("@@ -{} +{} @@\n", range.0, range.1);
        for change in hunk.iter().flat_map(|op| diff.iter_changes(op)) {
            let line = one_line(change.value().trim_end_matches('\n'));
            out += &match change.tag() {
                ChangeTag::Equal => format!(" {line}\n"),
                ChangeTag::Delete => paint.removed(&format!("-{line}")) + "\n",
                ChangeTag::Insert => paint.added(&format!("+{line}")) + "\n",
            };
        }
    }
    out
}

fn text(value: &Value) -> String {
    let lines = Writer { lines: Vec::new(), with_lost: false, sorted: true }.write(value);
    lines.into_iter().map(|line| line.text + "\n").collect()
}

/// As an RFC 6902 patch that makes `after` of `before`.
pub fn diff_json(before: &Value, after: &Value) -> String {
    let parse = |value| serde_json::from_str(&to_json(value)).unwrap_or(serde_json::Value::Null);
    let patch = json_patch::diff(&parse(before), &parse(after));
    serde_json::to_string(&patch).unwrap_or_default() + "\n"
}
