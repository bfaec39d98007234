//! The Docker daemon listens on a socket that the runner does not see where it looks.

use crate::rule::Checker;
use crate::values::Value;
use crate::view::{Field, Place, Pod, PodContainer, PodRole};

pub(crate) fn check(pod: &Pod<'_>, checker: &mut Checker<'_>) {
    if pod.role != PodRole::Runner || pod.legacy().is_some() {
        return;
    }
    let Some(rendered) = pod.rendered() else { return };
    let seen = rendered.pod();
    let Some(runner) = seen.runner().filter(|runner| !runner.runs_dockerd()) else { return };
    let Field::Present(host, says_host) = runner.docker_host() else { return };
    let Some(wanted) = host.strip_prefix("unix://") else { return };
    let Some(Miss { daemon, path, says_path }) = miss(&seen, &runner, wanted) else { return };

    // What the chart writes is not at fault: what the user writes beside it is.
    let is_runners = rendered.adds(daemon.value) || is_mounted(&daemon, path) && !is_mounted(&runner, wanted);
    let (places, other) = if is_runners {
        let mount = daemon.mount_over(path).and_then(|mount| mount_of(&runner, mount.get("name")?.as_str()?));
        ([runner.env("DOCKER_HOST"), mount, Some(runner.value)], says_path)
    } else {
        ([Some(says_path), Some(daemon.value), None], says_host)
    };
    let name = daemon.name;
    let message = match (wanted == path, is_runners) {
        (true, _) => format!("`runner` and `{name}` do not have one volume over `{path}`, the daemon's socket"),
        (false, true) => format!("`DOCKER_HOST` is `{host}`, but `{name}` listens on `{path}`"),
        (false, false) => format!("`{name}` listens on `{path}`, but the runner looks for the daemon at `{wanted}`"),
    };
    let places = places.into_iter().flatten().filter(|value| !rendered.adds(value));
    checker
        .report_first(places.chain(pod.trail(&["containers"]).into_iter().rev()), message)
        .related(other.origin.node, "the other side")
        .fault_in(pod, daemon.name)
        .help(
            "give both the same path, in a folder that both mount from one volume (`/var/run` as in charts since 0.9.0, \
             or `/run/docker` as in older ones)",
        );
}

/// A daemon that does not listen where the runner looks.
struct Miss<'a> {
    daemon: PodContainer<'a>,
    path: &'a str,
    says_path: &'a Value,
}

/// The daemon at fault; none where one listens there, or where that cannot be known.
fn miss<'a>(pod: &Pod<'a>, runner: &PodContainer<'a>, wanted: &str) -> Option<Miss<'a>> {
    let seen = runner.place_of(wanted);
    match &seen {
        Place::Unknown => return None,
        Place::Volume { volume, .. } if !pod.is_scratch(volume) || pod.is_served(volume) => return None,
        Place::Volume { .. } | Place::Inside => {}
    }
    let mut first = None;
    for daemon in pod.docker_side_cars() {
        let sockets = daemon.docker_sockets();
        if sockets.may_be_more {
            return None;
        }
        for (path, says_path) in sockets.paths {
            let place = daemon.place_of(path);
            if place == Place::Unknown || place != Place::Inside && place == seen {
                return None;
            }
            first = first.or(Some(Miss { daemon, path, says_path }));
        }
    }
    first
}

/// Whether a volume is mounted over the path just as it is written.
fn is_mounted(container: &PodContainer<'_>, path: &str) -> bool {
    let folder = container.mount_over(path).and_then(|mount| mount.get("mountPath")?.as_str());
    folder.is_some_and(|folder| path.starts_with(folder.trim_end_matches('/')))
}

fn mount_of<'a>(container: &PodContainer<'a>, volume: &str) -> Option<&'a Value> {
    let mut mounts = container.get("volumeMounts").into_iter().flat_map(Value::items);
    mounts.find(|mount| mount.get("name").and_then(Value::as_str) == Some(volume))
}
