//! The chart names a service account that it is told not to make.

use crate::rule::Checker;
use crate::values::Value;
use crate::view::{Fleet, GitlabChart, Release, is_templated, may_be_same_namespace};

pub(crate) fn check(fleet: &Fleet<'_>, checker: &mut Checker<'_>) {
    let releases = Release::of_objects(fleet.objects);
    for chart in fleet.stacks.iter().flat_map(GitlabChart::of_stack) {
        let Some(create) = refused(&chart) else { continue };
        let is_set_elsewhere = ["serviceAccount", "rbac"].iter().any(|key| chart.may_be_set_elsewhere(key, &releases));
        if is_set_elsewhere
            || !chart.is_whole(checker.trees())
            || chart.may_add("ServiceAccount")
            || is_made(&chart, fleet, &releases)
        {
            continue;
        }
        let name = chart.full_name().map_or("called like the release".to_owned(), |name| format!("`{name}`"));
        checker
            .report_value(
                create,
                format!("the Deployment and the binding are for an account {name}, and nobody makes it"),
            )
            .related(chart.value(&["rbac", "create"]).and_then(|value| value.origin.node), "this makes the binding")
            .fault_in_chart(&chart, "serviceAccount.create")
            .help("set `serviceAccount.create: true`, or name an account that exists in `serviceAccount.name`");
    }
}

/// The value that keeps the chart from making the account that it then names.
fn refused<'a>(chart: &GitlabChart<'a>) -> Option<&'a Value> {
    let create = chart.value(&["serviceAccount", "create"]).filter(|create| create.as_bool() == Some(false))?;
    let names = [["serviceAccount", "name"], ["rbac", "generatedServiceAccountName"], ["rbac", "serviceAccountName"]];
    let is_nameless = names.iter().all(|path| chart.is_on(path) == Some(false));
    // Before 0.66.0 `rbac.create` made the account, too.
    let is_bound = chart.is_on(&["rbac", "create"]) == Some(true) && !chart.is_older_than(66, 0);
    (is_nameless && is_bound).then_some(create)
}

/// Whether the account is in view, or one that may be it.
fn is_made<'a>(chart: &GitlabChart<'a>, fleet: &Fleet<'a>, releases: &[Release<'a>]) -> bool {
    let namespace = chart.home.namespace_among(releases);
    let name = chart.full_name();
    let may_be_called = |called: &str| match &name {
        _ if is_templated(called) => true,
        Some(name) => called == name,
        None => called.contains("gitlab-runner"),
    };
    fleet.objects.iter().any(|object| {
        object.kind == "ServiceAccount"
            && may_be_called(object.name)
            && may_be_same_namespace(object.namespace, namespace)
    })
}
