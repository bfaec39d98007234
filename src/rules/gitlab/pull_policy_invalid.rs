//! Pull policies that are none.

use crate::rule::Checker;
use crate::values::Value;
use crate::view::{Fleet, PULL_POLICIES, Pipeline, RunnerConfig, nearest_key};

pub(crate) fn check(fleet: &Fleet<'_>, checker: &mut Checker<'_>) {
    let (trees, sources) = (checker.trees(), checker.sources());
    for config in fleet.runner_configs {
        let runners = config.runners(trees);
        for policy in runners.iter().flat_map(|runner| runner.written_pull_policies()) {
            judge(policy, Some(config), checker);
        }
    }
    let pipelines = fleet.pipelines.iter().map(|pipeline| Pipeline::new(pipeline, trees, sources));
    for policy in pipelines.flat_map(Pipeline::written_pull_policies) {
        judge(policy, None, checker);
    }
}

fn judge(policy: &Value, config: Option<&RunnerConfig<'_>>, checker: &mut Checker<'_>) {
    let Some(text) = policy.as_str().filter(|text| !text.is_empty() && !text.contains('$')) else { return };
    if PULL_POLICIES.contains(&text) || policy.is_unknown() {
        return;
    }
    let whom = if config.is_some() { "every job fails" } else { "GitLab refuses the pipeline" };
    let mut finding = checker.report_value(policy, format!("`{text}` is not a pull policy of the runner: {whom}"));
    finding.help(match nearest_key(text, PULL_POLICIES.into_iter()) {
        Some(known) => format!("write `{known}`"),
        None => "write `always`, `if-not-present` or `never`".to_owned(),
    });
    if let Some(config) = config {
        finding.fault_in_config(config);
    }
}
