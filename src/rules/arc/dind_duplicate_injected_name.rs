//! In DinD mode the chart adds containers and volumes; one of the same name makes the pod invalid.

use crate::diagnostic::Severity;
use crate::rule::Checker;
use crate::values::Value;
use crate::view::{ContainerMode, Home, Pod, PodRole};

pub(crate) fn check(pod: &Pod<'_>, checker: &mut Checker<'_>) {
    let is_rendered = matches!(pod.home, Home::Object(_)) && pod.legacy().is_none();
    // The experimental chart adds volumes without a mode, too.
    let adds = pod.mode_to_expand() == ContainerMode::Dind || pod.home.is_experimental();
    if pod.role != PodRole::Runner || !(adds || is_rendered) {
        return;
    }
    let Some(rendered) = pod.rendered() else { return };
    let rendered = rendered.pod();
    for (lists, what, injected) in INJECTED {
        for name in injected {
            // What the user wrote is at fault; rendered, the chart's own stands first.
            let written = named(pod.spec, lists, name).last();
            if let Some(item) = written.filter(|_| named(rendered.spec, lists, name).count() > 1) {
                report(pod, item, what, name, checker);
            }
        }
    }
}

fn named<'v>(spec: &'v Value, lists: &[&str], name: &str) -> impl Iterator<Item = &'v Value> {
    let items = lists.iter().filter_map(|list| spec.get(list)).flat_map(Value::items);
    items.filter(move |item| item.get("name").and_then(Value::as_str) == Some(name))
}

/// Lists in which a name stands once, with those that the chart adds.
const INJECTED: [(&[&str], &str, &[&str]); 2] = [
    (&["containers", "initContainers"], "a container", &["init-dind-externals", "dind"]),
    (&["volumes"], "a volume", &["dind-sock", "dind-externals", "dind-cert", "work", "hook-extension"]),
];

fn report(pod: &Pod<'_>, item: &Value, what: &str, name: &str, checker: &mut Checker<'_>) {
    let mode = pod.trail_of_mode().into_iter().rev();
    let said = pod.trail_of_mode().last().copied().filter(|mode| mode.as_str().is_some_and(|word| !word.is_empty()));
    let places = item.get("name").into_iter().chain([item]).chain(mode);
    let message = format!("the chart adds {what} `{name}` itself: the pod has two of that name");
    let mut finding = checker.report_first(places, message);
    finding.related(said.and_then(|mode| mode.origin.node), "in this mode").fault_in(pod, name).help(
        match pod.mode_to_expand() {
            ContainerMode::Dind if !pod.home.is_experimental() => {
                "remove the entry, or unset `containerMode` and write the whole expanded form out"
            }
            _ => "remove the entry, or give it another name",
        },
    );
    if pod.chart_is_newer_than_known() {
        // A change that merges them was proposed upstream.
        finding.diagnostic.lower_to(Severity::Warning);
    }
}
