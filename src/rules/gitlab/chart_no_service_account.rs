//! The manager runs under an account that may do nothing.

use crate::diagnostic::Severity;
use crate::knowledge::Chart;
use crate::rule::Checker;
use crate::values::Value;
use crate::view::{Fleet, GitlabChart, Home, Object, Release, Runner};

/// What gives the manager an account of its own.
const SWITCHES: [&[&str]; 4] =
    [&["rbac", "create"], &["serviceAccount", "create"], &["serviceAccount", "name"], &["rbac", "serviceAccountName"]];

const MESSAGE: &str = "the manager runs as the account `default`, which may not make the pods and secrets of jobs";
const HELP: &str = "set `rbac.create: true` and `serviceAccount.create: true`, or name an account that has the rights in `serviceAccount.name`";

pub(crate) fn check(fleet: &Fleet<'_>, checker: &mut Checker<'_>) {
    in_values(fleet, checker);
    for manager in fleet.objects.iter().filter(|object| is_bare_manager(object)) {
        if fleet.may_be_bound("default", manager.namespace) {
            continue;
        }
        let home = Home::Object(manager.clone());
        let trail = home.trail(&["spec", "template", "spec", "serviceAccountName"]).into_iter().rev();
        checker.report_first(trail, MESSAGE).fault_in_object(manager, "rbac.create").help(HELP);
    }
}

fn in_values(fleet: &Fleet<'_>, checker: &mut Checker<'_>) {
    let releases = Release::of_objects(fleet.objects);
    for chart in fleet.stacks.iter().flat_map(GitlabChart::of_stack).filter(is_bare) {
        let namespace = chart.home.namespace_among(&releases);
        let is_set_elsewhere =
            SWITCHES.iter().filter_map(|path| path.first()).any(|key| chart.may_be_set_elsewhere(key, &releases));
        let is_bound = fleet.may_be_bound("default", namespace) || chart.may_add("RoleBinding");
        if is_set_elsewhere || is_bound || is_elsewhere(&chart, fleet, checker) || !chart.is_whole(checker.trees()) {
            continue;
        }
        let mut finding = checker.report_first(chart.places(&["rbac", "create"]), MESSAGE);
        finding.fault_in_chart(&chart, "rbac.create").help(HELP);
        if !chart.has_token() {
            finding.diagnostic.lower_to(Severity::Info);
        }
    }
}

/// Whether it is the Deployment of the chart's manager, rendered without an account.
fn is_bare_manager(object: &Object<'_>) -> bool {
    let spec = object.value.at(&["spec", "template", "spec"]);
    let variables = spec.and_then(|spec| spec.get("containers")).into_iter().flat_map(Value::items);
    let variables = variables.filter_map(|container| container.get("env")).flat_map(Value::items);
    let is = |variable: &Value, name: &str, value: &str| {
        let says = |key: &str| variable.get(key).and_then(Value::as_str);
        says("name") == Some(name) && says("value") == Some(value)
    };
    let account = spec.and_then(|spec| spec.get("serviceAccountName"));
    object.kind == "Deployment"
        && object.chart().is_some_and(|chart| chart.chart == Chart::GitlabRunner)
        && variables.into_iter().any(|variable| is(variable, "RUNNER_EXECUTOR", "kubernetes"))
        && account.is_none_or(|account| account.is_empty() || account.as_str() == Some("default"))
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
