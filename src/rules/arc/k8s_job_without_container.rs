//! A job without a container on runners that take jobs with one only.

use crate::rule::Checker;
use crate::syntax::NodeRef;
use crate::view::{Field, Fleet, RunnerPool, hooks, takers};

pub(crate) fn check(fleet: &Fleet<'_>, checker: &mut Checker<'_>) {
    let pools = fleet.runner_pools();
    for job in fleet.workflow_jobs(checker.trees()).filter(|job| job.container().is_none()) {
        let Some(runs_on) = job.runs_on() else { continue };
        let takers = takers(&pools, &runs_on);
        let Some(causes) = takers.iter().map(|pool| required_by(pool)).collect::<Option<Vec<_>>>() else { continue };
        let (Some(pool), Some(cause), Some(at)) = (takers.first(), causes.first(), job.value.origin.node) else {
            continue;
        };
        checker
            .report_key(
                at,
                format!("job `{}` has no `container`, which the runners of `{}` require", job.name, pool.title()),
            )
            .related(*cause, "this makes the runners require it")
            .help(match pool.pod.as_ref().filter(|pod| pod.home.is_experimental()) {
                Some(pod) => format!(
                    "give the job a `container`, or set `{}` to false",
                    pod.home.shown("runner.kubernetesMode.requireJobContainer")
                ),
                None => format!(
                    "give the job a `container`, or set `{}` to \"false\" in the runner's `env`",
                    hooks::REQUIRE_JOB_CONTAINER
                ),
            });
    }
}

/// What makes the runners refuse jobs without a container; none where they do not, or may not.
fn required_by(pool: &RunnerPool<'_>) -> Option<Option<NodeRef>> {
    let rendered = pool.pod.as_ref()?.rendered()?;
    match rendered.pod().runner()?.env_value(hooks::REQUIRE_JOB_CONTAINER) {
        Field::Present(text, value) if matches!(text.to_ascii_lowercase().as_str(), "true" | "1") => {
            Some(value.origin.node)
        }
        _ => None,
    }
}
