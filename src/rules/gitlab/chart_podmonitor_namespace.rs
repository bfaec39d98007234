//! A PodMonitor that looks for the manager in another namespace.

use crate::rule::Checker;
use crate::view::{Field, Fleet, GitlabChart, Release};

pub(crate) fn check(fleet: &Fleet<'_>, checker: &mut Checker<'_>) {
    let releases = Release::of_objects(fleet.objects);
    for chart in fleet.stacks.iter().flat_map(GitlabChart::of_stack) {
        let Field::Present(pods, at) = chart.text(&["namespace"]) else { continue };
        let Some(enabled) = chart.value(&["metrics", "podMonitor", "enabled"]) else { continue };
        if enabled.as_bool() != Some(true) || chart.is_on(&["metrics", "enabled"]) != Some(true) {
            continue;
        }
        let release = chart.home.namespace_among(&releases);
        if release == Some(pods) {
            continue;
        }
        let of =
            release.map_or("the release's namespace".to_owned(), |name| format!("`{name}`, the release's namespace"));
        checker
            .report_value(enabled, format!("the PodMonitor looks in {of} only, and the manager runs in `{pods}`"))
            .related(at.origin.node, "the manager's namespace")
            .fault_in_chart(&chart, "metrics.podMonitor.enabled")
            .help(format!("install the release in `{pods}` and drop `{}`", chart.home.shown("namespace")));
    }
}
