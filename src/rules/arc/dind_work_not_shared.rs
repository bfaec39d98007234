//! The Docker daemon does not have the runner's work volume where the runner has it.

use crate::rule::Checker;
use crate::values::Value;
use crate::view::{Field, Place, Pod, PodContainer, PodRole};

pub(crate) fn check(pod: &Pod<'_>, checker: &mut Checker<'_>) {
    if pod.role != PodRole::Runner || pod.legacy().is_some() {
        return;
    }
    let Some(rendered) = pod.rendered() else { return };
    let seen = rendered.pod();
    let is_served = |runner: &PodContainer<'_>| !runner.is_bare() && !runner.runs_dockerd() && is_served_here(runner);
    let Some(runner) = seen.runner().filter(is_served) else { return };
    let Some(daemon) = seen.docker_side_cars().into_iter().next() else { return };
    // What the chart writes is not at fault, and neither is the runner where both are the user's.
    let is_runners = rendered.adds(daemon.value) || work(&runner).is_none();
    let (lacks, has) = if is_runners { (&runner, &daemon) } else { (&daemon, &runner) };
    let Some((folder, mount)) = work(has) else { return };
    let (at_one, at_other) = (lacks.place_of(folder), has.place_of(folder));
    if at_one == at_other || at_one == Place::Unknown || at_other == Place::Unknown {
        return;
    }
    let volume = mount.get("name").and_then(Value::as_str).unwrap_or_default();
    let mounts = lacks.get("volumeMounts");
    let of_volume = |mount: &&Value| mount.get("name").and_then(Value::as_str) == Some(volume);
    let elsewhere = mounts.into_iter().flat_map(Value::items).find(of_volume);
    let (lacking, having) = (lacks.name, has.name);
    let message = match at_one {
        Place::Volume { volume: other, .. } if other == volume => {
            format!("container `{lacking}` has another part of the work volume at `{folder}` than `{having}`")
        }
        _ => format!(
            "container `{lacking}` does not have the work volume `{volume}` at `{folder}`, where `{having}` has it"
        ),
    };
    let places = elsewhere.into_iter().chain(mounts).chain([lacks.value]).filter(|value| !rendered.adds(value));
    checker
        .report_first(places.chain(pod.trail(&["containers"]).into_iter().rev()), message)
        .related(Some(mount).filter(|mount| !rendered.adds(mount)).and_then(|mount| mount.origin.node), "mounted here")
        .fault_in(pod, "work")
        .help(format!("mount `{volume}` at `{folder}` in both containers, with the same `subPath` if any"));
}

/// Whether the daemon that the runner's containers start in is one of the pod.
fn is_served_here(runner: &PodContainer<'_>) -> bool {
    let hooks = runner.env_value("ACTIONS_RUNNER_CONTAINER_HOOKS").is_absent();
    hooks
        && match runner.docker_host() {
            Field::Absent => true,
            Field::Present(host, _) => {
                let rest = host.strip_prefix("tcp://");
                rest.map_or(host.starts_with("unix://"), |host| {
                    host.starts_with("localhost") || host.starts_with("127.")
                })
            }
            Field::WrongShape(_) | Field::Unknown(_) => false,
        }
}

/// The folder of the work volume, with its mount: that of the volume `work`, else that over the runner's folder.
fn work<'a>(container: &PodContainer<'a>) -> Option<(&'a str, &'a Value)> {
    let mounts = container.get("volumeMounts").into_iter().flat_map(Value::items);
    let named = mounts.into_iter().find(|mount| mount.get("name").and_then(Value::as_str) == Some("work"));
    if let Some(mount) = named {
        return Some((mount.get("mountPath")?.as_str()?, mount));
    }
    let folder = Field::of(container.get("workingDir"), Value::as_str).known().filter(|_| container.is_runner());
    let folder = folder.unwrap_or("/home/runner/_work");
    Some((folder, container.mount_over(folder)?))
}
