//! The runner is told of a Docker socket that nothing in its pod makes.

use crate::rule::Checker;
use crate::view::{ContainerMode, Field, Home, Place, Pod, PodContainer, PodRole};

pub(crate) fn check(pod: &Pod<'_>, checker: &mut Checker<'_>) {
    if pod.role != PodRole::Runner || pod.legacy().is_some() || is_injected(pod) || is_misspelt(pod) {
        return;
    }
    let Some(rendered) = pod.rendered() else { return };
    let seen = rendered.pod();
    let Some(runner) = seen.runner().filter(|runner| !may_run_a_daemon(&seen, runner)) else { return };
    let Field::Present(host, value) = runner.docker_host() else { return };
    let Some(path) = host.strip_prefix("unix://") else { return };
    let is_left_alone = match runner.place_of(path) {
        Place::Inside => true,
        Place::Volume { volume, .. } => seen.is_scratch(volume) && !seen.is_served(volume),
        Place::Unknown => false,
    };
    let beside = seen.containers();
    let mut beside = beside.iter().filter(|container| container.keeps_running() && !container.is_runner());
    if !is_left_alone || beside.any(may_be_daemon) {
        return;
    }
    let places: Vec<_> = runner.env("DOCKER_HOST").into_iter().chain([value, runner.value]).collect();
    let mode = pod.trail_of_mode().last().copied();
    let unset = mode.filter(|mode| mode.past.iter().any(|past| !past.value.is_empty()));
    checker
        .report_first(places, format!("`DOCKER_HOST` is `{host}`, but nothing in the pod makes that socket"))
        .related(unset.and_then(|mode| mode.origin.node), "the mode is unset here")
        .fault_in(pod, runner.name)
        .help(format!(
            "set `{}` to `dind`, or write a container with the daemon out; else remove the variable",
            pod.home.called("containerMode.type")
        ));
}

/// Whether a mode is asked for that the chart does not know: that is a fault of its own.
fn is_misspelt(pod: &Pod<'_>) -> bool {
    let Home::Values(_, part) = &pod.home else { return false };
    let word = part.settings.at(&["containerMode", "type"]);
    pod.mode_to_expand() == ContainerMode::Unset && word.is_some_and(|word| !word.is_empty())
}

/// Whether something may add containers to the pod later: an injector that a label or annotation asks.
fn is_injected(pod: &Pod<'_>) -> bool {
    let template = pod.path.split_last().map_or(pod.path, |(_, template)| template);
    let metadata = pod.home.value().and_then(|value| value.at(&[template, &["metadata"]].concat()));
    let maps = ["annotations", "labels"].into_iter().filter_map(|key| metadata?.get(key));
    maps.chain(pod.annotations())
        .any(|map| map.is_unknown() || map.entries().any(|(key, _)| key.contains("inject") || key.contains("sidecar")))
}

/// Whether the runner's own container may start a daemon.
fn may_run_a_daemon(pod: &Pod<'_>, runner: &PodContainer<'_>) -> bool {
    let has_own_runtime = pod.spec.get("runtimeClassName").is_some_and(|class| !class.is_null());
    let allowed = !matches!(runner.privileged(), Field::Absent | Field::Present(false, _));
    let starts_plainly = runner.words().eq(["/home/runner/run.sh"]);
    has_own_runtime
        || allowed
        || runner.runs_dockerd()
        || runner.get("lifecycle").is_some()
        || runner.image_ref().is_none_or(|image| image.name().contains("dind"))
        || !(runner.is_official_runner() || starts_plainly)
}

/// Whether a container beside the runner may bring a socket: by its words, image or name, or if that cannot be known.
fn may_be_daemon(container: &PodContainer<'_>) -> bool {
    let image = container.image_ref().map(|image| image.name());
    let Some(image) = image else { return true };
    let names =
        |text: &str| ["docker", "dind", "podman", "buildkit", "containerd", "moby"].iter().any(|it| text.contains(it));
    container.runs_dockerd() || names(image) || names(container.name) || container.words().any(names)
}
