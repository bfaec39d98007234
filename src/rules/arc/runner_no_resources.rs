//! The runner asks for no resources, or has no memory limit.

use crate::diagnostic::Severity;
use crate::rule::Checker;
use crate::values::Value;
use crate::view::{ContainerMode, Fleet, LimitRange, Pod, PodContainer, REWORKED_SINCE, is_templated};

pub(crate) fn check(fleet: &Fleet<'_>, checker: &mut Checker<'_>) {
    let ranges: Vec<_> = fleet.objects.iter().filter_map(LimitRange::of_object).collect();
    let releases = if ranges.is_empty() { Vec::new() } else { fleet.releases() };
    for pod in fleet.pods() {
        let namespace = pod.home.namespace_among(&releases);
        // Where one of the namespaces is not known, they may be the same.
        let is_around = |range: &&LimitRange<'_>| {
            namespace.zip(range.object.namespace).is_none_or(|(own, other)| own == other || is_templated(other))
        };
        judge(&pod, &ranges.iter().filter(is_around).collect::<Vec<_>>(), checker);
    }
}

fn judge(pod: &Pod<'_>, ranges: &[&LimitRange<'_>], checker: &mut Checker<'_>) {
    // Resources of the whole pod (Kubernetes 1.34) cover its containers.
    let of_pod = pod.spec.get("resources").filter(|resources| pod.legacy().is_none() && !resources.is_empty());
    let is_meant = of_pod.is_none() && pod.misnamed_runner().is_none();
    let is_seen = |runner: &PodContainer<'_>| !(pod.home.is_partial() && pod.home.is_of_chart(runner.value));
    let Some(runner) = pod.runner().filter(|runner| is_meant && is_seen(runner)) else { return };
    let parts = [runner.get("resources"), runner.resources("requests"), runner.resources("limits")];
    if parts.into_iter().flatten().any(Value::is_unknown) {
        return;
    }
    let is_set = |kind, name| {
        let said = runner.resources(kind).and_then(|values| values.get(name)).is_some_and(|value| !value.is_null());
        said || ranges.iter().any(|range| range.gives(kind, name))
    };
    // Kubernetes takes a limit for the request where there is none.
    let requests = ["cpu", "memory"].into_iter().any(|name| is_set("requests", name) || is_set("limits", name));
    let lack = match (requests, is_set("limits", "memory")) {
        (true, true) => return,
        (true, false) => "has no `memory` limit",
        // Other requests, as for a GPU, do not keep a pod from being the first to be evicted.
        (false, _) if asks_for_others(&runner) => "requests neither `cpu` nor `memory`, and has no `memory` limit",
        (false, _) => "has no resource `requests` and no `memory` limit",
    };
    let is_default = pod.home.is_of_chart(runner.value);
    let whose = if is_default { "the chart's container `runner`" } else { "container `runner`" };
    if let Some(mode) = pod.mode_that_takes_little() {
        return report_left_out(pod, mode, runner.value, &format!("{whose} {lack}"), checker);
    }
    let mut places: Vec<_> = [runner.get("resources"), Some(runner.value)].into_iter().flatten().collect();
    places.extend(pod.trail(&["containers"]).into_iter().rev());
    let mut finding = checker.report_first(pod.home.users_first(places), format!("{whose} {lack}"));
    finding.fault_in(pod, runner.name).help(match pod.container_mode() {
        _ if is_default && !pod.home.is_experimental() => {
            "write the item out whole, as a list is never merged: `name`, `image`, `command` and `resources` with `requests` and a `memory` limit"
        }
        ContainerMode::Kubernetes | ContainerMode::KubernetesNoVolume => {
            "set `resources.requests` and `resources.limits.memory`; those of the jobs belong into the hook template"
        }
        _ => "set `resources.requests` and `resources.limits.memory`",
    });
    if requests {
        finding.diagnostic.lower_to(Severity::Info);
    }
}

fn asks_for_others(runner: &PodContainer<'_>) -> bool {
    ["requests", "limits"].into_iter().any(|kind| runner.resources(kind).is_some_and(|values| !values.is_empty()))
}

/// The chart takes no resources of the container, whether they are written or not.
fn report_left_out(pod: &Pod<'_>, mode: &str, runner: &Value, lack: &str, checker: &mut Checker<'_>) {
    let own = pod.home.shown("template.spec.containers.resources");
    let whole = pod.home.shown("template.spec.resources");
    let written = pod.left_out("resources").map(|(_, resources)| resources);
    let message = match written {
        Some(_) => format!("{lack}: this version of the chart does not take `{own}` in the mode `{mode}`"),
        None => lack.to_owned(),
    };
    let places = written.into_iter().chain([runner]).chain(pod.trail(&["containers"]).into_iter().rev()).collect();
    let places = pod.home.users_first(places);
    let mut finding = match written {
        Some(_) => checker.report_first_key(places, message),
        None => checker.report_first(places, message),
    };
    finding.fault_in(pod, "runner").help(format!(
        "charts from {REWORKED_SINCE} on take `{own}`; until then set `{whole}` for the whole pod (Kubernetes \
         1.34 and newer), or leave the mode unset and write out what it adds"
    ));
}
