//! The template for job pods lies in no volume of the runner.

use crate::diagnostic::Severity;
use crate::rule::Checker;
use crate::view::{ContainerMode, Field, Place, Pod, hooks};

pub(crate) fn check(pod: &Pod<'_>, checker: &mut Checker<'_>) {
    // In the mode `dind` there are no hooks to read it.
    if pod.container_mode() == ContainerMode::Dind || pod.legacy().is_some() {
        return;
    }
    let Some(rendered) = pod.rendered() else { return };
    let rendered = rendered.pod();
    let Some(runner) = rendered.runner() else { return };
    let Field::Present(path, value) = runner.env_value(hooks::TEMPLATE) else { return };
    if !path.starts_with('/') || runner.place_of(path) != Place::Inside || runner.image_ref().is_none() {
        return;
    }
    let message = format!("`{path}` lies in no volume that container `runner` mounts");
    let written = pod.runner().and_then(|runner| runner.get("volumeMounts"));
    let earlier = pod.runner().map(|runner| pod.earlier(&runner)).unwrap_or_default();
    let lost = earlier.iter().find_map(|item| item.mount_over(path));
    let mut finding = checker.report_first(runner.places(&rendered, [value]), message);
    finding
        .related(written.and_then(|mounts| mounts.origin.node), "these are the mounts")
        .related(lost.and_then(|mount| mount.origin.node), "a list that was replaced mounted it here")
        .fault_in(pod, &format!("{}.env {}", runner.name, hooks::TEMPLATE))
        .help("mount the ConfigMap that holds the template there, in `volumeMounts` of the container and `volumes` of the pod");
    if !runner.is_official_runner() {
        // The file may be in the image.
        finding.diagnostic.lower_to(Severity::Info);
    }
}
