//! Runs the examples of every rule's page, each rule alone.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "a test")]

mod harness;

use std::fmt::Write;

use runnerlint::rule::page::{Example, Page};
use runnerlint::rules;

#[test]
fn examples_give_what_they_say() {
    run(|_, text| text.to_owned());
}

/// As an editor of Windows may save them; JSON has no such mark.
#[test]
fn line_ends_and_a_byte_order_mark_change_nothing() {
    run(|name, text| {
        let mark = if name.ends_with(".json") { "" } else { "\u{feff}" };
        format!("{mark}{}", text.replace('\n', "\r\n"))
    });
}

/// Runs all examples, each file written as `write` says.
fn run(write: fn(&str, &str) -> String) {
    let mut wrong = String::new();
    for rule in rules::all() {
        let page = Page::parse(&format!("rules/{}.md", rule.meta.id), rule.meta.page).unwrap();
        for (number, example) in (1..).zip(&page.examples) {
            check(&page, number, example, write, &mut wrong);
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

fn check(page: &Page, number: usize, example: &Example, write: fn(&str, &str) -> String, wrong: &mut String) {
    let id = page.front.id.as_str();
    let folder = tempfile::tempdir().unwrap();
    let mut expected = Vec::new();
    for file in &example.files {
        harness::write(folder.path(), &file.name, &write(&file.name, &file.text));
        expected.extend(file.expected.iter().map(|line| format!("{}:{line}", file.name)));
    }
    let report = harness::check(folder.path(), page.as_of, &[id]);
    let mut found: Vec<_> = report.findings.iter().filter(|finding| finding.rule == id).map(harness::place).collect();
    expected.sort();
    found.sort();
    if found != expected {
        let title = &example.title;
        writeln!(wrong, "{id}, example {number} ({title}): expected {expected:?}, found {found:?}").unwrap();
        for finding in &report.findings {
            writeln!(wrong, "    {} {} {}", harness::place(finding), finding.rule, finding.message).unwrap();
        }
    }
}
