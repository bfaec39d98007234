//! Unknown is never a finding: in each example of the rules' pages one value after the other is replaced by markup that
//! somebody else fills in, and nothing more may be found than before.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "a test")]

mod harness;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use jiff::civil::Date;
use runnerlint::diagnostic::Severity;
use runnerlint::rule::page::{ExampleFile, Page};
use runnerlint::rules;
use runnerlint::syntax::{Kind, Node, Tree, toml, yaml};
use runnerlint::text::SourceId;

const MARKUP: &str = "\"{{ .Values.some }}\"";

/// What says what a thing is: nobody fills that in.
const KINDS: [&str; 7] = ["kind", "apiVersion", "apiGroup", "chart", "uses", "run", "script"];
const NAMES_OF_CONTAINERS: [&str; 4] = ["runner", "dind", "docker", "manager"];

/// Rules about keys, which stay right whatever the value is.
const ABOUT_KEYS: [&str; 10] = [
    "arc/security-context-level",
    "gitlab/chart-config-replaced",
    "gitlab/chart-legacy-cache-key",
    "gitlab/chart-legacy-runners-key",
    "gitlab/chart-token-options",
    "gitlab/ci-overwrite-disabled",
    "gitlab/feature-flag-unknown",
    "gitlab/removed-key",
    "helm/unknown-values-key",
    "meta/unused-suppression",
];

/// Page, value and finding of what is found nevertheless.
const NEVERTHELESS: [(&str, &str, &str); 11] = [
    // The newest release is meant where nobody says which.
    ("gitlab/feature-flag-removed", "alpine-v17.11.0", "gitlab/feature-flag-removed"),
    ("gitlab/unknown-key", "9.0.0", "gitlab/unknown-key"),
    // Names that are chosen by programs are seldom filled in.
    ("arc/k8s-docker-in-workflow", "docker:27-dind", "arc/k8s-docker-in-workflow"),
    ("arc/k8s-job-without-container", "ACTIONS_RUNNER_REQUIRE_JOB_CONTAINER", "arc/k8s-job-without-container"),
    ("arc/k8s-work-fsgroup-missing", "work", "arc/k8s-work-fsgroup-missing"),
    ("gitlab/cache-s3-static-keys-ignored", "CACHE_S3_SERVER_ADDRESS", "gitlab/cache-s3-static-keys-ignored"),
    ("gitlab/cache-type-unknown", "CACHE_S3_BUCKET_NAME", "gitlab/cache-type-unknown"),
    // That two sets share a name, or a secret of one name lies in two namespaces, is said where it stands.
    ("arc/k8s-job-without-container", "acme-linux", "arc/k8s-job-without-container"),
    ("arc/secret-namespace", "acme-gha-app", "arc/secret-namespace"),
    // The toleration's value is not the taint's, whatever the rest is.
    ("scheduling/toleration-near-miss", "dedicated", "scheduling/pod-matches-no-nodepool"),
    ("scheduling/toleration-near-miss", "", "scheduling/pod-matches-no-nodepool"),
];

/// How often each rule finds something in each file, infos aside.
type Counts = BTreeMap<(&'static str, String), usize>;

#[test]
fn unknown_values_of_arc_add_no_finding() {
    check(|family| family == "arc");
}

#[test]
fn unknown_values_of_others_add_no_finding() {
    check(|family| family != "arc");
}

fn check(is_wanted: fn(&str) -> bool) {
    let mut wrong = String::new();
    let mut tried = 0;
    for rule in rules::all().iter().filter(|rule| is_wanted(rule.meta.family())) {
        let page = Page::parse(&format!("rules/{}.md", rule.meta.id), rule.meta.page).unwrap();
        for example in &page.examples {
            let before = counts(&example.files, page.as_of);
            for (index, file) in example.files.iter().enumerate() {
                for (place, text) in variants(file) {
                    tried += 1;
                    let mut files = example.files.clone();
                    files[index].text = text;
                    let after = counts(&files, page.as_of);
                    for rule_found in more(&before, &after).filter(|rule| !ABOUT_KEYS.contains(rule)) {
                        let entry = (page.front.id.as_str(), place.value.as_str(), rule_found);
                        if !NEVERTHELESS.contains(&entry) {
                            writeln!(wrong, "{entry:?} at {}:{}: {}", file.name, place.line, example.title).unwrap();
                        }
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
    assert!(tried > 1500, "few values were replaced: {tried}");
}

struct Place {
    value: String,
    line: usize,
}

/// The file with one value replaced, for each value.
fn variants(file: &ExampleFile) -> Vec<(Place, String)> {
    let tree = match file.name.rsplit_once('.') {
        _ if file.name.ends_with("runnerlint.toml") || file.name.ends_with("Chart.yaml") => return Vec::new(),
        Some((_, "yaml" | "yml")) => yaml::parse(file.text.as_str().into(), SourceId(0)),
        Some((_, "toml")) => toml::parse(file.text.as_str().into(), SourceId(0)),
        _ => return Vec::new(),
    };
    let is_whole = tree.errors.is_empty();
    replaceable(&tree)
        .filter(|_| is_whole)
        .map(|node| {
            let mut text = file.text.clone();
            text.replace_range(node.span().range(), MARKUP);
            let place = Place { value: node.text().to_owned(), line: lines_before(node) + 1 };
            (place, text)
        })
        .collect()
}

fn lines_before(node: Node<'_>) -> usize {
    node.tree.text.bytes().take(node.span().start as usize).filter(|byte| *byte == b'\n').count()
}

fn replaceable(tree: &Tree) -> impl Iterator<Item = Node<'_>> {
    tree.nodes().filter(|node| {
        let is_value = node.parent().is_some_and(|parent| parent.kind().is_seq() || node.key().is_some());
        let key = node.key().or_else(|| node.parent()?.key()).map(Node::text).unwrap_or_default();
        let is_word = matches!(node.kind(), Kind::Literal | Kind::Folded) || node.span().start == node.span().end;
        let is_named = key == "name" && NAMES_OF_CONTAINERS.contains(&node.text());
        is_value && node.kind().is_scalar() && !is_word && !is_named && !KINDS.contains(&key)
    })
}

fn counts(files: &[ExampleFile], today: Date) -> Counts {
    let folder = tempfile::tempdir().unwrap();
    for file in files {
        harness::write(folder.path(), &file.name, &file.text);
    }
    let mut counts = Counts::new();
    for finding in harness::check(folder.path(), today, &[]).findings {
        if finding.severity > Severity::Info {
            let file = finding.place.unwrap_or_else(|| panic!("{} has no place", finding.rule)).file;
            *counts.entry((finding.rule, file)).or_default() += 1;
        }
    }
    counts
}

/// The rules that find more in some file than before.
fn more<'c>(before: &'c Counts, after: &'c Counts) -> impl Iterator<Item = &'static str> + 'c {
    after
        .iter()
        .filter(|(place, count)| before.get(place).is_none_or(|known| known < count))
        .map(|((rule, _), _)| *rule)
}
