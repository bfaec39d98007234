//! `rdjson`: reviewdog's DiagnosticResult. Columns count bytes of UTF-8; names are relative to the working directory.

use serde::Serialize;

use super::placed::placed;
use crate::lint::{Finding, Place, Report};
use crate::text::LineIndex;

#[derive(Serialize)]
struct Output<'a> {
    source: Tool,
    diagnostics: Vec<Diagnostic<'a>>,
}

#[derive(Serialize)]
struct Tool {
    name: &'static str,
    url: &'static str,
}

#[derive(Serialize)]
struct Diagnostic<'a> {
    message: String,
    location: Location<'a>,
    severity: &'static str,
    code: Code<'a>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related_locations: Vec<Related<'a>>,
}

#[derive(Serialize)]
struct Code<'a> {
    value: &'a str,
    url: &'a str,
}

#[derive(Serialize)]
struct Related<'a> {
    message: &'a str,
    location: Location<'a>,
}

#[derive(Serialize)]
struct Location<'a> {
    path: &'a str,
    range: Range,
}

#[derive(Serialize)]
struct Range {
    start: Position,
    end: Position,
}

#[derive(Serialize)]
struct Position {
    line: usize,
    column: usize,
}

pub(super) fn render(report: &Report) -> String {
    let lines = report.texts.iter().map(|(name, text)| (name.as_str(), LineIndex::new(text))).collect();
    let lines = Lines(lines);
    let output = Output {
        source: Tool { name: "runnerlint", url: env!("CARGO_PKG_REPOSITORY") },
        diagnostics: placed(report).map(|(finding, place)| diagnostic(&lines, finding, place)).collect(),
    };
    serde_json::to_string_pretty(&output).unwrap_or_default() + "\n"
}

fn diagnostic<'a>(lines: &Lines<'_>, finding: &'a Finding, place: &'a Place) -> Diagnostic<'a> {
    let help = finding.help.as_ref().map(|help| format!("\nhelp: {help}")).unwrap_or_default();
    let related = finding.related.iter();
    Diagnostic {
        message: format!("{}{help}", finding.message),
        location: lines.location(place),
        severity: match finding.severity {
            crate::diagnostic::Severity::Error => "ERROR",
            crate::diagnostic::Severity::Warning => "WARNING",
            crate::diagnostic::Severity::Info => "INFO",
        },
        code: Code { value: finding.rule, url: &finding.url },
        related_locations: related
            .map(|note| Related { message: &note.message, location: lines.location(&note.place) })
            .collect(),
    }
}

/// Lines of the files that are pointed into.
struct Lines<'a>(std::collections::BTreeMap<&'a str, LineIndex>);

impl Lines<'_> {
    fn location<'a>(&self, place: &'a Place) -> Location<'a> {
        let position = |point: crate::lint::Point, at: usize| {
            let start = self.0.get(place.file.as_str()).map(|lines| lines.line_start(point.line));
            let column = start.and_then(|start| at.checked_sub(start)).map_or(point.column, |bytes| bytes + 1);
            Position { line: point.line, column }
        };
        let range = Range { start: position(place.start, place.span.start), end: position(place.end, place.span.end) };
        Location { path: &place.file, range }
    }
}
