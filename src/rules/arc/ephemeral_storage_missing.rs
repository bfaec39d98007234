//! Docker's images or the workspace fill the node's disk, of which the pod asks for nothing.

use crate::rule::Checker;
use crate::values::Value;
use crate::view::{Place, Pod, PodContainer, PodRole};

pub(crate) fn check(pod: &Pod<'_>, checker: &mut Checker<'_>) {
    if pod.role != PodRole::Runner || pod.legacy().is_some() {
        return;
    }
    let Some(rendered) = pod.rendered() else { return };
    let seen = rendered.pod();
    let Some(runner) = seen.runner() else { return };
    let containers = seen.containers();
    let asks = |container: &PodContainer<'_>| {
        let Some(resources) = container.get("resources") else { return false };
        let is_said =
            |kind| resources.get(kind).is_some_and(|it| it.is_unknown() || it.get("ephemeral-storage").is_some());
        resources.is_unknown() || is_said("requests") || is_said("limits")
    };
    let daemon = seen.docker_side_cars().into_iter().find(|daemon| is_on_disk(&seen, daemon, "/var/lib/docker"));
    let what = match daemon {
        _ if containers.iter().any(asks) || is_left_out(pod) => return,
        Some(daemon) => format!("`{}` keeps images and containers", daemon.name),
        None if seen.volume("work").is_some_and(is_disk) && mounts_work(&runner) => "the volume `work` lies".to_owned(),
        None => return,
    };
    let resources = runner.get("resources");
    let mut places: Vec<_> = resources.into_iter().chain([runner.value]).collect();
    places.extend(pod.trail(&["containers"]).into_iter().rev());
    checker
        .report_first(
            pod.home.users_first(places),
            format!("the pod requests no `ephemeral-storage`, but {what} on the node's disk"),
        )
        .fault_in(pod, runner.name)
        .help(if pod.home.is_of_chart(runner.value) && !pod.home.is_experimental() {
            "write the item `runner` out whole, with `image` and `command`, and with `resources.requests.ephemeral-storage` for what a job needs, images included"
        } else {
            "set `resources.requests.ephemeral-storage` of the runner to what a job needs, images included"
        });
}

/// Whether the values ask for it where the chart does not take it: that is a fault of its own.
fn is_left_out(pod: &Pod<'_>) -> bool {
    let written = pod.left_out("resources");
    written.is_some_and(|(_, resources)| resources.entries().any(|(_, map)| map.get("ephemeral-storage").is_some()))
}

fn mounts_work(runner: &PodContainer<'_>) -> bool {
    let mut mounts = runner.get("volumeMounts").into_iter().flat_map(Value::items);
    mounts.any(|mount| mount.get("name").and_then(Value::as_str) == Some("work"))
}

/// Whether a folder of a container lies on the node's disk.
fn is_on_disk(pod: &Pod<'_>, container: &PodContainer<'_>, folder: &str) -> bool {
    match container.place_of(folder) {
        Place::Inside => !container.is_rootless(),
        Place::Volume { volume, .. } => pod.volume(volume).is_some_and(is_disk),
        Place::Unknown => false,
    }
}

/// Whether a volume is a folder on the node that counts as the pod's own.
fn is_disk(volume: &Value) -> bool {
    volume.get("emptyDir").is_some_and(|folder| !folder.is_unknown() && folder.get("medium").is_none())
}
