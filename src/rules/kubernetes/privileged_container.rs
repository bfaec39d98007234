//! A container of a runner pod is privileged.

use crate::rule::Checker;
use crate::view::{ContainerMode, Pod, PodRole};

pub(crate) fn check(pod: &Pod<'_>, checker: &mut Checker<'_>) {
    if pod.role != PodRole::Runner {
        return;
    }
    let dind_mode = pod.mode_to_expand() == ContainerMode::Dind;
    let mut told = Vec::new();
    for container in pod.containers() {
        let replaced = dind_mode && container.name == "dind";
        let Some(value) = container.get("securityContext").and_then(|context| context.get("privileged")) else {
            continue;
        };
        if replaced || value.as_bool() != Some(true) {
            continue;
        }
        let purpose = if container.runs_dockerd() { ", which a Docker daemon needs" } else { "" };
        let message = format!("container `{}` of a runner pod is privileged{purpose}", container.name);
        checker.report_first([value, container.value], message).fault_in(pod, container.name).help(HELP);
        told.push(container.name);
    }
    for container in pod.generated().into_iter().filter(|container| !told.contains(&container.name)) {
        let by = if pod.legacy().is_some() { "controller" } else { "chart" };
        let message = match container.name {
            "runner" => format!("the {by} makes the container `runner` of every runner pod privileged"),
            name => format!("the {by} adds a privileged container `{name}` to every runner pod"),
        };
        let mut places = vec![container.cause];
        places.extend(pod.trail(&[]).into_iter().rev());
        checker.report_first(places, message).fault_in(pod, container.name).help(HELP);
    }
}

const HELP: &str = "builds of images can do without: rootless BuildKit, Buildah, a maintained fork of kaniko; \
                    otherwise keep such pods on tainted nodes of their own";
