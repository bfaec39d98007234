//! A container `dind` in DinD mode is thrown away by the chart, whatever it says.

use crate::diagnostic::Severity;
use crate::rule::Checker;
use crate::values::Value;
use crate::view::{ContainerKind, ContainerMode, Pod, PodContainer, PodRole};

pub(crate) fn check(pod: &Pod<'_>, checker: &mut Checker<'_>) {
    if pod.role != PodRole::Runner || pod.mode_to_expand() != ContainerMode::Dind {
        return;
    }
    // The experimental chart keeps it, beside its own.
    if pod.home.is_experimental() {
        return;
    }
    let ignored = |kind, name: &str| kind == ContainerKind::Main && name == "dind";
    for container in pod.containers().iter().filter(|container| ignored(container.kind, container.name)) {
        let keys = container.value.entries().map(|(key, _)| key).filter(|key| *key != "name");
        let keys: Vec<_> = keys.map(|key| format!("`{key}`")).collect();
        let what = if keys.is_empty() {
            "it has no effect".to_owned()
        } else {
            format!("its {} have no effect", keys.join(", "))
        };
        let message = format!("container `dind` is replaced by the chart's own, as the mode is `dind`: {what}");
        let mut places = vec![container.value];
        places.extend(pod.trail(&["containers"]).into_iter().rev());
        let mut finding = checker.report_first(places, message);
        let mode = pod.trail_of_mode();
        finding
            .related(mode.last().and_then(|mode| mode.origin.node), "the mode is set here")
            .fault_in(pod, container.name)
            .help("unset `containerMode` and write the whole expanded form out, or delete the item");
        if repeats_the_chart(container) {
            finding.diagnostic.lower_to(Severity::Info);
        } else if pod.chart_is_newer_than_known() {
            // A change that merges the item was proposed upstream.
            finding.diagnostic.lower_to(Severity::Warning);
        }
    }
}

/// Whether the item says nothing but what the chart writes anyway.
fn repeats_the_chart(container: &PodContainer<'_>) -> bool {
    let text = |value: &Value, key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
    let is_default = |(key, value): (&str, &Value)| match key {
        "name" => true,
        "image" => value.as_str() == Some("docker:dind"),
        "args" => value.items().all(|arg| arg.as_str().is_some_and(|arg| CHART_ARGS.contains(&arg))),
        "env" => value.items().all(|item| text(item, "name").as_deref() == Some("DOCKER_GROUP_GID")),
        "securityContext" => value.entries().all(|(key, value)| key == "privileged" && value.as_bool() == Some(true)),
        "volumeMounts" => value.items().all(|mount| {
            text(mount, "name").is_some_and(|name| ["work", "dind-sock", "dind-externals"].contains(&name.as_str()))
        }),
        _ => false,
    };
    container.value.entries().all(is_default)
}

/// The socket moved between chart versions.
const CHART_ARGS: [&str; 4] = [
    "dockerd",
    "--host=unix:///var/run/docker.sock",
    "--host=unix:///run/docker/docker.sock",
    "--group=$(DOCKER_GROUP_GID)",
];
