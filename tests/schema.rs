//! Generates `docs/runnerlint.schema.json`, and holds it against what the reader of the configuration takes and refuses.
//!
//! A stale file is rewritten, and the test then fails so that nobody forgets to commit it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "a test")]

use std::path::PathBuf;

use jsonschema::Validator;
use runnerlint::config::{Config, FoundStack, schema, template};
use runnerlint::rule::Meta;
use runnerlint::rules;
use runnerlint::syntax::{Trees, toml as reader};
use runnerlint::text::{Encoding, Sources};
use serde_json::Value;

const FILE: &str = "docs/runnerlint.schema.json";

fn metas() -> Vec<&'static Meta> {
    rules::all().iter().map(|rule| &rule.meta).collect()
}

fn validator() -> Validator {
    jsonschema::draft7::new(&schema(&metas())).unwrap()
}

/// What the schema says against a configuration; none where it is no TOML.
fn complaints(validator: &Validator, text: &str) -> Option<Vec<String>> {
    let value: toml::Table = text.parse().ok()?;
    let json = to_json(&toml::Value::Table(value));
    Some(validator.iter_errors(&json).map(|error| format!("{}: {error}", error.instance_path())).collect())
}

/// As editors do it: dates are strings.
fn to_json(value: &toml::Value) -> Value {
    match value {
        toml::Value::Datetime(date) => date.to_string().into(),
        toml::Value::Table(table) => table.iter().map(|(key, value)| (key.clone(), to_json(value))).collect(),
        toml::Value::Array(items) => items.iter().map(to_json).collect(),
        other => serde_json::to_value(other).unwrap(),
    }
}

/// What the reader says against it.
fn refusals(text: &str) -> Vec<String> {
    let (mut sources, mut trees) = (Sources::default(), Trees::default());
    let source = sources.add("runnerlint.toml", text, Encoding::Utf8, true);
    let tree = trees.add(reader::parse(text.into(), source));
    Config::read(&trees, tree, &metas()).1.into_iter().map(|found| found.message).collect()
}

#[test]
fn the_file_is_fresh() {
    let text = serde_json::to_string_pretty(&schema(&metas())).unwrap() + "\n";
    if std::fs::read_to_string(FILE).is_ok_and(|found| found == text) {
        return;
    }
    std::fs::write(FILE, text).unwrap();
    panic!("{FILE} was stale, rewritten just now, to be committed. Run the test again.");
}

#[test]
fn configurations_of_the_cases_are_judged_alike() {
    let validator = validator();
    let mut seen = 0;
    for path in configurations() {
        let text = std::fs::read_to_string(&path).unwrap();
        let Some(complaints) = complaints(&validator, &text) else { continue };
        let refusals = refusals(&text);
        assert_eq!(complaints.is_empty(), refusals.is_empty(), "{}: {complaints:?} {refusals:?}", path.display());
        seen += 1;
    }
    assert!(seen > 20, "few configurations were found: {seen}");
}

fn configurations() -> Vec<PathBuf> {
    let entries = walkdir::WalkDir::new("testdata").sort_by_file_name().into_iter().map(|entry| entry.unwrap());
    entries.filter(|entry| entry.file_name() == "runnerlint.toml").map(walkdir::DirEntry::into_path).collect()
}

#[test]
fn what_init_writes_is_right() {
    let values = vec!["values.yaml".to_owned()];
    let stack = FoundStack { name: "a".to_owned(), chart: Some("gitlab-runner".to_owned()), values };
    assert_eq!(complaints(&validator(), &template(&[stack])), Some(Vec::new()));
}

#[test]
fn right_and_wrong_words() {
    let validator = validator();
    for text in [
        "",
        "helm-version = \"3\"",
        "helm-version = \"v4.1.0\"",
        "kube-version = \"1.31\"",
        "kube-version = \"v1.31.2\"",
        "kube-version = \"1.31+\"",
        "gitlab-runner-version = \"18.9\"",
        "gitlab-runner-version = \"v18.9.1\"",
        "as-of = 2026-11-30",
        "node-pools = \"open\"\nexclude = [\"vendor/**\"]",
        "[rules]\narc = \"off\"\nsecurity = \"error\"\n\"arc/runner-no-resources\" = \"info\"",
        "[rule-options.\"arc/runner-version-stale\"]\ndays = 9",
        "[[override]]\npaths = [\"a\"]\nrules = { gitlab = \"info\" }",
        "[[stack]]\nname = \"a\"\nchart = \"b\"\nvalues = [\"c\"]\nset = [\"a=1\"]\nset-json = []\nset-string = []\nset-file = []\nset-literal = []\nnamespace = \"d\"\nrelease = \"e\"",
    ] {
        assert_eq!(refusals(text), Vec::<String>::new(), "{text}");
        assert_eq!(complaints(&validator, text), Some(Vec::new()), "{text}");
    }
    for text in [
        "helm = \"3\"",
        "helm-version = \"2\"",
        "helm-version = 3",
        "kube-version = \"new\"",
        "gitlab-runner-version = \"18\"",
        "gitlab-runner-version = 18.9",
        "node-pools = \"shut\"",
        "exclude = \"a\"",
        "stack = {}",
        "[[stack]]\nvalue = []",
        "[rules]\narch = \"off\"",
        "[rules]\narc = \"of\"",
        "[rule-options.\"arc/runner-version-stale\"]\nday = 9",
        "[rule-options.\"arc/runner-version-stale\"]\ndays = \"9\"",
        "[[override]]\npath = []",
    ] {
        assert_ne!(refusals(text), Vec::<String>::new(), "{text}");
        assert_ne!(complaints(&validator, text), Some(Vec::new()), "{text}");
    }
}
