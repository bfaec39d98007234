//! DNS policies that are none.

use crate::rule::Checker;
use crate::view::{Field, RunnerConfig, nearest_key};

const KNOWN: [&str; 4] = ["none", "default", "cluster-first", "cluster-first-with-host-net"];

pub(crate) fn check(config: &RunnerConfig<'_>, checker: &mut Checker<'_>) {
    for runner in config.runners(checker.trees()) {
        let Field::Present(policy, at) = runner.text(&["kubernetes", "dns_policy"]) else { continue };
        if policy.is_empty() || KNOWN.contains(&policy) || !runner.may_be_kubernetes() {
            continue;
        }
        checker
            .report_value(at, format!("`{policy}` is not a DNS policy of the runner: jobs get the cluster's default"))
            .fault_in_config(config)
            .help(match nearest_key(policy, KNOWN.into_iter()) {
                Some(known) => format!("write `{known}`"),
                None => "write `none`, `default`, `cluster-first` or `cluster-first-with-host-net`".to_owned(),
            });
    }
}
