//! Numbers with which a request for jobs that waits holds up jobs of others.

use crate::diagnostic::Severity;
use crate::rule::Checker;
use crate::values::Value;
use crate::view::{Field, Runner, RunnerConfig};

pub(crate) fn check(config: &RunnerConfig<'_>, checker: &mut Checker<'_>) {
    let (trees, sources) = (checker.trees(), checker.sources());
    let mut runners = config.runners(trees);
    if config.is_chart_template(trees, sources) {
        runners.truncate(1);
    }
    if !config.is_template(trees, sources) {
        few_workers(config, &runners, checker);
    }
    let is_told_of_one = checker.option("request-concurrency") != 0;
    for runner in &runners {
        match one_request(runner) {
            None => {}
            Some(at) => match runner.field(&["limit"]).and_then(Value::as_f64) {
                Field::Present(limit, value) if limit == 1.0 || limit == 2.0 => {
                    checker
                        .report_value(
                            value,
                            format!("with `limit = {limit}` and one request at a time, jobs wait for a request that waits at GitLab, up to 50 seconds"),
                        )
                        .fault_in_config(config)
                        .help("set `request_concurrency` to 2 to 4, or raise `limit`");
                }
                _ if is_told_of_one => {
                    checker
                        .report_value(at, "one request for jobs at a time: jobs wait for a request that waits at GitLab, up to 50 seconds")
                        .fault_in_config(config)
                        .help("set `request_concurrency` to 2 to 4")
                        .diagnostic
                        .lower_to(Severity::Info);
                }
                _ => {}
            },
        }
    }
}

/// What says that a runner asks for one job at a time; without a word it does.
fn one_request<'a>(runner: &Runner<'a>) -> Option<&'a Value> {
    match runner.field(&["request_concurrency"]).and_then(Value::as_f64) {
        Field::Absent => Some(runner.value),
        Field::Present(requests, value) if requests <= 1.0 => Some(value),
        _ => None,
    }
}

/// Each runner's request takes one of the workers, and waits with it.
fn few_workers(config: &RunnerConfig<'_>, runners: &[Runner<'_>], checker: &mut Checker<'_>) {
    let Some(concurrent) = config.global("concurrent") else { return };
    let Some(workers) = concurrent.as_f64().filter(|workers| *workers > 0.0) else { return };
    if workers < runners.len() as f64 && !runners.iter().any(|runner| runner.is_open) {
        checker
            .report_value(
                concurrent,
                format!("`concurrent = {workers}` for {} runners: while one of them waits for jobs at GitLab, others do not ask", runners.len()),
            )
            .fault_in_config(config)
            .help(format!("set `concurrent` to {} or more", runners.len()));
    }
}
