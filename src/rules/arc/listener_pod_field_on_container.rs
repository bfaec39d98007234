//! A pod's field under a container of a listener template.

use crate::rule::Checker;
use crate::view::{Pod, PodRole};

const POD_FIELDS: [&str; 6] =
    ["tolerations", "nodeSelector", "affinity", "topologySpreadConstraints", "priorityClassName", "hostAliases"];

pub(crate) fn check(pod: &Pod<'_>, checker: &mut Checker<'_>) {
    let containers = pod.containers().into_iter().filter(|_| pod.role == PodRole::Listener);
    for (container, field) in containers.flat_map(|container| POD_FIELDS.map(|field| (container, field))) {
        let Some(value) = container.get(field) else { continue };
        let message =
            format!("`{field}` is a field of the pod: under the container `{}` it is thrown away", container.name);
        let mut finding = checker.report_first_key(value.history().chain([container.value]), message);
        finding
            .fault_in(pod, &format!("{}.{field}", container.name))
            .help(format!("move it up, to `{}`", pod.home.shown(&format!("listenerTemplate.spec.{field}"))));
    }
}
