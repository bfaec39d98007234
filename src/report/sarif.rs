//! `sarif` 2.1.0, as GitHub code scanning, GitLab and editors read it.

mod model;
mod rule;

use std::fmt::Write;

use model::{
    ArtifactLocation, AutomationDetails, BaseId, BaseIds, CodeFlow, Driver, Fingerprints, Invocation, Location, Log,
    Message, Notification, PhysicalLocation, Region, RelatedLocation, Run, SarifResult, Step, ThreadFlow, Tool,
};

use super::Style;
use super::placed::{end_on_line, from_root, is_absolute, placed, sentence};
use super::summary::counted;
use crate::diagnostic::Severity;
use crate::lint::{Finding, Note, Place, Point, Report};

/// Results of a run that GitHub takes.
const MAX_RESULTS: usize = 25_000;
/// Related locations of a result that GitHub keeps.
const MAX_RELATED: usize = 100;

pub(super) fn render(report: &Report, style: &Style<'_>) -> String {
    let writer = Writer { report, prefix: style.prefix };
    let found = placed(report).count();
    let run = Run {
        tool: Tool {
            driver: Driver {
                name: "runnerlint",
                semantic_version: env!("CARGO_PKG_VERSION"),
                version: env!("CARGO_PKG_VERSION"),
                information_uri: env!("CARGO_PKG_REPOSITORY"),
                rules: report.rules.iter().map(|meta| rule::descriptor(meta)).collect(),
            },
        },
        // A category ends at the last slash.
        automation_details: style
            .category
            .map(|category| AutomationDetails { id: format!("{}/", category.trim_end_matches('/')) }),
        invocations: [Invocation { execution_successful: true, notifications: left_out(found) }],
        original_uri_base_ids: BaseIds { root: BaseId { description: Message::new("The root of the repository.") } },
        column_kind: "unicodeCodePoints",
        results: most_severe(report, found).map(|(finding, place)| writer.result(finding, place)).collect(),
    };
    let log = Log { schema: "https://json.schemastore.org/sarif-2.1.0.json", version: "2.1.0", runs: [run] };
    serde_json::to_string_pretty(&log).unwrap_or_default() + "\n"
}

/// All findings in their order; of more than fit, the most severe.
fn most_severe(report: &Report, found: usize) -> impl Iterator<Item = (&Finding, &Place)> {
    let levels = [Severity::Error, Severity::Warning, Severity::Info];
    let all_fit = found <= MAX_RESULTS;
    let passes = if all_fit { 1 } else { levels.len() };
    let mut results: Vec<_> = levels
        .into_iter()
        .take(passes)
        .flat_map(|level| placed(report).filter(move |(finding, _)| all_fit || finding.severity == level))
        .collect();
    results.truncate(MAX_RESULTS);
    results.into_iter()
}

fn left_out(found: usize) -> Vec<Notification<'static>> {
    let count = found.saturating_sub(MAX_RESULTS);
    let text = format!("{} left out: a run takes {MAX_RESULTS} results.", counted(count, "finding"));
    (count > 0).then(|| Notification { level: "warning", message: Message::new(text) }).into_iter().collect()
}

struct Writer<'a> {
    report: &'a Report,
    prefix: &'a str,
}

impl<'a> Writer<'a> {
    fn result(&self, finding: &'a Finding, place: &'a Place) -> SarifResult<'a> {
        let kept = finding.related.get(..MAX_RELATED).unwrap_or(&finding.related);
        SarifResult {
            rule_id: finding.rule,
            rule_index: self.report.rules.iter().position(|meta| meta.id == finding.rule),
            level: level(finding.severity),
            message: Message::new(message(finding, kept)),
            locations: [Location { physical_location: self.physical(place, end_on_line(self.report, place)) }],
            related_locations: (1..)
                .zip(kept)
                .map(|(id, note)| RelatedLocation {
                    id,
                    physical_location: self.physical(&note.place, note.place.end),
                    message: Message::new(&*note.message),
                })
                .collect(),
            code_flows: self.flow(finding, place, kept),
            partial_fingerprints: Fingerprints { own: &finding.fingerprint },
        }
    }

    /// From what was there over what beat it: the related places, then the finding's.
    fn flow(&self, finding: &'a Finding, place: &'a Place, kept: &'a [Note]) -> Vec<CodeFlow<'a>> {
        if kept.is_empty() {
            return Vec::new();
        }
        let step = |place: &Place, text: &'a str| Step::new(self.physical(place, place.end), Message::new(text));
        let before = kept.iter().map(|note| step(&note.place, &note.message));
        let last = Step::new(self.physical(place, end_on_line(self.report, place)), Message::new(&*finding.message));
        vec![CodeFlow { thread_flows: [ThreadFlow { locations: before.chain([last]).collect() }] }]
    }

    fn physical(&self, place: &Place, end: Point) -> PhysicalLocation {
        let file = from_root(self.prefix, &place.file);
        let artifact_location = if is_absolute(&file) {
            ArtifactLocation { uri: format!("file:///{}", encode(file.trim_start_matches('/'))), uri_base_id: None }
        } else {
            ArtifactLocation { uri: encode(&file), uri_base_id: Some("%SRCROOT%") }
        };
        let region = Region {
            start_line: place.start.line,
            start_column: place.start.column,
            end_line: end.line,
            end_column: end.column,
        };
        PhysicalLocation { artifact_location, region }
    }
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "note",
    }
}

/// The message; the other parties, as links to the related locations; the help.
fn message(finding: &Finding, kept: &[Note]) -> String {
    let mut out = sentence(&finding.message);
    for (id, note) in (1..).zip(kept) {
        let label = format!("{}:{}", note.place.file, note.place.start.line);
        let _ = write!(out, "\n[{}]({id}): {}", bracketed(&label), sentence(&note.message));
    }
    if kept.len() < finding.related.len() {
        let _ = write!(out, "\n{} left out.", counted(finding.related.len() - kept.len(), "more place"));
    }
    if let Some(help) = &finding.help {
        let _ = write!(out, "\nHelp: {}", sentence(help));
    }
    out
}

/// The text of a link.
fn bracketed(text: &str) -> String {
    text.replace('\\', "\\\\").replace('[', "\\[").replace(']', "\\]")
}

/// A path as part of a URI.
fn encode(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => out.push(char::from(byte)),
            _ => {
                let _ = write!(out, "%{byte:02X}");
            }
        }
    }
    out
}
