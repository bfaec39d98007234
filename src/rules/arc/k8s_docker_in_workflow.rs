//! A step needs a Docker daemon on runners that start jobs in pods of their own.

use crate::diagnostic::Severity;
use crate::rule::Checker;
use crate::values::Value;
use crate::view::{ContainerMode, Fleet, PodContainer, RunnerPool, takers};

pub(crate) fn check(fleet: &Fleet<'_>, checker: &mut Checker<'_>) {
    let pools = fleet.runner_pools();
    for job in fleet.workflow_jobs(checker.trees()) {
        let Some(runs_on) = job.runs_on() else { continue };
        let takers = takers(&pools, &runs_on);
        let Some(pool) = takers.first().filter(|_| takers.iter().all(|pool| has_no_daemon(pool))) else { continue };
        let is_patched = takers.iter().any(|pool| is_job_patched(pool, fleet));
        for docker in job.docker_uses() {
            let Some(at) = docker.value.origin.node else { continue };
            let message = format!(
                "`{}` needs a Docker daemon, which the runners of `{}` do not have in their kubernetes mode",
                docker.what,
                pool.title()
            );
            let mode = pool.pod.as_ref().map(|pod| pod.trail_of_mode()).unwrap_or_default();
            let mut finding = checker.report(at, message);
            finding
                .related(mode.last().and_then(|mode| mode.origin.node), "the mode is set here")
                .help("run the job on a set in the mode `dind`, or build with a remote builder or without a daemon");
            if is_patched {
                finding.diagnostic.lower_to(Severity::Info);
            }
        }
    }
}

/// Whether the runners start jobs in other pods and bring no daemon themselves.
fn has_no_daemon(pool: &RunnerPool<'_>) -> bool {
    let Some(pod) = &pool.pod else { return false };
    let starts_pods = matches!(pod.container_mode(), ContainerMode::Kubernetes | ContainerMode::KubernetesNoVolume);
    let containers = pod.containers();
    let names_daemon = ["DOCKER_HOST", "BUILDKIT_HOST"]
        .into_iter()
        .any(|name| containers.iter().any(|container| container.env(name).is_some()));
    starts_pods && !names_daemon && !containers.iter().any(|container| container.runs_dockerd())
}

/// Whether a template for job pods may bring a daemon: it is not in view, or it names one.
fn is_job_patched(pool: &RunnerPool<'_>, fleet: &Fleet<'_>) -> bool {
    let Some(pod) = &pool.pod else { return false };
    let has_template = |container: PodContainer<'_>| container.env("ACTIONS_RUNNER_CONTAINER_HOOK_TEMPLATE").is_some();
    if !pod.runner().is_some_and(has_template) {
        return false;
    }
    let volumes = pod.spec.get("volumes").into_iter().flat_map(Value::items);
    let names: Vec<_> = volumes.filter_map(|volume| volume.at(&["configMap", "name"])?.as_str()).collect();
    let is_mounted = |name: &str| names.contains(&name);
    let mut maps =
        fleet.objects.iter().filter(|object| object.kind == "ConfigMap" && is_mounted(object.name)).peekable();
    let names_docker = |data: &Value| {
        data.entries()
            .any(|(_, text)| text.as_str().is_none_or(|text| text.contains("docker") || text.contains("buildkit")))
    };
    maps.peek().is_none() || maps.any(|map| map.value.get("data").is_none_or(names_docker))
}
