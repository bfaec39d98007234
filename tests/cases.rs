//! Small projects and the findings that they must give. Rules that do not exist yet are skipped.
//!
//! `CASES=word` runs only the cases whose name has the word.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "a test")]

mod harness;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use runnerlint::diagnostic::Severity;
use runnerlint::lint::Finding;
use runnerlint::rules;
use serde::Deserialize;

const FOLDERS: [&str; 2] = ["testdata/cases", "../shared/cases"];
/// Expectations that were found to be wrong: case, rule, reason.
const DEVIATIONS: &str = "testdata/cases/deviations.tsv";

#[derive(Deserialize)]
struct Case {
    expected: Vec<Expected>,
    #[serde(default)]
    may_also_report: Vec<String>,
    as_of: Option<String>,
}

#[derive(Deserialize)]
struct Expected {
    rule: String,
    severity: String,
    file: String,
    line: Option<usize>,
    #[serde(default)]
    line_any_of: Vec<usize>,
    #[serde(default)]
    message_must_mention: Vec<String>,
}

impl Expected {
    fn is_at(&self, finding: &Finding) -> bool {
        let Some(place) = &finding.place else { return false };
        let line = place.start.line;
        let said = self.line.iter().chain(&self.line_any_of).copied().collect::<Vec<_>>();
        place.file == self.file && (said.is_empty() || said.contains(&line))
    }

    fn place(&self) -> String {
        let lines = self.line.iter().chain(&self.line_any_of).map(ToString::to_string).collect::<Vec<_>>();
        format!("{}:{}", self.file, lines.join("|"))
    }
}

#[test]
fn cases_give_what_they_expect() {
    let only = std::env::var("CASES").unwrap_or_default();
    let deviations = deviations();
    let mut failures = Vec::new();
    let mut count = 0;
    for folder in folders().into_iter().filter(|folder| folder.to_string_lossy().contains(&only)) {
        count += 1;
        let name = folder.components().rev().take(2).map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>();
        let name = format!("{}/{}", name[1], name[0]);
        let wrong = run(&folder);
        let accepted = |rule: &str| deviations.contains_key(&(name.clone(), rule.to_owned()));
        failures.extend(
            wrong.into_iter().filter(|(rule, _)| !accepted(rule)).map(|(rule, text)| (name.clone(), rule, text)),
        );
    }
    assert!(failures.is_empty(), "{}", table(&failures, count));
}

fn table(failures: &[(String, String, String)], count: usize) -> String {
    let mut text = format!("\n{} failures in {count} cases\n", failures.len());
    let mut last = "";
    for (case, rule, problem) in failures {
        if case != last {
            writeln!(text, "\n{case}").unwrap();
            last = case;
        }
        writeln!(text, "  {rule:<36} {problem}").unwrap();
    }
    text
}

fn folders() -> Vec<PathBuf> {
    let mut folders = Vec::new();
    for top in FOLDERS.into_iter().filter(|top| Path::new(top).is_dir()) {
        let entries = walkdir::WalkDir::new(top).sort_by_file_name().into_iter().map(Result::unwrap);
        let found = entries.filter(|entry| entry.file_name() == "expect.yaml");
        folders.extend(found.map(|entry| entry.path().parent().unwrap().to_owned()));
    }
    folders
}

fn deviations() -> BTreeMap<(String, String), String> {
    let text = std::fs::read_to_string(DEVIATIONS).unwrap_or_default();
    let rows = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    rows.map(|line| {
        let cells: Vec<&str> = line.split('\t').collect();
        assert_eq!(cells.len(), 3, "{DEVIATIONS}: case, rule, reason: {line}");
        ((cells[0].to_owned(), cells[1].to_owned()), cells[2].to_owned())
    })
    .collect()
}

/// What is wrong with a case: rule and problem.
fn run(folder: &Path) -> Vec<(String, String)> {
    let case: Case = serde_yaml::from_str(&std::fs::read_to_string(folder.join("expect.yaml")).unwrap())
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let copy = tempfile::tempdir().unwrap();
    harness::copy_all(folder, copy.path());
    let today = case.as_of.as_deref().unwrap_or("2026-11-30").parse().unwrap();
    let report = harness::check(copy.path(), today, &[]);
    let mut wrong = Vec::new();
    for expected in case.expected.iter().filter(|expected| rules::find(&expected.rule).is_some()) {
        wrong.extend(missing(expected, &report.findings).map(|problem| (expected.rule.clone(), problem)));
    }
    for finding in report.findings.iter().filter(|finding| finding.severity >= Severity::Warning) {
        let known = case.expected.iter().any(|expected| expected.rule == finding.rule && expected.is_at(finding))
            || case.may_also_report.iter().any(|rule| rule == finding.rule);
        if !known {
            let level = finding.severity.as_str();
            let problem = format!("unexpected {level} at {}: {}", harness::place(finding), finding.message);
            wrong.push((finding.rule.to_owned(), problem));
        }
    }
    wrong
}

fn missing(expected: &Expected, findings: &[Finding]) -> Option<String> {
    let of_rule: Vec<_> = findings.iter().filter(|finding| finding.rule == expected.rule).collect();
    let there: Vec<_> = of_rule.iter().filter(|finding| expected.is_at(finding)).collect();
    if there.is_empty() {
        let others: Vec<_> = of_rule.iter().map(|finding| harness::place(finding)).collect();
        return Some(format!("missing at {}; found at {others:?}", expected.place()));
    }
    if !there.iter().any(|finding| finding.severity.as_str() == expected.severity) {
        let level = there[0].severity.as_str();
        return Some(format!("at {} is {level}, not {}", expected.place(), expected.severity));
    }
    let said: Vec<String> = there.iter().map(|finding| words(finding)).collect();
    let unsaid = |word: &&String| !said.iter().any(|said| said.contains(&word.to_lowercase()));
    let unsaid: Vec<_> = expected.message_must_mention.iter().filter(unsaid).collect();
    (!unsaid.is_empty()).then(|| format!("at {} does not mention {unsaid:?}: {}", expected.place(), there[0].message))
}

fn words(finding: &Finding) -> String {
    let related = finding.related.iter().map(|note| note.message.as_str());
    let all = [finding.message.as_str(), finding.help.as_deref().unwrap_or_default()].into_iter().chain(related);
    all.collect::<Vec<_>>().join(" ").to_lowercase()
}
