//! An autoscaler's target is not there, while what was meant stands beside it.

use crate::diagnostic::Severity;
use crate::rule::Checker;
use crate::view::{Autoscaler, Fleet, LegacyRunner, LegacyScaling, Target, is_near_name};

pub(crate) fn check(fleet: &Fleet<'_>, checker: &mut Checker<'_>) {
    let scaling = LegacyScaling::of(fleet, checker.trees(), checker.sources());
    for scaler in &scaling.autoscalers {
        let Target::Missed(meant) = scaling.target_of(scaler) else { continue };
        report(scaler, &meant, checker);
    }
}

fn report(scaler: &Autoscaler<'_>, meant: &[&LegacyRunner<'_>], checker: &mut Checker<'_>) {
    let (Some(reference), Some(name)) = (scaler.target(), scaler.target_name().known()) else { return };
    let Some(runner) = meant.iter().find(|runner| runner.object.name == name).or(meant.first()) else { return };
    let kind = scaler.target_kind().known().unwrap_or("RunnerDeployment");
    let place = reference.get("name").unwrap_or(reference);
    let within = |namespace: Option<&str>| namespace.map(|name| format!(" in namespace `{name}`")).unwrap_or_default();
    let other = runner.object.name;
    let (what, help) = if other == name {
        let there = within(runner.object.namespace);
        (format!(": it is{there}"), "give both one namespace: an autoscaler looks in its own only".to_owned())
    } else {
        (String::new(), format!("say the name of what it is to scale: `{other}` is not scaled by anything"))
    };
    let here = within(scaler.object.namespace);
    let mut finding =
        checker.report_value(place, format!("nothing is scaled, as there is no {kind} `{name}`{here}{what}"));
    let at = runner.object.value.at(&["metadata", "name"]).and_then(|name| name.origin.node);
    finding.related(at, format!("this {} has no autoscaler", runner.object.kind)).help(help);
    if other != name && !is_near_name(other, name) {
        // It may stand in a file that is not in view.
        finding.diagnostic.lower_to(Severity::Warning);
    }
}
