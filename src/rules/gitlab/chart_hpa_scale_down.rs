//! An autoscaler that takes managers away in the middle of jobs.

use crate::rule::Checker;
use crate::view::{Field, GitlabChart, Stack};

pub(crate) fn check(stack: &Stack<'_>, checker: &mut Checker<'_>) {
    for chart in GitlabChart::of_stack(stack) {
        let Some(hpa) = chart.users(&["hpa"]).filter(|hpa| hpa.get("behavior").is_none()) else { continue };
        let least = match chart.number(&["hpa", "minReplicas"]) {
            Field::Absent => 1.0,
            Field::Present(least, _) => least,
            Field::WrongShape(_) | Field::Unknown(_) => continue,
        };
        let Field::Present(most, _) = chart.number(&["hpa", "maxReplicas"]) else { continue };
        if most > least {
            checker
                .report_first_key(
                    hpa.history(),
                    format!("from {most} down to {least} managers, the autoscaler ends ones whose jobs still run: their pods are abandoned after the grace period"),
                )
                .fault_in_chart(&chart, "hpa")
                .help("let one manager run more jobs (`concurrent`), or set `terminationGracePeriodSeconds` above the longest job");
        }
    }
}
