//! `json`, version 1: fields may be added within a version, never taken away or given another meaning.

use serde::Serialize;

use super::summary;
use crate::lint::{Finding, Note, Place, Point, Report};

#[derive(Serialize)]
struct Output<'a> {
    version: u8,
    tool: Tool,
    summary: Summary<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    statistics: Option<Vec<Count>>,
    findings: Vec<Found<'a>>,
}

#[derive(Serialize)]
struct Tool {
    name: &'static str,
    version: &'static str,
}

#[derive(Serialize)]
struct Summary<'a> {
    as_of: &'a str,
    files: usize,
    documents: usize,
    stacks: usize,
    embedded: usize,
    errors: usize,
    warnings: usize,
    infos: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    known: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fixed: Option<usize>,
}

#[derive(Serialize)]
struct Count {
    rule: &'static str,
    severity: &'static str,
    count: usize,
}

#[derive(Serialize)]
struct Found<'a> {
    rule: &'static str,
    severity: &'static str,
    message: &'a str,
    location: Location<'a>,
    related: Vec<Related<'a>>,
    help: Option<&'a str>,
    url: &'a str,
    fingerprint: &'a str,
    fix: Option<()>,
}

/// Without a place all but `file` is left out, and that is null.
#[derive(Serialize, Default)]
struct Location<'a> {
    file: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    start: Option<Position>,
    #[serde(skip_serializing_if = "Option::is_none")]
    end: Option<Position>,
}

#[derive(Serialize)]
struct Related<'a> {
    #[serde(flatten)]
    location: Location<'a>,
    message: &'a str,
}

#[derive(Serialize)]
struct Position {
    line: usize,
    column: usize,
    byte: usize,
}

impl From<Point> for Position {
    fn from(point: Point) -> Self {
        Self { line: point.line, column: point.column, byte: point.byte }
    }
}

impl<'a> From<&'a Place> for Location<'a> {
    fn from(place: &'a Place) -> Self {
        Self {
            file: Some(&place.file),
            path: Some(&place.path),
            start: Some(place.start.into()),
            end: Some(place.end.into()),
        }
    }
}

impl<'a> From<&'a Note> for Related<'a> {
    fn from(note: &'a Note) -> Self {
        Self { location: (&note.place).into(), message: &note.message }
    }
}

impl<'a> From<&'a Finding> for Found<'a> {
    fn from(finding: &'a Finding) -> Self {
        Self {
            rule: finding.rule,
            severity: finding.severity.as_str(),
            message: &finding.message,
            location: finding.place.as_ref().map(Location::from).unwrap_or_default(),
            related: finding.related.iter().map(Related::from).collect(),
            help: finding.help.as_deref(),
            url: &finding.url,
            fingerprint: &finding.fingerprint,
            fix: None,
        }
    }
}

pub(super) fn render(report: &Report, statistics: bool) -> String {
    let summary = &report.summary;
    let count = |(rule, severity, count): (&'static str, crate::diagnostic::Severity, usize)| Count {
        rule,
        severity: severity.as_str(),
        count,
    };
    let output = Output {
        version: 1,
        tool: Tool { name: "runnerlint", version: env!("CARGO_PKG_VERSION") },
        summary: Summary {
            as_of: &summary.as_of,
            files: summary.files,
            documents: summary.documents,
            stacks: summary.stacks,
            embedded: summary.embedded,
            errors: summary.errors,
            warnings: summary.warnings,
            infos: summary.infos,
            known: summary.baseline.map(|baseline| baseline.known),
            fixed: summary.baseline.map(|baseline| baseline.fixed),
        },
        statistics: statistics.then(|| summary::counts(report).into_iter().map(count).collect()),
        findings: report.findings.iter().map(Found::from).collect(),
    };
    // Only maps with keys that are no strings could fail, and there are none.
    serde_json::to_string_pretty(&output).unwrap_or_default() + "\n"
}
