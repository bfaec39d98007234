//! A setting of a `securityContext` stands on the level where it does not exist.

use crate::rule::{Checker, Finding};
use crate::values::Value;
use crate::view::{ContainerKind, ContainerMode, Pod, PodRole, PodShape};

pub(crate) fn check(pod: &Pod<'_>, checker: &mut Checker<'_>) {
    if !matches!(pod.role, PodRole::Runner | PodRole::Listener) || pod.shape == PodShape::ChartValues {
        return;
    }
    for (key, value) in misplaced(pod.spec, &OF_CONTAINERS) {
        let message = format!("`{key}` in the pod's `securityContext` has no effect: only containers have it");
        let mut places = vec![value];
        places.extend(pod.trail(&["securityContext"]).into_iter().rev());
        report(checker, value, places, message)
            .fault_in(pod, &format!("securityContext.{key}"))
            .help(format!("move `{key}` to the `securityContext` of the containers that need it"));
    }
    let of_chart = |name: &str| name == "dind" && pod.mode_to_expand() == ContainerMode::Dind;
    for container in pod.containers() {
        // A legacy runner spec has the pod's context; the mode `dind` throws the container `dind` away.
        if container.kind == ContainerKind::RunnerSpec || of_chart(container.name) {
            continue;
        }
        for (key, value) in misplaced(container.value, &OF_PODS) {
            let name = container.name;
            let message =
                format!("`{key}` in the `securityContext` of container `{name}` has no effect: only pods have it");
            report(checker, value, container.places(pod, [value]), message)
                .fault_in(pod, &format!("{name}.securityContext.{key}"))
                .help(format!("move `{key}` to the `securityContext` of the pod, beside `containers`"));
        }
    }
}

/// Reports at the key, which is what is wrong; a flag may have a place in no file.
fn report<'c, 'k>(
    checker: &'c mut Checker<'k>,
    value: &Value,
    places: Vec<&Value>,
    message: String,
) -> Finding<'c, 'k> {
    match value.origin.node.filter(|at| checker.is_node_in_file(*at)) {
        Some(at) => checker.report_key(at, message),
        None => checker.report_first(places, message),
    }
}

fn misplaced<'a>(holder: &'a Value, keys: &'static [&str]) -> impl Iterator<Item = (&'static str, &'a Value)> {
    let context = holder.get("securityContext");
    let set = move |key: &&'static str| Some((*key, context?.get(key).filter(|value| !value.is_null())?));
    keys.iter().filter_map(set)
}

/// What a `PodSecurityContext` has and a `SecurityContext` has not.
const OF_PODS: [&str; 6] = [
    "fsGroup",
    "fsGroupChangePolicy",
    "seLinuxChangePolicy",
    "supplementalGroups",
    "supplementalGroupsPolicy",
    "sysctls",
];

/// What a `SecurityContext` has and a `PodSecurityContext` has not.
const OF_CONTAINERS: [&str; 5] =
    ["allowPrivilegeEscalation", "capabilities", "privileged", "procMount", "readOnlyRootFilesystem"];
