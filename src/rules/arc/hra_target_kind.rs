//! An autoscaler looks for its target among the objects of another kind.

use crate::rule::Checker;
use crate::view::{Fleet, LegacyScaling, Target};

pub(crate) fn check(fleet: &Fleet<'_>, checker: &mut Checker<'_>) {
    let scaling = LegacyScaling::of(fleet, checker.trees(), checker.sources());
    for scaler in &scaling.autoscalers {
        let Target::OfOtherKind(runner) = scaling.target_of(scaler) else { continue };
        let (kind, name) = (runner.object.kind, runner.object.name);
        let reference = scaler.target();
        let (place, looks_for) = match scaler.target_kind().known() {
            Some(kind) => (reference.and_then(|reference| reference.get("kind")), format!("says `{kind}`")),
            None => (reference, "says no `kind`, so RunnerDeployment".to_owned()),
        };
        let Some(place) = place else { continue };
        checker
            .report_value(place, format!("`scaleTargetRef` {looks_for}, but `{name}` is a {kind}: nothing is scaled"))
            .related(runner.object.value.get("kind").and_then(|kind| kind.origin.node), format!("`{name}` is here"))
            .help(format!("set `kind: {kind}`"));
    }
}
