//! What was looked at, in one line; how often each rule spoke, in a table.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::time::Duration;

use super::{Paint, Style};
use crate::diagnostic::Severity;
use crate::lint::Report;

/// The last line: what was found and what was looked at.
pub fn summary_line(report: &Report, style: &Style<'_>) -> String {
    let summary = &report.summary;
    let paint = Paint(style.color);
    let levels = [
        (Severity::Error, summary.errors, "error"),
        (Severity::Warning, summary.warnings, "warning"),
        (Severity::Info, summary.infos, "info"),
    ];
    let found: Vec<_> = levels
        .into_iter()
        .filter(|(_, count, _)| *count > 0)
        .map(|(severity, count, word)| paint.severity(severity, &counted(count, word)))
        .collect();
    let mut line = match found.is_empty() {
        true => paint.bold("No findings"),
        false => format!("Found {}", list(&found)),
    };
    let known = summary.baseline.map_or(0, |baseline| baseline.known);
    let hidden: Vec<_> = [(summary.suppressed, "suppressed"), (known, "known")]
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, word)| format!("{count} {word}"))
        .collect();
    if !hidden.is_empty() {
        let _ = write!(line, " ({})", hidden.join(", "));
    }
    let _ = write!(line, ". Looked at {}", counted(summary.files, "file"));
    let mut inside = vec![counted(summary.documents, "document")];
    if summary.embedded > 0 {
        inside.push(format!("{} embedded", summary.embedded));
    }
    if summary.stacks > 0 {
        inside.push(counted(summary.stacks, "values stack"));
    }
    let _ = write!(line, " ({}) in {}", inside.join(", "), time(summary.elapsed));
    line
}

/// A count with its noun, `1 file`, `2 files`, `0 files`.
pub fn counted(count: usize, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

fn list(parts: &[String]) -> String {
    match parts.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => parts.concat(),
    }
}

fn time(elapsed: Duration) -> String {
    match elapsed.as_millis() {
        0 => "under 1 ms".to_owned(),
        millis @ ..1000 => format!("{millis} ms"),
        _ => format!("{:.1} s", elapsed.as_secs_f64()),
    }
}

/// Findings per rule and level, the most frequent first.
pub(super) fn counts(report: &Report) -> Vec<(&'static str, Severity, usize)> {
    let mut counts = BTreeMap::new();
    for finding in &report.findings {
        *counts.entry((finding.rule, finding.severity)).or_insert(0) += 1;
    }
    let mut counts: Vec<_> = counts.into_iter().map(|((rule, severity), count)| (rule, severity, count)).collect();
    counts.sort_by_key(|&(_, _, count)| std::cmp::Reverse(count));
    counts
}

/// The table of `--statistics`.
pub(super) fn statistics(report: &Report, style: &Style<'_>) -> String {
    let paint = Paint(style.color);
    let counts = counts(report);
    let width = counts.iter().map(|(_, _, count)| count.to_string().len()).max().unwrap_or(0);
    let mut out = String::new();
    for (rule, severity, count) in counts {
        let level = paint.severity(severity, &format!("{:<7}", severity.as_str()));
        let _ = writeln!(out, "{count:>width$}  {level}  {rule}");
    }
    out
}
