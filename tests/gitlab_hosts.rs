//! The same fault in a file of its own and in every host of a runner's TOML is the same finding at the right
//! line of the host: each example and case that has a `config.toml` is put into each host.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "a test")]

mod harness;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use jiff::civil::{Date, date};
use runnerlint::lint::Report;
use runnerlint::rule::page::Page;
use runnerlint::rules;

const ALONE: &str = "config.toml";
const HOST: &str = "host.yaml";

/// Rules that ask for more than the text: what of it the chart's registration keeps, the process's own settings.
const OF_THE_FILE: [&str; 5] = [
    "gitlab/legacy-ci-url",
    "gitlab/token-empty",
    "gitlab/concurrent-invalid",
    "gitlab/long-polling",
    "gitlab/helper-image-pinned",
];

/// Rule, level and line.
type Fault = (String, String, usize);

/// A document that holds TOML.
struct Host {
    name: &'static str,
    /// Its text around the TOML.
    around: (&'static str, &'static str),
    style: Style,
}

/// How the TOML stands in it.
#[derive(Clone, Copy)]
enum Style {
    /// A block scalar, indented by so much.
    Block(usize),
    /// A double-quoted string on one line.
    Quoted,
}

const HOSTS: [Host; 7] = [
    Host {
        name: "a block scalar",
        around: ("gitlabUrl: https://gitlab.com\nrunners:\n  config: |\n", ""),
        style: Style::Block(4),
    },
    Host {
        name: "a block scalar with an indentation indicator",
        around: ("gitlabUrl: https://gitlab.com\nrunners:\n  config: |2-\n", "  name: one\n"),
        style: Style::Block(4),
    },
    Host {
        name: "a quoted string",
        around: ("gitlabUrl: https://gitlab.com\nrunners:\n  config: ", "\n"),
        style: Style::Quoted,
    },
    Host {
        name: "a HelmRelease",
        around: (
            "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: runner, namespace: ci}\nspec:\n  \
             chart:\n    spec:\n      chart: gitlab-runner\n      sourceRef: {kind: HelmRepository, name: gitlab}\n  \
             values:\n    gitlabUrl: https://gitlab.com\n    runners:\n      config: |\n",
            "",
        ),
        style: Style::Block(8),
    },
    Host {
        name: "an Application",
        around: (
            "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: runner, namespace: argocd}\nspec:\n  \
             destination: {namespace: ci}\n  source:\n    repoURL: https://charts.gitlab.io\n    chart: gitlab-runner\n    \
             helm:\n      valuesObject:\n        gitlabUrl: https://gitlab.com\n        runners:\n          config: |\n",
            "",
        ),
        style: Style::Block(12),
    },
    Host {
        name: "a rendered ConfigMap",
        around: (
            "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: runner-gitlab-runner\n  labels: {app: \
             runner-gitlab-runner, release: runner}\ndata:\n  config.template.toml: |\n",
            "",
        ),
        style: Style::Block(4),
    },
    Host {
        name: "a Secret",
        around: ("apiVersion: v1\nkind: Secret\nmetadata: {name: runner}\nstringData:\n  config.toml: |\n", ""),
        style: Style::Block(4),
    },
];

impl Host {
    fn with(&self, toml: &str) -> String {
        let (before, after) = self.around;
        let inner = match self.style {
            Style::Block(indent) => {
                let line = |line: &str| {
                    if line.is_empty() { "\n".to_owned() } else { format!("{}{line}\n", " ".repeat(indent)) }
                };
                toml.lines().map(line).collect()
            }
            Style::Quoted => serde_json::to_string(toml).unwrap(),
        };
        format!("{before}{inner}{after}")
    }

    /// The line of the host where a line of the TOML stands.
    fn line(&self, line: usize) -> usize {
        let before = self.around.0.matches('\n').count();
        match self.style {
            Style::Block(_) => before + line,
            Style::Quoted => before + 1,
        }
    }
}

#[test]
fn a_fault_is_the_same_in_every_host() {
    let mut wrong = String::new();
    let mut compared = BTreeSet::new();
    for (name, toml, today) in texts() {
        let alone = faults(&check(ALONE, &toml, today), ALONE);
        for host in &HOSTS {
            let found = faults(&check(HOST, &host.with(&toml), today), HOST);
            let at_host = |(rule, level, line): &Fault| (rule.clone(), level.clone(), host.line(*line));
            let expected: BTreeSet<_> = alone.iter().map(at_host).collect();
            // The chart's executor is `kubernetes`; a text alone need not say one.
            let by_executor = |fault: &&Fault| fault.0 == "gitlab/missing-limits" && !says_executors(&toml);
            // There the environment of the manager is not in view.
            let lowered = |(rule, _, line): &Fault, others: &BTreeSet<Fault>| {
                host.name.contains("ConfigMap") && others.iter().any(|(other, _, at)| (other, at) == (rule, line))
            };
            compared.extend(expected.iter().map(|(rule, ..)| rule.clone()));
            for (what, here, there) in [("lost", &expected, &found), ("more", &found, &expected)] {
                for (rule, level, line) in
                    here.difference(there).filter(|fault| !lowered(fault, there) && !by_executor(fault))
                {
                    writeln!(wrong, "{name} in {}: {what}: {rule} ({level}) at {line}", host.name).unwrap();
                }
            }
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
    assert!(compared.len() > 20, "few rules were compared: {compared:?}");
}

/// Whether every runner of a text says its executor.
fn says_executors(toml: &str) -> bool {
    toml.matches("executor = ").count() >= toml.matches("[[runners]]").count()
}

/// Every `config.toml` of the rules' pages and of the cases. Registration drops the sections of other executors.
fn texts() -> Vec<(String, String, Date)> {
    let mut texts = Vec::new();
    for rule in rules::all().iter().filter(|rule| rule.meta.family() == "gitlab") {
        let page = Page::parse(&format!("rules/{}.md", rule.meta.id), rule.meta.page).unwrap();
        for (number, example) in (1..).zip(&page.examples) {
            let alone = example.files.iter().find(|file| file.name == ALONE);
            texts.extend(
                alone.map(|file| (format!("{}, example {number}", rule.meta.id), file.text.clone(), page.as_of)),
            );
        }
    }
    for top in ["testdata/cases/gitlab", "../shared/cases/gitlab"] {
        for entry in walkdir::WalkDir::new(top).sort_by_file_name().into_iter().flatten() {
            if entry.file_name() == ALONE {
                let text = std::fs::read_to_string(entry.path()).unwrap();
                texts.push((entry.path().display().to_string(), text, date(2026, 8, 17)));
            }
        }
    }
    let of_other_executor = |toml: &str| toml.replace("executor = \"kubernetes\"", "").contains("executor = ");
    texts.retain(|(_, toml, _)| !of_other_executor(toml));
    assert!(texts.len() > 40, "few texts were found: {}", texts.len());
    texts
}

fn check(name: &str, text: &str, today: Date) -> Report {
    let folder = tempfile::tempdir().unwrap();
    harness::write(folder.path(), name, text);
    harness::check(Path::new(folder.path()), today, &[])
}

/// Rule, level and line of what is said about the TOML.
fn faults(report: &Report, file: &str) -> BTreeSet<Fault> {
    let about_toml =
        |rule: &str| rule.starts_with("gitlab/") && !rule.starts_with("gitlab/chart-") && !OF_THE_FILE.contains(&rule);
    let found = report.findings.iter().filter(|finding| about_toml(finding.rule));
    found
        .map(|finding| {
            let place = finding.place.as_ref().expect("a place");
            assert_eq!(place.file, file);
            (finding.rule.to_owned(), format!("{:?}", finding.severity), place.start.line)
        })
        .collect()
}
