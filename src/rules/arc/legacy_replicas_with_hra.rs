//! A count of replicas beside an autoscaler that sets it: each apply undoes the scaling.

use crate::rule::Checker;
use crate::view::{Field, Fleet, LegacyScaling};

pub(crate) fn check(fleet: &Fleet<'_>, checker: &mut Checker<'_>) {
    let scaling = LegacyScaling::of(fleet, checker.trees(), checker.sources());
    for runner in &scaling.runners {
        let Field::Present(count, replicas) = runner.replicas() else { continue };
        let Some(scaler) = scaling.autoscaler_of(runner) else { continue };
        let (kind, name) = (runner.object.kind, runner.object.name);
        checker
            .report_value(
                replicas,
                format!("`replicas: {count}` of {kind} `{name}` undoes what its autoscaler set, at each apply"),
            )
            .related(scaler.target().and_then(|target| target.origin.node), "this autoscaler scales it")
            .help("delete `replicas`, and say the least count as `minReplicas` of the autoscaler");
    }
}
