//! Numbers of jobs that the runner refuses, or that can never be reached.

use crate::diagnostic::Severity;
use crate::rule::Checker;
use crate::values::Value;
use crate::view::{Field, Fleet, GitlabChart, Home, RunnerConfig};

pub(crate) fn check(fleet: &Fleet<'_>, checker: &mut Checker<'_>) {
    for chart in fleet.stacks.iter().flat_map(GitlabChart::of_stack) {
        if let Field::Present(jobs, value) = chart.number(&["concurrent"])
            && jobs < 1.0
        {
            checker
                .report_value(
                    value,
                    format!("`{}: {jobs}`: the manager refuses its configuration", chart.home.shown("concurrent")),
                )
                .fault_in_chart(&chart, "concurrent")
                .help("set it to the number of jobs that may run at a time; to take none, pause the runner in GitLab");
        }
    }
    for config in fleet.runner_configs {
        let (trees, sources) = (checker.trees(), checker.sources());
        let own = config.global("concurrent").filter(|_| !config.is_template(trees, sources));
        if let Some(value) = own
            && let Some(jobs) = value.as_f64().filter(|jobs| *jobs < 1.0)
        {
            let mut finding =
                checker.report_value(value, format!("`concurrent = {jobs}`: the runner refuses its configuration"));
            finding
                .help("set it to the number of jobs that may run at a time; to take none, pause the runner in GitLab");
            match &config.home {
                Home::Object(object) => finding.fault_in_object(object, "concurrent"),
                Home::Values(..) | Home::File => finding.fault_in_config(config),
            };
        }
        let of_chart = GitlabChart::of_config(config).and_then(|chart| chart.number(&["concurrent"]).value());
        unreachable(config, own.or(of_chart), checker);
    }
}

/// Settings of single runners above what all may run together.
fn unreachable(config: &RunnerConfig<'_>, most: Option<&Value>, checker: &mut Checker<'_>) {
    let Some((at, most)) = most.and_then(|value| Some((value, value.as_f64().filter(|jobs| *jobs >= 1.0)?))) else {
        return;
    };
    for runner in config.runners(checker.trees()) {
        for key in ["limit", "request_concurrency"] {
            let Field::Present(number, value) = runner.field(&[key]).and_then(Value::as_f64) else { continue };
            if number > most {
                checker
                    .report_value(
                        value,
                        format!("`{key} = {number}` is never reached: all runners together run {most} jobs at most"),
                    )
                    .related(at.origin.node, "`concurrent` is set here")
                    .fault_in_config(config)
                    .help(format!("raise `concurrent`, or lower `{key}`"))
                    .diagnostic
                    .lower_to(Severity::Info);
            }
        }
    }
}
