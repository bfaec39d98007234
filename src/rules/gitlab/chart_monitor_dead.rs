//! A monitor of the manager's metrics that the chart leaves out.

use crate::rule::Checker;
use crate::view::{Fleet, GitlabChart, Release};

/// Monitors, and the switches that each needs beside its own.
const MONITORS: [(&str, &[&[&str]]); 2] = [
    ("serviceMonitor", &[&["metrics", "enabled"], &["service", "enabled"]]),
    ("podMonitor", &[&["metrics", "enabled"]]),
];

pub(crate) fn check(fleet: &Fleet<'_>, checker: &mut Checker<'_>) {
    let releases = Release::of_objects(fleet.objects);
    let trees = checker.trees();
    for chart in fleet.stacks.iter().flat_map(GitlabChart::of_stack).filter(|chart| chart.is_whole(trees)) {
        if ["metrics", "service"].iter().any(|key| chart.may_be_set_elsewhere(key, &releases)) {
            continue;
        }
        for (monitor, switches) in MONITORS {
            let Some(enabled) = chart.value(&["metrics", monitor, "enabled"]) else { continue };
            let off = switches.iter().filter(|path| chart.is_on(path) == Some(false)).collect::<Vec<_>>();
            if enabled.as_bool() != Some(true) || off.is_empty() {
                continue;
            }
            let shown = off.iter().map(|path| format!("`{}`", chart.home.shown(&path.join("."))));
            let shown = shown.collect::<Vec<_>>().join(" and ");
            let verb = if off.len() == 1 { "is" } else { "are" };
            let mut finding =
                checker.report_value(enabled, format!("the chart leaves this monitor out: {shown} {verb} not on"));
            for path in &off {
                finding.related(chart.users(path).and_then(|value| value.origin.node), "off here");
            }
            finding.fault_in_chart(&chart, &format!("metrics.{monitor}.enabled")).help(help(monitor, &shown));
        }
    }
}

fn help(monitor: &str, switches: &str) -> String {
    match monitor {
        "serviceMonitor" => format!(
            "set {switches} to `true`; or, with chart 0.85.0 and later, use `metrics.podMonitor`, which needs no Service"
        ),
        _ => format!("set {switches} to `true`"),
    }
}
