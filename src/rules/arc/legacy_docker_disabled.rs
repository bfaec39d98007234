//! A job needs Docker on classic runners that switch it off.

use crate::diagnostic::Severity;
use crate::rule::Checker;
use crate::values::Value;
use crate::view::{Field, Fleet, RunnerPool, WorkflowJob, is_templated};

pub(crate) fn check(fleet: &Fleet<'_>, checker: &mut Checker<'_>) {
    let pools = fleet.runner_pools();
    for job in fleet.workflow_jobs(checker.trees()) {
        let Some(runs_on) = job.runs_on() else { continue };
        let takers: Vec<_> = pools.iter().filter(|pool| pool.takes(&runs_on) == Some(true)).collect();
        let Some(causes) = takers.iter().map(|pool| switched_off(pool)).collect::<Option<Vec<_>>>() else { continue };
        let (Some(pool), Some(cause)) = (takers.first(), causes.first()) else { continue };
        let Some((what, value)) = needs(job) else { continue };
        let Some(at) = value.origin.node else { continue };
        let message = format!("{what} needs Docker, which `{}` switches off with `dockerEnabled: false`", pool.title());
        let mut finding = checker.report(at, message);
        finding
            .related(cause.origin.node, "Docker is switched off here")
            .help("set `dockerEnabled: true`, or run the job on runners that have Docker");
        if !takers.iter().any(|pool| pool.is_meant_by(&runs_on)) {
            // Runners that are not in view have the default labels too.
            finding.diagnostic.lower_to(Severity::Warning);
        }
    }
}

/// What in the job needs Docker first.
fn needs(job: WorkflowJob<'_>) -> Option<(String, &Value)> {
    let may_be_none = |value: &Value| {
        let image = value.as_str().or_else(|| value.get("image")?.as_str());
        image.is_none_or(|image| image.is_empty() || image.starts_with("${{") && image.ends_with("}}"))
    };
    if let Some(container) = job.container().filter(|container| !may_be_none(container)) {
        return Some(("`container`".to_owned(), container));
    }
    if let Some(services) = job.services().filter(|services| services.entries().any(|(_, one)| !may_be_none(one))) {
        return Some(("`services`".to_owned(), services));
    }
    let docker = job.docker_uses().into_iter().next()?;
    Some((format!("`{}`", docker.what), docker.value))
}

/// `dockerEnabled: false` of classic runners that get Docker from nowhere else.
fn switched_off<'a>(pool: &RunnerPool<'a>) -> Option<&'a Value> {
    let pod = pool.pod.as_ref()?;
    let settings = pod.legacy()?;
    let Field::Present(false, cause) = Field::of(settings.get("dockerEnabled"), Value::as_bool) else { return None };
    let within = Field::of(settings.get("dockerdWithinRunnerContainer"), Value::as_bool);
    let mode = Field::of(settings.get("containerMode"), Value::as_str);
    let is_plain = matches!(within, Field::Absent | Field::Present(false, _))
        && matches!(mode, Field::Absent | Field::Present("" | "default", _));
    let volumes = [Some(settings), Some(pod.spec)].into_iter().flatten().filter_map(|holder| holder.get("volumes"));
    let has_socket = volumes.flat_map(Value::items).any(|volume| {
        let path = volume.at(&["hostPath", "path"]).and_then(Value::as_str);
        path.is_some_and(|path| {
            path.contains("docker.sock")
                || is_templated(path)
                || ["/run", "/var/run"].contains(&path.trim_end_matches('/'))
        })
    });
    let containers = pod.containers();
    let has_daemon =
        containers.iter().any(|container| container.env("DOCKER_HOST").is_some() || container.runs_dockerd());
    (is_plain && !has_socket && !has_daemon).then_some(cause)
}
