//! A namespace enforces a Pod Security Standard that refuses the runner pods in it.

use crate::rule::Checker;
use crate::values::Value;
use crate::view::{Fleet, Nearness, Object, Pod, PodRole, Standard, is_templated};

const LABEL: &str = "pod-security.kubernetes.io/enforce";

pub(crate) fn check(fleet: &Fleet<'_>, checker: &mut Checker<'_>) {
    let namespaces: Vec<_> =
        fleet.objects.iter().filter(|object| object.kind == "Namespace" && object.group().is_empty()).collect();
    if !namespaces.iter().any(|namespace| enforced(namespace).is_some()) {
        return;
    }
    let releases = fleet.releases();
    let pods = fleet.pods().into_iter().filter(|pod| pod.role == PodRole::Runner);
    let pods: Vec<_> = pods.filter_map(|pod| Some((pod.home.namespace_among(&releases)?, pod))).collect();
    let homes: Vec<_> = pods.iter().filter_map(|(name, pod)| Some((*name, pod.home.value()?))).collect();
    let places: Vec<_> = namespaces.iter().map(|namespace| (namespace.name, namespace.value)).collect();
    let near = Nearness { trees: checker.trees(), sources: checker.sources() }.pairs(&homes, &places);
    for ((_, pod), near) in pods.iter().zip(near) {
        let near: Option<Vec<_>> =
            near.into_iter().filter_map(|index| namespaces.get(index)).map(|namespace| enforced(namespace)).collect();
        // Of several definitions the mildest may be the one that holds.
        let mildest = near.unwrap_or_default().into_iter().min_by_key(|(standard, _)| *standard);
        if let Some((standard, label)) = mildest {
            judge(pod, standard, label, checker);
        }
    }
}

/// The standard that a namespace enforces, with its label.
fn enforced<'a>(namespace: &Object<'a>) -> Option<(Standard, &'a Value)> {
    let label = namespace.value.at(&["metadata", "labels", LABEL]).filter(|_| !is_templated(namespace.name))?;
    Some((Standard::of_label(label.as_str()?)?, label))
}

fn judge(pod: &Pod<'_>, standard: Standard, label: &Value, checker: &mut Checker<'_>) {
    let Some(rendered) = pod.rendered() else { return };
    let word = label.as_str().unwrap_or_default();
    for refused in rendered.pod().refused_by(standard) {
        let message = format!("runner pods are refused, as their namespace enforces `{word}`: {}", refused.what);
        let mut places = vec![refused.at];
        places.extend(pod.trail(&[]).into_iter().rev());
        checker
            .report_first(pod.home.users_first(places), message)
            .related(label.origin.node, format!("the namespace enforces `{word}`"))
            .fault_in(pod, &refused.what)
            .help(match standard {
                Standard::Baseline => {
                    "give the runners a namespace that enforces `privileged`, or do without what it refuses"
                }
                Standard::Restricted => {
                    "give the runners a namespace with a milder standard, or set what this one asks for"
                }
            });
    }
}
