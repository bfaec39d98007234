//! The same fault in a values file of its own and in every other place for a chart's values is the same finding at
//! the right line: each example that is one values file is put into each host.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "a test")]

mod harness;

use std::collections::BTreeSet;
use std::fmt::Write as _;

use jiff::civil::Date;
use runnerlint::lint;
use runnerlint::project::{self, Request};
use runnerlint::rule::page::Page;
use runnerlint::rules;

const ALONE: &str = "values.yaml";

/// Examples that are about the place: who renders it, what is known of it, or what goes for its first document.
const OF_THE_PLACE: [(&str, &str); 4] = [
    ("arc/missing-controller-service-account", "Bad: nothing says who renders it"),
    ("gitlab/chart-role-namespace-mismatch", "Good: the namespace of the release is not known"),
    ("helm/unknown-values-key", "Good: values of another chart that look alike"),
    // The null of a chart around it leaves no trace in the merge.
    ("arc/no-max-runners", "Good: no limit on purpose"),
];
const OF_DOCUMENTS: [&str; 2] = ["helm/multi-document-values", "helm/values-cut-short"];

/// A place for values.
struct Host {
    name: &'static str,
    /// The file that holds them.
    file: &'static str,
    /// Its text before the values, and how far they are indented. `CHART` is the chart's name.
    before: &'static str,
    indent: usize,
    /// The files beside it.
    beside: &'static [(&'static str, &'static str)],
}

const HOSTS: [Host; 6] = [
    Host {
        name: "an overlay",
        file: "values-prod.yaml",
        before: "",
        indent: 0,
        beside: &[
            ("values.yaml", "{}\n"),
            ("runnerlint.toml", "[[stack]]\nchart = \"CHART\"\nvalues = [\"values.yaml\", \"values-prod.yaml\"]\n"),
        ],
    },
    Host {
        name: "an umbrella",
        file: "values.yaml",
        before: "CHART:\n",
        indent: 2,
        beside: &[(
            "Chart.yaml",
            "apiVersion: v2\nname: runners\nversion: 1.0.0\ndependencies:\n  - {name: CHART, version: '*'}\n",
        )],
    },
    Host {
        name: "an umbrella with an alias",
        file: "values.yaml",
        before: "global: {}\nlinux:\n",
        indent: 4,
        beside: &[(
            "Chart.yaml",
            "apiVersion: v2\nname: runners\nversion: 1.0.0\ndependencies:\n  - {name: CHART, version: '*', alias: linux}\n",
        )],
    },
    Host {
        name: "a HelmRelease",
        file: "release.yaml",
        before: "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: one, namespace: ci}\nspec:\n  chart:\n    \
                 spec:\n      chart: CHART\n      sourceRef: {kind: HelmRepository, name: charts}\n  values:\n",
        indent: 4,
        beside: &[],
    },
    Host {
        name: "an Application",
        file: "application.yaml",
        before: "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: one, namespace: argocd}\nspec:\n  destination: \
                 {namespace: ci}\n  source:\n    chart: CHART\n    repoURL: charts.example.com\n    helm:\n      valuesObject:\n",
        indent: 8,
        beside: &[],
    },
    Host {
        name: "the text of an Application",
        file: "application.yaml",
        before: "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: one, namespace: argocd}\nspec:\n  destination: \
                 {namespace: ci}\n  source:\n    chart: CHART\n    repoURL: charts.example.com\n    helm:\n      values: |\n",
        indent: 8,
        beside: &[],
    },
];

impl Host {
    /// Rule and line of what is said of the values here, as a line of theirs.
    fn check(&self, values: &str, chart: &str, today: Date, rule: &str) -> BTreeSet<(String, usize)> {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in self.beside {
            harness::write(folder.path(), name, &text.replace("CHART", chart));
        }
        let indent = " ".repeat(self.indent);
        let lines =
            values.lines().map(|line| if line.is_empty() { "\n".to_owned() } else { format!("{indent}{line}\n") });
        let text = format!("{}{}", self.before.replace("CHART", chart), lines.collect::<String>());
        harness::write(folder.path(), self.file, &text);
        let before = self.before.matches('\n').count();
        let report = harness::check(folder.path(), today, &[rule]);
        let found = report.findings.iter().map(|finding| {
            let place = finding.place.as_ref().expect("a place");
            // What is said of all the values is said at the key that leads to them.
            (place.file.replace(self.file, ALONE), place.start.line.saturating_sub(before).max(1))
        });
        found.collect()
    }
}

#[test]
fn a_fault_is_the_same_in_every_host() {
    let mut wrong = String::new();
    let mut compared = BTreeSet::new();
    for rule in rules::all() {
        let page = Page::parse(&format!("rules/{}.md", rule.meta.id), rule.meta.page).unwrap();
        for (number, example) in (1..).zip(&page.examples) {
            let [file] = example.files.as_slice() else { continue };
            if OF_DOCUMENTS.contains(&rule.meta.id) || OF_THE_PLACE.contains(&(rule.meta.id, example.title.as_str())) {
                continue;
            }
            let Some(chart) = (file.name == ALONE).then(|| chart_of(&file.text)).flatten() else { continue };
            let expected: BTreeSet<_> = file.expected.iter().map(|line| (ALONE.to_owned(), *line)).collect();
            for host in &HOSTS {
                let found = host.check(&file.text, chart, page.as_of, rule.meta.id);
                if found != expected {
                    let title = &example.title;
                    writeln!(
                        wrong,
                        "{}, example {number} ({title}) in {}: {expected:?}, found {found:?}",
                        rule.meta.id, host.name
                    )
                    .unwrap();
                }
            }
            compared.insert(rule.meta.id);
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
    assert!(compared.len() > 60, "few rules were compared: {compared:?}");
}

/// The chart that values alone are held for.
fn chart_of(values: &str) -> Option<&'static str> {
    let folder = tempfile::tempdir().unwrap();
    harness::write(folder.path(), ALONE, values);
    let request = Request { directory: folder.path().to_owned(), paths: vec![".".into()], ..Request::default() };
    let metas: Vec<_> = rules::all().iter().map(|rule| &rule.meta).collect();
    let project = project::load(&request, &metas).ok()?;
    let stacks = lint::stacks(&project);
    let [stack] = stacks.as_slice() else { return None };
    let [part] = stack.parts.as_slice() else { return None };
    part.prefix.is_empty().then(|| part.chart.chart.name())
}
