//! A manager that is killed before its jobs can end.

use crate::rule::Checker;
use crate::view::{Field, GitlabChart, Stack};

/// Ten minutes: few jobs take longer than that to be cut off in the middle of.
const SECONDS: f64 = 600.0;

pub(crate) fn check(stack: &Stack<'_>, checker: &mut Checker<'_>) {
    for chart in GitlabChart::of_stack(stack) {
        let Field::Present(seconds, value) = chart.number(&["terminationGracePeriodSeconds"]) else { continue };
        if seconds >= SECONDS || chart.home.is_of_chart(value) {
            continue;
        }
        checker
            .report_value(
                value,
                format!(
                    "{seconds} seconds after its end is asked for, the manager is killed, with jobs that still run"
                ),
            )
            .fault_in_chart(&chart, "terminationGracePeriodSeconds")
            .help("give it the time of the longest job: the manager ends by itself as soon as its last job has");
    }
}
