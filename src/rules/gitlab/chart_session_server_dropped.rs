//! A session server that the chart leaves out.

use crate::rule::Checker;
use crate::view::{Field, GitlabChart, Stack};

pub(crate) fn check(stack: &Stack<'_>, checker: &mut Checker<'_>) {
    for chart in GitlabChart::of_stack(stack) {
        let Some(enabled) = chart.value(&["sessionServer", "enabled"]) else { continue };
        let Field::Present(replicas, at) = chart.number(&["replicas"]) else { continue };
        if enabled.as_bool() != Some(true) || replicas <= 1.0 {
            continue;
        }
        let path = chart.home.shown("replicas");
        checker
            .report_value(
                enabled,
                format!("the chart leaves the session server out, as `{path}` is {replicas}: it makes one for a single manager only"),
            )
            .related(at.origin.node, "more than one manager")
            .fault_in_chart(&chart, "sessionServer.enabled")
            .help(format!("set `{path}: 1`, or disable the session server"));
    }
}
