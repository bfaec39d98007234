//! Containers that ask for more than they may use.

use crate::rule::Checker;
use crate::view::{Bound, Grammar, Quantity, ResourceSetting, RunnerConfig};

pub(crate) fn check(config: &RunnerConfig<'_>, checker: &mut Checker<'_>) {
    for runner in config.runners(checker.trees()) {
        let settings = runner.resources();
        for request in settings.iter().filter(|setting| setting.bound == Bound::Request) {
            let Some(limit) = settings.iter().find(|limit| is_exceeded(limit, request)) else { continue };
            let by = match request.grammar {
                Grammar::Kubernetes => "the API server refuses every job's pod",
                Grammar::Docker => "Docker refuses every job's container",
            };
            checker
                .report_value(
                    request.value,
                    format!("`{}` of `{}` is above the limit of `{}`: {by}", request.key, request.text, limit.text),
                )
                .fault_in_config(config)
                .related(limit.value.origin.node, "the limit")
                .help(format!("lower `{}`, or raise `{}`", request.key, limit.key));
        }
    }
}

fn is_exceeded(limit: &ResourceSetting<'_>, request: &ResourceSetting<'_>) -> bool {
    let same = |setting: &ResourceSetting<'_>| (setting.owner, setting.resource, setting.grammar);
    // A limit of zero is none to Docker.
    let is_limit = |limit: Quantity| !limit.is_zero() || request.grammar == Grammar::Kubernetes;
    let amounts = request.quantity().zip(limit.quantity());
    limit.bound == Bound::Limit
        && same(limit) == same(request)
        && amounts.is_some_and(|(asked, most)| asked > most && is_limit(most))
}
