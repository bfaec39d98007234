//! What may change around a finding without making it another one.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "a test")]

mod harness;

use std::collections::BTreeSet;

use jiff::civil::date;
use proptest::prelude::*;

/// How a project may be written without any of its faults changing.
#[derive(Debug, Clone)]
struct Style {
    /// Comment and empty lines before each line.
    padding: Vec<u8>,
    /// Order of keys, drawn from as long as there are any.
    order: Vec<u8>,
    /// Names of the sidecar, an environment variable and a sibling key.
    sibling: String,
    /// Whether the sidecar stands before the runner.
    first: bool,
}

fn styles() -> impl Strategy<Value = Style> {
    let padding = prop::collection::vec(0u8..3, 1..20);
    let order = prop::collection::vec(any::<u8>(), 1..20);
    (padding, order, "[a-z]{3,8}", any::<bool>()).prop_map(|(padding, order, sibling, first)| Style {
        padding,
        order,
        sibling,
        first,
    })
}

/// Blocks of lines in an order of the style's choice.
fn shuffled(style: &Style, mut blocks: Vec<String>) -> String {
    let mut out = String::new();
    let mut draws = style.order.iter().cycle();
    while !blocks.is_empty() {
        let index = usize::from(*draws.next().unwrap()) % blocks.len();
        out += &blocks.remove(index);
    }
    out
}

fn padded(style: &Style, text: &str) -> String {
    let mut draws = style.padding.iter().cycle();
    let mut out = String::new();
    for line in text.lines() {
        match *draws.next().unwrap() {
            1 => out.push('\n'),
            2 => out += "# a note\n",
            _ => {}
        }
        out += line;
        out.push('\n');
    }
    out
}

fn items(style: &Style, runner: String, sidecar: String) -> String {
    if style.first { sidecar + &runner } else { runner + &sidecar }
}

fn base(style: &Style) -> String {
    let name = &style.sibling;
    let runner = "      - name: runner\n        image: ghcr.io/actions/actions-runner:2.319.0\n        command: [/home/runner/run.sh]\n";
    let sidecar = format!("      - name: side-{name}\n        image: busybox:1.36\n");
    let containers = items(style, runner.to_owned(), sidecar);
    padded(
        style,
        &shuffled(
            style,
            vec![
                format!("template:\n  spec:\n    containers:\n{containers}"),
                "githubConfigUrl: https://github.com/o/r\n".to_owned(),
                "githubConfigSecret: s\n".to_owned(),
                "minRunners: 1\n".to_owned(),
                "controllerServiceAccount: {name: arc, namespace: arc}\n".to_owned(),
                format!("x-{name}: x\n"),
            ],
        ),
    )
}

fn overlay(style: &Style) -> String {
    let name = &style.sibling;
    let fields = shuffled(
        style,
        vec![
            "        env:\n          - name: A\n            value: b\n".to_owned(),
            "        securityContext:\n          privileged: true\n".to_owned(),
        ],
    );
    let runner = format!("      - name: runner\n{fields}");
    let sidecar = format!("      - name: side-{name}\n        image: busybox:1.36\n");
    let containers = items(style, runner, sidecar);
    padded(
        style,
        &shuffled(
            style,
            vec![format!("template:\n  spec:\n    containers:\n{containers}"), "maxRunners: 5\n".to_owned()],
        ),
    )
}

fn runner_config(style: &Style) -> String {
    let settings = shuffled(
        style,
        vec![
            "    privileged = true\n".to_owned(),
            "    helper_memory_limit = \"1Gi\"\n".to_owned(),
            format!("    namespace = \"{}\"\n", style.sibling),
        ],
    );
    padded(
        style,
        &format!(
            "concurrent = 4\n[[runners]]\n  name = \"one\"\n  executor = \"kubernetes\"\n  [runners.kubernetes]\n{settings}"
        ),
    )
}

/// The same as text in values.
fn embedded(style: &Style) -> String {
    let runner =
        "[[runners]]\n  name = \"one\"\n  executor = \"kubernetes\"\n  [runners.kubernetes]\n    privileged = true\n";
    let limits = "    memory_limit = \"1Gi\"\n    helper_memory_limit = \"1Gi\"\n    service_memory_limit = \"1Gi\"\n";
    let sibling = format!(
        "[[runners]]\n  name = \"side-{}\"\n  executor = \"kubernetes\"\n  [runners.kubernetes]\n{limits}",
        style.sibling
    );
    let text = padded(style, &items(style, runner.to_owned(), sibling));
    let lines: String = text.lines().map(|line| format!("    {line}\n")).collect();
    let config = format!("runners:\n  config: |\n{lines}");
    shuffled(style, vec![config, "gitlabUrl: https://gitlab.com\n".to_owned(), "rbac: {create: true}\n".to_owned()])
}

/// Rule, file and fingerprint of each finding that is not about a sibling.
fn fingerprints(style: &Style) -> BTreeSet<(String, String, String)> {
    let folder = tempfile::tempdir().unwrap();
    harness::write(folder.path(), "values.yaml", &base(style));
    harness::write(folder.path(), "values-prod.yaml", &overlay(style));
    harness::write(folder.path(), "config.toml", &runner_config(style));
    harness::write(folder.path(), "gitlab/values.yaml", &embedded(style));
    harness::write(
        folder.path(),
        "runnerlint.toml",
        "[[stack]]\nname = \"prod\"\nchart = \"gha-runner-scale-set@0.14.2\"\nvalues = [\"values.yaml\", \"values-prod.yaml\"]\n",
    );
    let report = harness::check(folder.path(), date(2026, 11, 30), &[]);
    let about_sibling = |finding: &&runnerlint::lint::Finding| {
        let item = if style.first { "containers[0]" } else { "containers[1]" };
        let path = finding.place.as_ref().map_or("", |place| &place.path);
        // What registration makes of a template is about its first runner, whichever that is.
        let both = finding.rule.starts_with("gitlab/chart-template-");
        both || path.contains(item) || finding.message.contains(&format!("side-{}", style.sibling))
    };
    let found = report.findings.iter().filter(|finding| !about_sibling(finding));
    found
        .map(|finding| {
            let in_text = finding.place.as_ref().is_some_and(|place| place.path.contains(" > "));
            assert_eq!(in_text, finding.place.as_ref().is_some_and(|place| place.file.starts_with("gitlab/")));
            let file = finding.place.as_ref().map(|place| place.file.clone()).unwrap_or_default();
            (finding.rule.to_owned(), file, finding.fingerprint.clone())
        })
        .collect()
}

#[test]
fn layout_is_no_part_of_a_fingerprint() {
    let plain = Style { padding: vec![0], order: vec![0], sibling: "car".to_owned(), first: false };
    let expected = fingerprints(&plain);
    let rules: BTreeSet<_> = expected.iter().map(|(rule, ..)| rule.as_str()).collect();
    assert!(rules.len() >= 4, "too little to compare: {rules:?}");
    assert!(expected.iter().any(|(_, file, _)| file == "gitlab/values.yaml"), "nothing in embedded text");
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig {
        cases: 48,
        failure_persistence: None,
        ..ProptestConfig::default()
    });
    runner
        .run(&styles(), |style| {
            prop_assert_eq!(fingerprints(&style), expected.clone());
            Ok(())
        })
        .unwrap();
}
