//! Jobs run in a namespace where the chart's Role does not hold.

use crate::rule::Checker;
use crate::view::{Executor, Field, Fleet, GitlabChart, Home, Release, Runner, RunnerConfig};

pub(crate) fn check(fleet: &Fleet<'_>, checker: &mut Checker<'_>) {
    let releases = Release::of_objects(fleet.objects);
    for config in fleet.runner_configs {
        let (roles, account) = roles(config, fleet, &releases, checker);
        let Some(role) = roles.first() else { continue };
        for runner in config.runners(checker.trees()).iter().filter(|runner| has_one_namespace(runner)) {
            let Field::Present(jobs, value) = runner.text(&["kubernetes", "namespace"]) else { continue };
            let is_granted = fleet.may_be_granted_more(account.as_deref(), Some(jobs));
            if !jobs.is_empty() && !roles.contains(&jobs) && !is_granted {
                checker
                    .report_value(value, format!("jobs run in `{jobs}`, and the chart's Role is for `{role}`"))
                    .fault_in_config(config)
                    .help(help(config, jobs));
            }
        }
    }
}

/// The namespaces that the chart's Role may be in, and the account that it is for; none where that is not known.
fn roles<'a>(
    config: &RunnerConfig<'a>,
    fleet: &Fleet<'a>,
    releases: &[Release<'a>],
    checker: &Checker<'_>,
) -> (Vec<&'a str>, Option<String>) {
    match (&config.home, GitlabChart::of_config(config)) {
        (Home::Object(object), _) => (fleet.rendered_roles(object), None),
        (_, Some(chart)) if has_role(&chart) && chart.is_whole(checker.trees()) => {
            let is_more = chart.may_be_set_elsewhere("rbac", releases)
                || ["RoleBinding", "ClusterRoleBinding"].iter().any(|kind| chart.may_add(kind));
            (if is_more { Vec::new() } else { chart.role_namespaces(releases) }, chart.account())
        }
        _ => (Vec::new(), None),
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
