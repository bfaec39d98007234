use super::*;
use crate::diagnostic::{Fault, Label, Severity};
use crate::rule::{Category, Check, Checker, Meta};
use crate::text::{Encoding, Location, Sources, Span};
use crate::view;

const fn meta(id: &'static str) -> Meta {
    Meta {
        id,
        severity: Severity::Error,
        category: Category::Correctness,
        summary: "",
        inputs: &[],
        since: "0.1.0",
        on_by_default: true,
        options: &[],
        page: "",
    }
}

fn fails(_: &view::Fleet<'_>, _: &mut Checker<'_>) {
    panic!("out of luck");
}

fn speaks(_: &view::Fleet<'_>, checker: &mut Checker<'_>) {
    checker.report_value(&crate::values::Value::new(crate::values::Data::Null, NOWHERE), "said");
}

const NOWHERE: crate::values::Origin = crate::values::Origin { layer: crate::values::LayerId(0), node: None };

static RULES: [Rule; 3] = [
    Rule { meta: meta("a/fails"), check: Check::Fleet(fails) },
    Rule { meta: meta("a/speaks"), check: Check::Fleet(speaks) },
    Rule { meta: meta("meta/internal-error"), check: Check::Engine },
];

fn options() -> Options {
    Options {
        today: jiff::civil::date(2026, 11, 30),
        as_of: None,
        kube_version: None,
        gitlab_runner_version: None,
        node_pools_closed: None,
        selection: Selection::default(),
    }
}

#[test]
fn a_rule_that_fails_is_named_and_the_others_go_on() {
    let report = run(&Project::default(), &options(), &RULES);
    let said: Vec<_> = report.findings.iter().map(|found| (found.rule, found.message.as_str())).collect();
    let failure = "the rule `a/fails` failed on this input: out of luck";
    assert_eq!(said, [("a/speaks", "said"), ("meta/internal-error", failure)]);
    assert_eq!((report.summary.errors, report.summary.as_of.as_str()), (2, "2026-11-30"));
}

/// Sources in which to point at things.
fn files() -> Project {
    let mut sources = Sources::default();
    for name in ["a.yaml", "b.yaml", "rendered.yaml"] {
        sources.add(name, "key: value\nother: value\n", Encoding::Utf8, true);
    }
    Project { sources, ..Project::default() }
}

fn label(project: &Project, file: &str, start: usize) -> Label {
    let source = project.sources.iter().find(|(_, source)| source.name == file).unwrap().0;
    Label {
        location: Location { source, span: Span::new(start, start + 3) },
        path: String::new(),
        message: String::new(),
    }
}

fn found(primary: Label, related: Vec<Label>, message: &str, subject: usize) -> Found {
    let diagnostic = Diagnostic {
        rule: "a/speaks",
        severity: Severity::Warning,
        message: message.to_owned(),
        primary: Some(primary),
        related,
        help: None,
        fault: None,
    };
    Found { diagnostic, subject: Some(subject), in_object: false, config: None }
}

#[test]
fn stacks_that_show_the_same_place_count_once() {
    let files = files();
    let at = |file, start| label(&files, file, start);
    let folded = fold::fold(vec![
        found(at("a.yaml", 0), vec![at("b.yaml", 0)], "lost in dev", 0),
        found(at("a.yaml", 0), vec![at("b.yaml", 11)], "lost in prod", 1),
        found(at("a.yaml", 11), vec![], "elsewhere", 1),
    ]);
    let said: Vec<_> = folded.iter().map(|found| found.diagnostic.message.as_str()).collect();
    assert_eq!(said, ["lost in dev", "elsewhere"]);
    assert_eq!(folded[0].diagnostic.related.len(), 2);
}

#[test]
fn one_subject_may_show_two_faults_at_one_place() {
    let files = files();
    let at = || label(&files, "a.yaml", 0);
    let twice = vec![found(at(), vec![], "no limits", 0), found(at(), vec![], "no requests", 0)];
    assert_eq!(fold::fold(twice).len(), 2);
    let same = vec![found(at(), vec![], "no limits", 0), found(at(), vec![], "no limits", 0)];
    assert_eq!(fold::fold(same).len(), 1);
}

#[test]
fn what_was_rendered_from_values_is_related_to_them() {
    let files = files();
    let fault = |release: Option<&str>| Fault {
        chart: "c".to_owned(),
        release: release.map(str::to_owned),
        kind: "k".to_owned(),
        container: "runner".to_owned(),
        in_object: false,
    };
    let seen = |file, in_object, release| {
        let mut found = found(label(&files, file, 0), vec![], file, usize::from(in_object));
        found.diagnostic.fault = Some(fault(release));
        found.in_object = in_object;
        found
    };
    let folded = fold::fold(vec![seen("rendered.yaml", true, Some("linux")), seen("a.yaml", false, None)]);
    assert_eq!(folded.len(), 1);
    assert_eq!(folded[0].diagnostic.message, "a.yaml");
    assert_eq!(folded[0].diagnostic.related[0].message, "rendered here");
    let apart = fold::fold(vec![seen("rendered.yaml", true, Some("linux")), seen("a.yaml", false, Some("arm"))]);
    assert_eq!(apart.len(), 2);
}

#[test]
fn findings_stand_in_the_order_of_files() {
    let files = files();
    let at = |file, start| found(label(&files, file, start), vec![], file, 0);
    let report = finish::finish(&files, &options(), vec![at("b.yaml", 0), at("a.yaml", 11), at("a.yaml", 0)], 0);
    let places: Vec<_> = report.findings.iter().map(|found| found.place.as_ref().unwrap()).collect();
    let places: Vec<_> = places.iter().map(|place| (place.file.as_str(), place.start.line)).collect();
    assert_eq!(places, [("a.yaml", 1), ("a.yaml", 2), ("b.yaml", 1)]);
}
