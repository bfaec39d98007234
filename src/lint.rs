//! The driver: every rule on every subject, then triage into a finished report.

mod baseline;
mod fingerprint;
mod finish;
mod fold;
mod judge;
mod options;
mod report;
mod silence;
mod subject;
mod triage;

pub use baseline::{Baseline, Known};
pub use options::{Options, Selection};
pub use report::{Against, Finding, Note, Place, Point, Report, Summary};
pub use subject::stacks;

use crate::diagnostic::Diagnostic;
use crate::project::{ConfigId, Project};
use crate::rule::Rule;

/// Judges a project by `rules`. The same input gives the same report, whatever the number of threads.
pub fn run(project: &Project, options: &Options, rules: &'static [Rule]) -> Report {
    let views = subject::Views::new(project, options);
    let runner_configs = views.runner_configs();
    let mut found = judge::judge(project, options, rules, &views.subjects(&runner_configs));
    found.extend(project.diagnostics.iter().cloned().map(Found::of_engine));
    let (found, suppressed) = triage::triage(project, options, rules, found);
    finish::finish(project, options, found, suppressed)
}

/// A finding on its way through triage.
#[derive(Debug, Clone)]
struct Found {
    diagnostic: Diagnostic,
    /// Number of the subject that showed it; none: the engine found it.
    subject: Option<usize>,
    /// Whether it was seen in an object rather than in values.
    in_object: bool,
    /// The configuration of its subject, for findings without a place.
    config: Option<ConfigId>,
}

impl Found {
    fn of_engine(diagnostic: Diagnostic) -> Self {
        Self { diagnostic, subject: None, in_object: false, config: None }
    }
}

#[cfg(test)]
mod tests;
