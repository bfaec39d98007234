//! The finished report: positions resolved, everything owned, in the order of files.

use std::collections::BTreeMap;
use std::time::Duration;

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::fingerprint::{hash, identity};
use super::{Finding, Found, Note, Options, Place, Point, Report, Summary};
use crate::diagnostic::Label;
use crate::project::{ConfigId, Project};
use crate::rule::Meta;
use crate::rules;

pub(super) fn finish(project: &Project, options: &Options, found: Vec<Found>, suppressed: usize) -> Report {
    let mut findings: Vec<_> = found.into_par_iter().map(|found| finding(project, found)).collect();
    findings.par_sort_by(|a, b| order(a).cmp(&order(b)));
    number_equals(&mut findings);
    let mut summary = summary(project, options);
    summary.suppressed = suppressed;
    for finding in &findings {
        summary.count(finding.severity);
    }
    let texts = texts(project, &findings);
    let rules = metas(&findings);
    Report { summary, findings, texts, notes: project.notes.clone(), rules }
}

/// The rules that have findings, by id.
fn metas(findings: &[Finding]) -> Vec<&'static Meta> {
    let mut ids: Vec<_> = findings.iter().map(|finding| finding.rule).collect();
    ids.sort_unstable();
    ids.dedup();
    ids.into_iter().filter_map(rules::find).map(|rule| &rule.meta).collect()
}

/// File, start, rule; then whatever makes the order total.
fn order(finding: &Finding) -> (Option<(&str, Point)>, &str, &str) {
    let place = finding.place.as_ref().map(|place| (place.file.as_str(), place.start));
    (place, finding.rule, &finding.message)
}

fn summary(project: &Project, options: &Options) -> Summary {
    let config = (!project.configs.is_empty()).then_some(ConfigId(0));
    Summary {
        as_of: options.facts(project, config).as_of.to_string(),
        files: project.counts.files,
        documents: project.counts.documents,
        embedded: project.counts.embedded,
        stacks: project.counts.stacks,
        elapsed: Duration::ZERO,
        ..Summary::default()
    }
}

fn finding(project: &Project, found: Found) -> Finding {
    let diagnostic = found.diagnostic;
    let place = diagnostic.primary.as_ref().and_then(|label| place(project, label));
    let identity = diagnostic.primary.as_ref().map(|label| identity(project, label.location, &label.path));
    let file = place.as_ref().map_or("", |place| &place.file);
    let fingerprint = format!("{}|{file}|{}", diagnostic.rule, identity.unwrap_or_else(|| diagnostic.message.clone()));
    let mut finding = Finding {
        rule: diagnostic.rule,
        severity: diagnostic.severity,
        place,
        related: diagnostic.related.into_iter().filter_map(|label| note(project, label)).collect(),
        message: diagnostic.message,
        help: diagnostic.help,
        url: rules::find(diagnostic.rule).map(|rule| rule.meta.url()).unwrap_or_default(),
        fingerprint,
    };
    if finding.is_of_whole_file() {
        // Whoever knows one fault of a broken file does not know the next.
        finding.fingerprint = format!("{}|{}", finding.fingerprint, finding.message);
    }
    finding
}

/// Hashes what identifies the findings; equals are told apart by their order.
fn number_equals(findings: &mut [Finding]) {
    let mut seen: FxHashMap<String, usize> = FxHashMap::default();
    for finding in findings {
        let count = seen.entry(finding.fingerprint.clone()).or_default();
        finding.fingerprint = match *count {
            0 => hash(&finding.fingerprint),
            number => hash(&format!("{}|{number}", finding.fingerprint)),
        };
        *count += 1;
    }
}

fn note(project: &Project, label: Label) -> Option<Note> {
    Some(Note { place: place(project, &label)?, message: label.message })
}

fn place(project: &Project, label: &Label) -> Option<Place> {
    let source = project.sources.get(label.location.source)?;
    let point = |offset: u32| {
        let position = source.position(offset as usize);
        Point { line: position.line, column: position.column, byte: source.file_offset(offset as usize) }
    };
    let span = label.location.span;
    Some(Place {
        file: source.name.clone(),
        path: label.path.clone(),
        start: point(span.start),
        end: point(span.end),
        span: span.range(),
    })
}

/// The texts of the files that are pointed into.
fn texts(project: &Project, findings: &[Finding]) -> BTreeMap<String, std::sync::Arc<str>> {
    let places =
        findings.iter().flat_map(|finding| finding.place.iter().chain(finding.related.iter().map(|note| &note.place)));
    let mut names: Vec<&str> = places.map(|place| place.file.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    let pointed = project.sources.iter().filter(|(_, source)| names.binary_search(&source.name.as_str()).is_ok());
    pointed.filter(|(_, source)| source.is_file).map(|(_, source)| (source.name.clone(), source.text.clone())).collect()
}
