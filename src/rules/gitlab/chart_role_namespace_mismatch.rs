//! Jobs run in a namespace where the chart's Role does not hold.

use crate::rule::Checker;
use crate::view::{Executor, Field, Fleet, GitlabChart, Release, Runner, RunnerConfig};

pub(crate) fn check(fleet: &Fleet<'_>, checker: &mut Checker<'_>) {
    let releases = Release::of_objects(fleet.objects);
    for config in fleet.runner_configs {
        let Some(chart) = GitlabChart::of_config(config).filter(has_role) else { continue };
        let roles = chart.role_namespaces(&releases);
        let Some(role) = roles.first() else { continue };
        for runner in config.runners(checker.trees()).iter().filter(|runner| has_one_namespace(runner)) {
            let Field::Present(jobs, value) = runner.text(&["kubernetes", "namespace"]) else { continue };
            let is_granted = fleet.may_be_granted_more(chart.account().as_deref(), Some(jobs))
                || chart.may_add("RoleBinding")
                || chart.may_add("ClusterRoleBinding");
            if !jobs.is_empty() && !roles.contains(&jobs) && !is_granted {
                checker
                    .report_value(value, format!("jobs run in `{jobs}`, and the chart's Role is for `{role}`"))
                    .fault_in_config(config)
                    .help(help(config, jobs));
            }
        }
    }
}

fn has_role(chart: &GitlabChart<'_>) -> bool {
    chart.is_on(&["rbac", "create"]) == Some(true) && chart.is_on(&["rbac", "clusterWideAccess"]) == Some(false)
}

fn has_one_namespace(runner: &Runner<'_>) -> bool {
    let per_job = runner.flag(&["kubernetes", "namespace_per_job"]);
    runner.executor == Executor::Kubernetes && matches!(per_job, Field::Absent | Field::Present(false, _))
}

fn help(config: &RunnerConfig<'_>, jobs: &str) -> String {
    let shown = |key: &str| config.home.shown(key);
    format!(
        "set `{}: {jobs}` (the Role follows it since chart 0.84.0) or `{}: true`",
        shown("runners.jobNamespace"),
        shown("rbac.clusterWideAccess")
    )
}
