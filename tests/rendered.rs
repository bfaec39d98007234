//! One fault in values and in their rendered output counts once: every page's examples and every case, with
//! what the chart would render of their scale sets beside them.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "a test")]

mod harness;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use jiff::civil::Date;
use runnerlint::lint::{self, Report};
use runnerlint::project::{self, Document, Request};
use runnerlint::rule::page::Page;
use runnerlint::rules;
use runnerlint::values::{self, Value};
use runnerlint::view::{ContainerMode, ScaleSet, Stack};
use serde_json::{Map, Value as Json, json};

const RENDERED: &str = "rendered-by-the-test.yaml";

/// What makes an example good and is not in what the chart renders.
const SAID_IN_VALUES_ONLY: [(&str, &str); 3] = [
    ("arc/floating-tag-if-not-present", "Good: a comment says that another image takes its place"),
    ("arc/listener-image-pinned", "Good: the chart's version is not known"),
    ("arc/no-max-runners", "Good: no limit on purpose"),
];

#[test]
fn examples_of_pages() {
    let mut wrong = String::new();
    for rule in rules::all() {
        let page = Page::parse(&format!("rules/{}.md", rule.meta.id), rule.meta.page).unwrap();
        for (number, example) in (1..).zip(&page.examples) {
            let folder = tempfile::tempdir().unwrap();
            for file in &example.files {
                harness::write(folder.path(), &file.name, &file.text);
            }
            if SAID_IN_VALUES_ONLY.contains(&(rule.meta.id, example.title.as_str())) {
                continue;
            }
            let name = format!("{}, example {number} ({})", rule.meta.id, example.title);
            check(folder.path(), &name, page.as_of, &[rule.meta.id], &mut wrong);
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn cases() {
    let mut wrong = String::new();
    let top = std::env::var("CASES_OF").unwrap_or_else(|_| "testdata/cases".to_owned());
    let entries = walkdir::WalkDir::new(top).sort_by_file_name().into_iter().map(Result::unwrap);
    for case in entries.filter(|entry| entry.file_name() == "expect.yaml") {
        let case = case.path().parent().unwrap();
        let copy = tempfile::tempdir().unwrap();
        harness::copy_all(case, copy.path());
        check(copy.path(), &case.display().to_string(), jiff::civil::date(2026, 8, 17), &[], &mut wrong);
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

fn check(folder: &Path, name: &str, today: Date, select: &[&str], wrong: &mut String) {
    let objects = render(folder);
    if objects.is_empty() {
        return;
    }
    let alone = said(&harness::check(folder, today, select));
    let list = json!({"apiVersion": "v1", "kind": "List", "items": objects});
    harness::write(folder, RENDERED, &serde_json::to_string_pretty(&list).unwrap());
    let both = said(&harness::check(folder, today, select));
    for (what, findings) in [("lost", alone.difference(&both)), ("more", both.difference(&alone))] {
        for finding in findings.filter(|finding| !is_said_of_quotes(finding, &alone)) {
            writeln!(wrong, "{name}: {what} with its rendered output: {finding}").unwrap();
        }
    }
}

/// The chart leaves a quoted count out: rendered, there is none.
fn is_said_of_quotes(finding: &str, alone: &BTreeSet<String>) -> bool {
    finding.ends_with(" arc/no-max-runners") && alone.iter().any(|said| said.ends_with(" arc/quoted-runner-count"))
}

fn said(report: &Report) -> BTreeSet<String> {
    report.findings.iter().map(|finding| format!("{} {}", harness::place(finding), finding.rule)).collect()
}

/// What the chart renders of the scale sets in a folder's values; nothing where that is there already.
fn render(folder: &Path) -> Vec<Json> {
    let request = Request { directory: folder.to_owned(), paths: vec![".".into()], ..Request::default() };
    let metas: Vec<_> = rules::all().iter().map(|rule| &rule.meta).collect();
    let Ok(project) = project::load(&request, &metas) else { return Vec::new() };
    let is_rendered =
        |object: &Document| object.value.get("kind").and_then(Value::as_str) == Some("AutoscalingRunnerSet");
    if project.objects.iter().any(is_rendered) {
        return Vec::new();
    }
    let stacks = lint::stacks(&project);
    stacks
        .iter()
        .flat_map(|stack| ScaleSet::of_stack(stack).into_iter().filter_map(|set| object(stack, &set)))
        .collect()
}

fn object(stack: &Stack<'_>, set: &ScaleSet<'_>) -> Option<Json> {
    let said = if set.home.is_experimental() { stack.release } else { set.name().known() };
    let name = &said.unwrap_or("release-name").replace('_', "-");
    let version = set.chart()?.version.map_or_else(|| "0.14.2".to_owned(), |version| version.to_string());
    let mut spec = Map::new();
    for key in ["githubConfigUrl", "runnerGroup", "listenerTemplate", "proxy", "githubServerTLS"] {
        let written = set.at(&[key]).filter(|value| !value.is_empty());
        spec.extend(written.map(|value| (key.to_owned(), to_json(value))));
    }
    // The chart leaves out what is no number.
    for key in ["minRunners", "maxRunners"] {
        let number = set.at(&[key]).filter(|value| value.as_f64().is_some());
        spec.extend(number.map(|value| (key.to_owned(), to_json(value))));
    }
    spec.insert("githubConfigSecret".to_owned(), json!(format!("{name}-gha-rs-github-secret")));
    let registered = set.name().known().filter(|_| set.home.is_experimental()).unwrap_or(name);
    spec.insert("runnerScaleSetName".to_owned(), json!(registered));
    let pod = set.runner_pod()?;
    let Json::Object(mut pod) = to_json(pod.rendered()?.pod().spec) else { return None };
    pod.entry("restartPolicy").or_insert(json!("Never"));
    let has_hooks = matches!(set.container_mode(), ContainerMode::Kubernetes | ContainerMode::KubernetesNoVolume);
    let account = if has_hooks { "kube-mode" } else { "no-permission" };
    pod.entry("serviceAccountName").or_insert(json!(format!("{name}-gha-rs-{account}")));
    let metadata = set.at(&["template", "metadata"]).map_or_else(|| json!({}), to_json);
    spec.insert("template".to_owned(), json!({"metadata": metadata, "spec": pod}));
    let labels = json!({
        "helm.sh/chart": format!("gha-rs-{version}"),
        "app.kubernetes.io/instance": name,
        "app.kubernetes.io/name": name,
        "app.kubernetes.io/version": version,
        "app.kubernetes.io/part-of": "gha-rs",
        "app.kubernetes.io/component": "autoscaling-runner-set",
        "actions.github.com/scale-set-name": name,
    });
    let mut metadata = json!({"name": name, "labels": labels});
    metadata["namespace"] = stack.namespace.map_or(Json::Null, |namespace| json!(namespace));
    Some(json!({
        "apiVersion": "actions.github.com/v1alpha1",
        "kind": "AutoscalingRunnerSet",
        "metadata": metadata,
        "spec": spec,
    }))
}

fn to_json(value: &Value) -> Json {
    serde_json::from_str(&values::to_json(value)).unwrap()
}
