//! A step needs a Docker daemon on runners that start jobs in pods of their own.

use crate::diagnostic::Severity;
use crate::rule::Checker;
use crate::view::{ContainerMode, Fleet, Object, Place, RunnerPool, hooks, takers};

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

/// Whether a template for job pods may bring a daemon: it is not in view, or it speaks of one.
fn is_job_patched(pool: &RunnerPool<'_>, fleet: &Fleet<'_>) -> bool {
    let Some(pod) = &pool.pod else { return false };
    let Some(runner) = pod.runner().filter(|runner| runner.env(hooks::TEMPLATE).is_some()) else { return false };
    let place = runner.env_value(hooks::TEMPLATE).known().map(|path| runner.place_of(path));
    let Some(Place::Volume { volume, path }) = place else { return true };
    let keys = pod.config_map_keys(volume, &path);
    let is_template =
        |object: &&Object<'_>| object.kind == "ConfigMap" && keys.iter().any(|(name, _)| *name == object.name);
    let speaks = |object: &Object<'_>| {
        let texts = keys.iter().filter_map(|(_, key)| object.value.at(&["data", key])?.as_str());
        let texts: Vec<_> = texts.collect();
        texts.is_empty() || texts.iter().any(|text| text.contains("docker") || text.contains("buildkit"))
    };
    let mut templates = fleet.objects.iter().filter(is_template).peekable();
    templates.peek().is_none() || templates.any(speaks)
}
