//! A claim for the work volume is set in a mode that does not read it.

use crate::rule::Checker;
use crate::view::{ContainerMode, ScaleSet};

pub(crate) fn check(set: &ScaleSet<'_>, checker: &mut Checker<'_>) {
    let path = ["containerMode", "kubernetesModeWorkVolumeClaim"];
    let Some(claim) = set.at(&path).filter(|claim| set.is_values() && !claim.is_empty()) else { return };
    let mode = set.at(&["containerMode", "type"]).filter(|mode| !mode.is_empty());
    let what = match (set.container_mode(), mode) {
        (ContainerMode::Dind, _) => "in the mode `dind`",
        (ContainerMode::KubernetesNoVolume, _) => "in the mode `kubernetes-novolume`",
        (ContainerMode::Unset, None) => "without a mode",
        // A word that the chart does not know is a fault of its own.
        (ContainerMode::Unset, Some(_)) | (ContainerMode::Kubernetes | ContainerMode::Unknown, _) => return,
    };
    checker
        .report_first(
            [claim].into_iter().chain(set.trail(&path).into_iter().rev()),
            format!("`{}` has no effect {what}", set.home.called(&path.join("."))),
        )
        .related(mode.and_then(|mode| mode.origin.node), "the mode is set here")
        .help(format!("remove the claim, or set `{}` to `kubernetes`", set.home.called("containerMode.type")));
}
