//! Runner pods that the cluster autoscaler may evict in the middle of a job.

use crate::rule::Checker;
use crate::view::{Pod, PodRole};

const KEY: &str = "cluster-autoscaler.kubernetes.io/safe-to-evict";

pub(crate) fn check(pod: &Pod<'_>, checker: &mut Checker<'_>) {
    // The controller itself writes it on pods as long as they are idle.
    let Some(said) = pod.annotation(KEY).filter(|_| pod.role == PodRole::Runner && !pod.is_live()) else { return };
    if said.as_str() != Some("true") && said.as_bool() != Some(true) {
        return;
    }
    checker
        .report_first(
            said.history(),
            format!("`{KEY}` is true: the cluster autoscaler may evict a runner during its job"),
        )
        .fault_in(pod, KEY)
        .help("set it to `\"false\"`");
}
