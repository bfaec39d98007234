//! Patches of the job's pod that the runner does not apply.

use crate::rule::Checker;
use crate::view::{Field, RunnerConfig};

const FLAG: &str = "FF_USE_ADVANCED_POD_SPEC_CONFIGURATION";

pub(crate) fn check(config: &RunnerConfig<'_>, checker: &mut Checker<'_>) {
    for runner in config.runners(checker.trees()) {
        let Field::Present(patches, _) = runner.field(&["kubernetes", "pod_spec"]) else { continue };
        if !runner.may_be_kubernetes() || patches.items().next().is_none() {
            continue;
        }
        let off = match runner.feature(FLAG) {
            Field::Absent => None,
            Field::Present(false, at) | Field::WrongShape(at) => Some(at),
            Field::Present(true, _) | Field::Unknown(_) => continue,
        };
        checker
            .report_key_of(patches, format!("`pod_spec` is ignored: the feature flag `{FLAG}` is not on"))
            .fault_in_config(config)
            .related(off.and_then(|at| at.origin.node), "it is off here")
            .help(format!("set `{FLAG} = true` under `[runners.feature_flags]`; a job can set it only for itself"));
    }
}
