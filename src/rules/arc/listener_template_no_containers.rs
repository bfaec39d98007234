//! A listener template without the container that it needs.

use crate::rule::Checker;
use crate::values::Value;
use crate::view::{Field, ScaleSet};

pub(crate) fn check(set: &ScaleSet<'_>, checker: &mut Checker<'_>) {
    let template = Field::of(set.at(&["listenerTemplate"]), Value::as_map);
    let Field::Present(template, at) = template else { return };
    // The chart leaves an empty map out, and charts before 0.6.0 do not read it.
    if template.entries.is_empty() && set.is_values() || set.chart_is_before(0, 6, 0) {
        return;
    }
    let spec = Field::of(at.get("spec"), Value::as_map);
    let containers = at.at(&["spec", "containers"]);
    if matches!(spec, Field::Unknown(_) | Field::WrongShape(_)) || containers.is_some_and(|list| !list.is_null()) {
        return;
    }
    let effect = match spec.is_absent() {
        true => "the controller cannot make the listener",
        false => "the API server refuses the scale set",
    };
    let taken = spec.known().and_then(|spec| spec.deleted.iter().find(|deleted| deleted.key == "containers"));
    let nulled = containers.cloned().or_else(|| taken.map(|taken| Value { origin: taken.by, ..taken.value.clone() }));
    let places = set.trail(&["listenerTemplate", "spec"]).into_iter().rev();
    let message =
        format!("`{}` has no `spec.containers`, which the CRD requires: {effect}", set.home.called("listenerTemplate"));
    checker
        .report_first(nulled.iter().chain(places), message)
        .related(taken.and_then(|taken| taken.value.origin.node), "the containers that the null takes away")
        .fault_in_set(set, "listenerTemplate.spec.containers")
        .help("add `containers: [{name: listener}]`, also where only scheduling is to be set");
}
