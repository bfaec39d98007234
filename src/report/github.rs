//! `github`: workflow commands that become annotations of a job in GitHub Actions.

use std::fmt::Write;

use super::Style;
use super::paint::printable;
use super::placed::{cut, from_root, placed, whole};
use super::summary::counted;
use crate::diagnostic::Severity;
use crate::lint::{Finding, Place, Report};

/// Annotations of each kind that GitHub shows for a step; the others stand in the log only.
const SHOWN: usize = 10;
/// Characters of a message: GitHub takes 64 KiB.
const LONGEST: usize = 16 << 10;

pub(super) fn render(report: &Report, style: &Style<'_>) -> String {
    let mut out = String::new();
    let mut hidden = Vec::new();
    for severity in [Severity::Error, Severity::Warning, Severity::Info] {
        let found: Vec<_> = placed(report).filter(|(finding, _)| finding.severity == severity).collect();
        for (finding, place) in &found {
            annotation(&mut out, style, finding, place);
        }
        if found.len() > SHOWN {
            hidden.push(counted(found.len() - SHOWN, severity.as_str()));
        }
    }
    if !hidden.is_empty() {
        let _ = writeln!(out, "GitHub shows {SHOWN} annotations of a kind; only in this log: {}", hidden.join(", "));
    }
    out
}

fn annotation(out: &mut String, style: &Style<'_>, finding: &Finding, place: &Place) {
    let kind = match finding.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "notice",
    };
    let (start, end) = (place.start, place.end);
    let file = property(&from_root(style.prefix, &place.file));
    let _ = write!(out, "::{kind} file={file},line={},endLine={}", start.line, end.line);
    // Columns over several lines are refused.
    if start.line == end.line {
        let _ = write!(out, ",col={},endColumn={}", start.column, end.column);
    }
    let message = whole(finding);
    let _ = writeln!(out, ",title={}::{}", property(finding.rule), data(&cut(&message, LONGEST)));
}

fn data(text: &str) -> String {
    printable(text).replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
