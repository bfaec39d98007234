//! In the mode `kubernetes` there is nothing to make the work volume of.

use crate::rule::Checker;
use crate::syntax::NodeRef;
use crate::values::Value;
use crate::view::{ContainerMode, Home, Pod, PodRole};

const CLAIM: &str = "kubernetesModeWorkVolumeClaim";
const HELP: &str = "give `containerMode.kubernetesModeWorkVolumeClaim` `accessModes` and `resources.requests.storage`, \
                    or add a volume `work`; the mode `kubernetes-novolume` needs none";

pub(crate) fn check(pod: &Pod<'_>, checker: &mut Checker<'_>) {
    if pod.role != PodRole::Runner || pod.legacy().is_some() {
        return;
    }
    match &pod.home {
        Home::Values(..) => check_values(pod, checker),
        Home::Object(_) | Home::File => check_object(pod, checker),
    }
}

fn check_values(pod: &Pod<'_>, checker: &mut Checker<'_>) {
    let Some(mode) = pod.home.value().and_then(|values| values.get("containerMode")) else { return };
    let claim = mode.get(CLAIM);
    let has_claim = claim.is_some_and(|claim| !claim.is_empty());
    let is_seen = pod.container_mode() == ContainerMode::Kubernetes && !pod.home.is_partial();
    if !is_seen || has_claim || may_have_work_volume(pod) {
        return;
    }
    let message = format!("the mode is `kubernetes`, but `{CLAIM}` is not set: the work volume gets no claim");
    let gone = mode.as_map().and_then(|map| map.deleted.iter().rev().find(|gone| gone.key == CLAIM));
    let taken_away = gone.and_then(|gone| gone.by.node).filter(|at| checker.is_node_in_file(*at));
    let mut finding = match taken_away {
        Some(at) => checker.report(at, message),
        None => checker.report_first(claim.into_iter().chain(pod.trail_of_mode().into_iter().rev()), message),
    };
    let set: Option<NodeRef> = gone.and_then(|gone| gone.value.origin.node);
    // One level too high it is read by nobody.
    let misplaced = pod.home.value().and_then(|values| values.get(CLAIM)).and_then(|claim| claim.origin.node);
    finding
        .related(set, "it was set here")
        .related(misplaced, "it stands here, outside of `containerMode`")
        .fault_in(pod, "volume work")
        .help(HELP);
}

/// Rendered, the claim's spec is null.
fn check_object(pod: &Pod<'_>, checker: &mut Checker<'_>) {
    let mut volumes = pod.spec.get("volumes").into_iter().flat_map(Value::items);
    let Some(work) = volumes.find(|volume| is_work(volume)) else { return };
    let Some(template) = work.at(&["ephemeral", "volumeClaimTemplate"]) else { return };
    let spec = template.get("spec");
    if spec.is_some_and(|spec| !spec.is_empty()) || template.is_unknown() {
        return;
    }
    let message = "the volume `work` has no claim: `kubernetesModeWorkVolumeClaim` was not set";
    checker.report_first(spec.into_iter().chain([template, work]), message).fault_in(pod, "volume work").help(HELP);
}

fn may_have_work_volume(pod: &Pod<'_>) -> bool {
    let Some(volumes) = pod.spec.get("volumes") else { return false };
    volumes.is_unknown()
        || volumes.items().any(|volume| is_work(volume) || volume.get("name").is_some_and(Value::is_unknown))
}

fn is_work(volume: &Value) -> bool {
    volume.get("name").and_then(Value::as_str) == Some("work")
}
