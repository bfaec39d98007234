//! Scheduling of the manager's pod, where jobs' pods have none.

use crate::rule::Checker;
use crate::view::{Executor, Field, Fleet, GitlabChart, Runner};

/// Values for the manager's pod, and what says the same for the pods of jobs.
const SETTINGS: [(&str, &str); 3] =
    [("nodeSelector", "node_selector"), ("tolerations", "node_tolerations"), ("affinity", "affinity")];

pub(crate) fn check(fleet: &Fleet<'_>, checker: &mut Checker<'_>) {
    for config in fleet.runner_configs {
        let Some(chart) = GitlabChart::of_config(config) else { continue };
        let runners = config.runners(checker.trees());
        // One that says anything of nodes was written with them in mind.
        let is_unplaced = |runner: &Runner<'_>| {
            runner.executor == Executor::Kubernetes
                && SETTINGS.iter().all(|(_, key)| lacks(runner, key))
                && lacks(runner, "pod_spec")
        };
        if runners.is_empty() || !runners.iter().all(is_unplaced) {
            continue;
        }
        for (key, setting) in SETTINGS {
            let Some(value) = chart.users(&[key]).filter(|value| !value.is_empty() && !value.is_unknown()) else {
                continue;
            };
            let path = config.home.shown(key);
            checker
                .report_first_key(
                    value.history(),
                    format!("`{path}` places the manager's pod only: the pods of jobs have no `{setting}`"),
                )
                .fault_in_chart(&chart, key)
                .help(format!("if jobs are meant, set `{setting}` under `[runners.kubernetes]` in `runners.config`"));
        }
    }
}

fn lacks(runner: &Runner<'_>, key: &str) -> bool {
    matches!(runner.field(&["kubernetes", key]), Field::Absent)
}
