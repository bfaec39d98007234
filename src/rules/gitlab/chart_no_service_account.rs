//! The manager runs under an account that may do nothing.

use crate::diagnostic::Severity;
use crate::rule::Checker;
use crate::view::{Fleet, GitlabChart, Release, Runner};

/// What gives the manager an account of its own.
const SWITCHES: [&[&str]; 4] =
    [&["rbac", "create"], &["serviceAccount", "create"], &["serviceAccount", "name"], &["rbac", "serviceAccountName"]];

pub(crate) fn check(fleet: &Fleet<'_>, checker: &mut Checker<'_>) {
    let releases = Release::of_objects(fleet.objects);
    for chart in fleet.stacks.iter().flat_map(GitlabChart::of_stack).filter(is_bare) {
        let namespace = chart.home.namespace_among(&releases);
        let is_set_elsewhere =
            SWITCHES.iter().filter_map(|path| path.first()).any(|key| chart.may_be_set_elsewhere(key, &releases));
        let is_bound = fleet.may_be_bound("default", namespace) || chart.may_add("RoleBinding");
        if is_set_elsewhere || is_bound || is_elsewhere(&chart, fleet, checker) || !chart.is_whole(checker.trees()) {
            continue;
        }
        let mut finding = checker.report_first(
            chart.places(&["rbac", "create"]),
            "the manager runs as the account `default`, which may not make the pods and secrets of jobs",
        );
        finding.fault_in_chart(&chart, "rbac.create").help("set `rbac.create: true` and `serviceAccount.create: true`, or name an account that has the rights in `serviceAccount.name`");
        if !chart.has_token() {
            finding.diagnostic.lower_to(Severity::Info);
        }
    }
}

/// Whether it is there to be installed and has surely no account. What names no server is a base for others.
fn is_bare(chart: &GitlabChart<'_>) -> bool {
    chart.users(&["gitlabUrl"]).is_some_and(|url| !url.is_empty())
        && chart.is_kubernetes()
        && SWITCHES.iter().all(|path| chart.is_on(path) == Some(false))
}

/// Whether its jobs run in a cluster that it enters with credentials of its own.
fn is_elsewhere(chart: &GitlabChart<'_>, fleet: &Fleet<'_>, checker: &Checker<'_>) -> bool {
    let keys = ["host", "bearer_token", "cert_file", "context"];
    let runners = chart.configs(fleet).flat_map(|config| config.runners(checker.trees()));
    // Markup that brings other settings says nothing of these.
    let is_set = |runner: &Runner<'_>, path: &[&str]| match runner.is_open {
        true => runner.stated(path).is_some(),
        false => !runner.field(path).is_absent(),
    };
    runners.into_iter().any(|runner| keys.iter().any(|key| is_set(&runner, &["kubernetes", key])))
}
