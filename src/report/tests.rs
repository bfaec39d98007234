use std::sync::Arc;
use std::time::Duration;

use super::*;
use crate::diagnostic::Severity;
use crate::lint::{Finding, Note, Place, Point, Summary};
use crate::text::LineIndex;

const BASE: &str = "template:\n  spec:\n    containers:\n      - name: runner\n        image: ghcr.io/actions/actions-runner:2.336.0\n        command: [\"/home/runner/run.sh\"]\n";
const PROD: &str = "maxRunners: 60\ntemplate:\n  spec:\n    containers:\n      - name: runner\n        resources:\n          limits: {memory: 8Gi}\n";

pub(super) fn place(file: &str, path: &str, text: &str, needle: &str) -> Place {
    let start = text.find(needle).unwrap();
    let end = start + needle.len();
    let lines = LineIndex::new(text);
    let point = |at: usize| {
        let position = lines.position(text, at);
        Point { line: position.line, column: position.column, byte: at }
    };
    Place { file: file.to_owned(), path: path.to_owned(), start: point(start), end: point(end), span: start..end }
}

pub(super) fn finding(place: Option<Place>, related: Vec<Note>) -> Finding {
    Finding {
        rule: "arc/runner-command-dropped",
        severity: Severity::Error,
        message: "the container `runner` has no `command`: the image's shell exits at once".to_owned(),
        place,
        related,
        help: Some("repeat `command: [\"/home/runner/run.sh\"]` here".to_owned()),
        url: "https://example.org/rules/arc/runner-command-dropped.md".to_owned(),
        fingerprint: "0123".to_owned(),
    }
}

pub(super) fn report(findings: Vec<Finding>, texts: &[(&str, &str)]) -> Report {
    let mut summary = Summary {
        as_of: "2026-08-17".to_owned(),
        files: 2,
        documents: 2,
        stacks: 1,
        elapsed: Duration::from_millis(7),
        ..Summary::default()
    };
    for finding in &findings {
        summary.count(finding.severity);
    }
    let texts = texts.iter().map(|&(name, text)| (name.to_owned(), Arc::from(text))).collect();
    Report { summary, findings, texts, ..Report::default() }
}

pub(super) fn dropped() -> Report {
    let primary = place("values-prod.yaml", "template.spec.containers[0]", PROD, "name");
    let lost = place("values.yaml", "template.spec.containers[0].command", BASE, "command");
    let related = vec![Note { place: lost, message: "`command` was set here".to_owned() }];
    report(vec![finding(Some(primary), related)], &[("values.yaml", BASE), ("values-prod.yaml", PROD)])
}

pub(super) const PLAIN: Style<'_> =
    Style { color: false, width: 100, statistics: false, quiet: false, prefix: "", category: None };

#[test]
fn text_shows_both_places() {
    insta::assert_snapshot!(render(&dropped(), Format::Text, &PLAIN));
}

#[test]
fn text_shows_two_places_of_one_file_in_one_excerpt() {
    let primary = place("a.yaml", "", BASE, "command");
    let related = vec![Note { place: place("a.yaml", "", BASE, "image"), message: "of this image".to_owned() }];
    let report = report(vec![finding(Some(primary), related)], &[("a.yaml", BASE)]);
    insta::assert_snapshot!(render(&report, Format::Text, &PLAIN));
}

#[test]
fn text_cuts_long_lines_and_goes_without_a_place() {
    let long = format!("a: {}needle{}\n", "ä".repeat(400), "b".repeat(400));
    let related = place("long.yaml", "a", &long, "needle");
    let mut without = finding(None, vec![]);
    without.help = None;
    let report = report(vec![finding(Some(related), vec![]), without], &[("long.yaml", &long)]);
    insta::assert_snapshot!(render(&report, Format::Text, &PLAIN));
}

#[test]
fn concise_is_a_line_a_finding() {
    insta::assert_snapshot!(render(&dropped(), Format::Concise, &PLAIN), @r"
    values-prod.yaml:5:9: error arc/runner-command-dropped the container `runner` has no `command`: the image's shell exits at once
    Found 1 error. Looked at 2 files (2 documents, 1 values stack) in 7 ms
    ");
}

#[test]
fn statistics_count() {
    let style = Style { statistics: true, quiet: true, ..PLAIN };
    insta::assert_snapshot!(render(&dropped(), Format::Text, &style), @"1  error    arc/runner-command-dropped");
}

#[test]
fn nothing_found_is_said() {
    insta::assert_snapshot!(render(&report(vec![], &[]), Format::Text, &PLAIN), @"No findings. Looked at 2 files (2 documents, 1 values stack) in 7 ms");
}

#[test]
fn json_has_the_fields_of_the_contract() {
    insta::assert_snapshot!(render(&dropped(), Format::Json, &PLAIN));
}

#[test]
fn colours_are_escape_sequences_and_nothing_else_changes() {
    let colored = render(&dropped(), Format::Text, &Style { color: true, ..PLAIN });
    let mut plain = String::new();
    for (index, part) in colored.split('\u{1b}').enumerate() {
        plain += if index == 0 { part } else { part.split_once('m').unwrap().1 };
    }
    assert_eq!(plain, render(&dropped(), Format::Text, &PLAIN));
}

#[test]
fn text_says_once_what_stands_at_one_place() {
    let at = || place("a.yaml", "", BASE, "command");
    let related = vec![Note { place: at(), message: "`command` was set here".to_owned() }];
    let report = report(vec![finding(Some(at()), related)], &[("a.yaml", BASE)]);
    let text = render(&report, Format::Text, &PLAIN);
    assert!(text.contains("───┬───\n") && text.contains("╰── `command` was set here"), "{text}");
}

proptest::proptest! {
    /// Whatever a file holds and wherever a finding points: every format is written.
    #[test]
    fn any_text_can_be_shown(text in "[a\\-: \t\r\n\u{feff}é🦀\u{1b}\u{202e}]{0,80}", a in 0usize..80, b in 0usize..80, c in 0usize..80) {
        let lines = LineIndex::new(&text);
        let at = |from: usize, to: usize| {
            let floor = |at: usize| (0..=at.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap();
            let (from, to) = (floor(from), floor(to.max(from)));
            let point = |at: usize| {
                let position = lines.position(&text, at);
                Point { line: position.line, column: position.column, byte: at }
            };
            Place { file: "f.yaml".to_owned(), path: String::new(), start: point(from), end: point(to), span: from..to }
        };
        let related = vec![
            Note { place: at(b, c), message: "here".to_owned() },
            Note { place: at(c, c), message: String::new() },
        ];
        let report = report(vec![finding(Some(at(a, b)), related)], &[("f.yaml", &text)]);
        for (_, format) in Format::ALL {
            let shown = render(&report, format, &PLAIN);
            proptest::prop_assert!(!shown.contains('\u{1b}') && !shown.contains("Failed to read"), "{}", shown);
        }
    }
}
