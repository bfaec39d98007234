//! No container of a listener template is called `listener`, so none changes the listener.

use crate::diagnostic::Severity;
use crate::rule::Checker;
use crate::view::{ContainerKind, Field, Pod, PodContainer, PodRole};

pub(crate) fn check(pod: &Pod<'_>, checker: &mut Checker<'_>) {
    let containers = pod.containers().into_iter().filter(|container| container.kind == ContainerKind::Main);
    let containers: Vec<_> = containers.filter(|_| pod.role == PodRole::Listener).collect();
    let is_known =
        |container: &PodContainer<'_>| !container.name.is_empty() && !crate::view::is_templated(container.name);
    let items = pod.spec.get("containers").map_or(0, |list| list.items().count());
    if items != containers.len() || !containers.iter().all(is_known) || containers.iter().any(is_listener) {
        return;
    }
    let without_image = containers.iter().find(|container| container.image().is_absent());
    let Some(meant) = without_image.or_else(|| containers.iter().find(|container| is_meant_for_it(container))) else {
        return;
    };
    let effect = match meant.image() {
        Field::Absent => "it becomes a side-car without an image",
        _ => "it becomes a side-car",
    };
    let message = format!("no container is called `listener`: `{}` does not change the listener, {effect}", meant.name);
    let mut places: Vec<_> = meant.value.get("name").into_iter().chain([meant.value]).collect();
    places.extend(pod.trail(&["containers"]).into_iter().rev());
    let mut finding = checker.report_first(places, message);
    finding.fault_in(pod, meant.name).help("rename the container to `listener`");
    if without_image.is_none() {
        finding.diagnostic.lower_to(Severity::Warning);
    }
}

fn is_listener(container: &PodContainer<'_>) -> bool {
    container.name == "listener"
}

/// Whether a container with an image of its own is no mere side-car: it runs what ARC runs, or is called like that.
fn is_meant_for_it(container: &PodContainer<'_>) -> bool {
    let images = ["gha-runner-scale-set-controller", "actions-runner"];
    let runs_it = container.image_ref().is_some_and(|image| images.contains(&image.name()));
    runs_it || container.name == "runner" || container.name.to_ascii_lowercase().contains("listener")
}
