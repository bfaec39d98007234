//! Jobs may be scheduled to other nodes than their runner, with a work volume that only one node can use.

use crate::rule::Checker;
use crate::view::{Field, Pod, PodRole, hooks};

pub(crate) fn check(pod: &Pod<'_>, checker: &mut Checker<'_>) {
    let Some(rendered) = pod.rendered().filter(|_| pod.role == PodRole::Runner && pod.legacy().is_none()) else {
        return;
    };
    let rendered = rendered.pod();
    let Some(runner) = rendered.runner().filter(|runner| runner.shares_work_volume()) else { return };
    let Field::Present("true", scheduler) = runner.env_value(hooks::USE_KUBE_SCHEDULER) else { return };
    let Some(claim) = rendered.work_claim() else { return };
    let Field::Present(modes, place) = hooks::access_modes(claim) else { return };
    let of_one_node = |mode: &&str| matches!(*mode, "ReadWriteOnce" | "ReadWriteOncePod");
    if modes.is_empty() || !modes.iter().all(of_one_node) {
        return;
    }
    let message = format!(
        "the scheduler may put a job on another node than its runner, where the work volume of both cannot be \
         attached: it is `{}`",
        modes.join("`, `")
    );
    checker
        .report_first([place, claim, scheduler], message)
        .related(scheduler.origin.node, "the scheduler is asked here")
        .fault_in(pod, "volume work.accessModes")
        .help(format!(
            "use `ReadWriteMany` with a storage class that has it, the mode `kubernetes-novolume`, or no `{}`",
            hooks::USE_KUBE_SCHEDULER
        ));
}
