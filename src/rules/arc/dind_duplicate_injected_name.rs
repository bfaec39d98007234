//! In DinD mode the chart adds containers and volumes; one of the same name makes the pod invalid.

use crate::diagnostic::Severity;
use crate::rule::Checker;
use crate::values::Value;
use crate::view::{ContainerMode, Home, Pod, PodRole};

pub(crate) fn check(pod: &Pod<'_>, checker: &mut Checker<'_>) {
    let is_dind = pod.mode_to_expand() == ContainerMode::Dind;
    let is_rendered = matches!(pod.home, Home::Object(_)) && pod.legacy().is_none();
    if pod.role != PodRole::Runner || !(is_dind || is_rendered) {
        return;
    }
    let Some(rendered) = pod.rendered() else { return };
    let rendered = rendered.pod();
    for (lists, what, injected) in INJECTED {
        let items = lists.iter().filter_map(|list| rendered.spec.get(list)).flat_map(Value::items);
        let mut seen: Vec<&str> = Vec::new();
        for (item, name) in items.filter_map(|item| Some((item, item.get("name")?.as_str()?))) {
            // The chart's own stand first.
            if injected.contains(&name) && seen.contains(&name) {
                report(pod, item, what, name, checker);
            }
            seen.push(name);
        }
    }
}

/// Lists in which a name stands once, with those that the chart adds in the mode `dind`.
const INJECTED: [(&[&str], &str, &[&str]); 2] = [
    (&["containers", "initContainers"], "a container", &["init-dind-externals", "dind"]),
    (&["volumes"], "a volume", &["dind-sock", "dind-externals", "dind-cert"]),
];

fn report(pod: &Pod<'_>, item: &Value, what: &str, name: &str, checker: &mut Checker<'_>) {
    let mode = pod.trail_of_mode().into_iter().rev();
    let places = item.get("name").into_iter().chain([item]).chain(mode.clone());
    let message = format!("the chart adds {what} `{name}` itself: the pod has two of that name");
    let mut finding = checker.report_first(places, message);
    finding
        .related(mode.map(|mode| mode.origin.node).next().flatten(), "in this mode")
        .fault_in(pod, name)
        .help("remove the entry, or unset `containerMode` and write the whole expanded form out");
    if pod.chart_is_newer_than_known() {
        // A change that merges them was proposed upstream.
        finding.diagnostic.lower_to(Severity::Warning);
    }
}
