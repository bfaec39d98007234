//! `gitlab`: a Code Quality report for merge requests in GitLab.

use std::collections::BTreeSet;

use serde::Serialize;

use super::Style;
use super::placed::{from_root, placed};
use crate::diagnostic::Severity;
use crate::lint::Report;

#[derive(Serialize)]
struct Issue<'a> {
    description: String,
    check_name: &'a str,
    fingerprint: String,
    severity: &'static str,
    location: Location,
}

#[derive(Serialize)]
struct Location {
    path: String,
    lines: Lines,
}

#[derive(Serialize)]
struct Lines {
    begin: usize,
    end: usize,
}

pub(super) fn render(report: &Report, style: &Style<'_>) -> String {
    let mut seen = BTreeSet::new();
    let issues: Vec<_> = placed(report)
        .map(|(finding, place)| Issue {
            // The name of the check is not shown.
            description: format!("{}: {}", finding.rule, finding.message),
            check_name: finding.rule,
            fingerprint: unique(&mut seen, &finding.fingerprint),
            severity: match finding.severity {
                Severity::Error => "major",
                Severity::Warning => "minor",
                Severity::Info => "info",
            },
            location: Location {
                path: from_root(style.prefix, &place.file),
                lines: Lines { begin: place.start.line, end: place.end.line },
            },
        })
        .collect();
    serde_json::to_string_pretty(&issues).unwrap_or_default() + "\n"
}

/// GitLab shows only the first of equal fingerprints.
fn unique(seen: &mut BTreeSet<String>, fingerprint: &str) -> String {
    let salted = (1..).map(|number| format!("{fingerprint}-{number}"));
    let mut candidates = std::iter::once(fingerprint.to_owned()).chain(salted);
    let found = candidates.find(|candidate| !seen.contains(candidate)).unwrap_or_default();
    seen.insert(found.clone());
    found
}
