//! In DinD mode the chart adds containers and volumes; one of the same name makes the pod invalid.

use crate::diagnostic::Severity;
use crate::rule::Checker;
use crate::values::Value;
use crate::view::{ContainerMode, Pod, PodRole};

pub(crate) fn check(pod: &Pod<'_>, checker: &mut Checker<'_>) {
    if pod.role != PodRole::Runner || pod.legacy().is_some() {
        return;
    }
    let is_dind = pod.mode_to_expand() == ContainerMode::Dind;
    let Some(rendered) = pod.rendered() else { return };
    for (list, what, names) in INJECTED {
        let mut seen: Vec<&str> = Vec::new();
        // Names of containers are unique over both lists, so that it does not matter where the chart puts its own.
        let lists = [list, if list == "initContainers" { "containers" } else { list }];
        let added: Vec<_> = lists.into_iter().flat_map(|list| rendered.added(list)).filter_map(name).collect();
        let items = pod.spec.get(list).into_iter().flat_map(Value::items);
        for (item, name) in items.filter_map(|item| Some((item, name(item)?))) {
            let is_twice = if is_dind { added.contains(&name) } else { names.contains(&name) && seen.contains(&name) };
            seen.push(name);
            if !is_twice {
                continue;
            }
            let places: Vec<_> = item.get("name").into_iter().chain([item]).collect();
            let places = places.into_iter().chain(pod.trail(&[list]).into_iter().rev());
            let message = format!("the chart adds {what} `{name}` itself: the pod has two of that name");
            let mut finding = checker.report_first(places, message);
            finding
                .related(
                    pod.trail_of_mode().last().filter(|_| is_dind).and_then(|mode| mode.origin.node),
                    "by this mode",
                )
                .fault_in(pod, name)
                .help("remove the entry, or unset `containerMode` and write the whole expanded form out");
            if pod.chart_is_newer_than_known() {
                // A change that merges them was proposed upstream.
                finding.diagnostic.lower_to(Severity::Warning);
            }
        }
    }
}

/// Lists with what the chart adds to them in the mode `dind`.
const INJECTED: [(&str, &str, &[&str]); 2] = [
    ("initContainers", "a container", &["init-dind-externals", "dind"]),
    ("volumes", "a volume", &["dind-sock", "dind-externals", "dind-cert"]),
];

fn name(item: &Value) -> Option<&str> {
    item.get("name").and_then(Value::as_str)
}
