//! The section of another executor in a template that is registered for Kubernetes.

use crate::rule::Checker;
use crate::view::{Executor, Home, RunnerConfig, is_conditional};

/// Sections that registration drops.
const SECTIONS: [&str; 8] = ["docker", "machine", "autoscaler", "instance", "ssh", "parallels", "virtualbox", "custom"];

pub(crate) fn check(config: &RunnerConfig<'_>, checker: &mut Checker<'_>) {
    let Home::Values(_, part) = &config.home else { return };
    let runners = config.runners(checker.trees());
    let Some(runner) = runners.first().filter(|runner| runner.executor == Executor::Kubernetes) else { return };
    for name in SECTIONS {
        let Some(section) = runner.stated(&[name]).filter(|section| section.entries().next().is_some()) else {
            continue;
        };
        let node = section.origin.node.and_then(|at| checker.trees().node(at));
        if node.is_none_or(is_conditional) {
            continue;
        }
        checker
            .report_key_of(
                section,
                format!("`[runners.{name}]` is dropped: the chart registers with the executor `kubernetes`"),
            )
            .related(part.values.at(&["runners", "executor"]).and_then(|said| said.origin.node), "it is said here")
            .fault_in_config(config)
            .help("say it in `[runners.kubernetes]`, and remove the section");
    }
}
