//! Runner pods ask for more, or less, than a LimitRange of their namespace allows.

use rustc_hash::FxHashSet;

use crate::rule::Checker;
use crate::values::Value;
use crate::view::{Excess, Fleet, LimitRange, Nearness, Pod, PodRole, is_templated};

pub(crate) fn check(fleet: &Fleet<'_>, checker: &mut Checker<'_>) {
    let ranges: Vec<_> = fleet.objects.iter().filter_map(LimitRange::of_object).collect();
    if ranges.is_empty() {
        return;
    }
    let releases = fleet.releases();
    let pods = fleet.pods().into_iter().filter(|pod| pod.role == PodRole::Runner);
    let pods: Vec<_> = pods.filter_map(|pod| Some((pod.home.namespace_among(&releases)?, pod))).collect();
    let homes: Vec<_> = pods.iter().filter_map(|(name, pod)| Some((*name, pod.home.value()?))).collect();
    let places: Vec<_> =
        ranges.iter().map(|range| (range.object.namespace.unwrap_or_default(), range.object.value)).collect();
    let near = Nearness { trees: checker.trees(), sources: checker.sources() }.pairs(&homes, &places);
    for ((_, pod), near) in pods.iter().zip(near) {
        let near: Vec<_> = near.into_iter().filter_map(|index| ranges.get(index)).collect();
        if !near.iter().any(|range| range.object.namespace.is_some_and(is_templated)) {
            judge(pod, &near, checker);
        }
    }
}

fn judge(pod: &Pod<'_>, ranges: &[&LimitRange<'_>], checker: &mut Checker<'_>) {
    let Some(rendered) = pod.rendered() else { return };
    let rendered = rendered.pod();
    let mut told = FxHashSet::default();
    for range in ranges {
        // Two definitions of one object: only one of them holds, and nobody knows which.
        let is_ambiguous = ranges.iter().filter(|other| other.object.name == range.object.name).count() > 1;
        let excesses = if is_ambiguous { Vec::new() } else { range.excesses(&rendered) };
        for excess in excesses {
            if told.insert((excess.container, excess.what.clone())) {
                report(pod, range, &excess, checker);
            }
        }
    }
}

fn report(pod: &Pod<'_>, range: &LimitRange<'_>, excess: &Excess<'_, '_>, checker: &mut Checker<'_>) {
    let (said, bound) = (text(excess.at), text(excess.bound));
    let whose = match excess.container {
        Some(name) => format!("`{}` of container `{name}` is {said}", excess.what),
        None => format!("`{}` of all containers exceed", excess.what),
    };
    let rule = match (excess.kind, excess.container) {
        ("min", _) => format!(", less than the {bound} that"),
        ("default", _) => format!(" with no limit, more than the default limit of {bound} that"),
        (_, Some(_)) => format!(", more than the {bound} that"),
        (_, None) => format!(" the {bound} that"),
    };
    let message =
        format!("{whose}{rule} LimitRange `{}` of the namespace sets: the pods are refused", range.object.name);
    let mut places = vec![excess.at];
    places.extend(pod.trail(&[]).into_iter().rev());
    checker
        .report_first(pod.home.users_first(places), message)
        .related(excess.bound.origin.node, format!("`{}` of the namespace", excess.kind))
        .fault_in(pod, &format!("{} {}", excess.container.unwrap_or_default(), excess.what))
        .help(match excess.kind {
            "default" => "set a limit that is no less than the request, or change the LimitRange",
            _ => "keep within the LimitRange, or change it",
        });
}

fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.as_f64().unwrap_or_default().to_string(), str::to_owned)
}
