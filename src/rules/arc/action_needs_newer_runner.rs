//! An action needs a newer runner than the one that is pinned.

use semver::Version;

use crate::knowledge::action;
use crate::knowledge::runner_release::Releases;
use crate::rule::Checker;
use crate::view::{Fleet, RunnerPool, takers};

pub(crate) fn check(fleet: &Fleet<'_>, checker: &mut Checker<'_>) {
    let pools = fleet.runner_pools();
    let releases = &checker.facts().releases;
    for job in fleet.workflow_jobs(checker.trees()) {
        let Some(runs_on) = job.runs_on() else { continue };
        let takers = takers(&pools, &runs_on);
        let Some(versions) = takers.iter().map(|pool| pinned(pool, releases)).collect::<Option<Vec<_>>>() else {
            continue;
        };
        let Some((newest, pool)) = versions.into_iter().zip(takers).max_by(|(a, _), (b, _)| a.cmp(b)) else { continue };
        let image = pool.pod.as_ref().and_then(|pod| pod.runner()?.image().value()?.origin.node);
        for used in job.steps().filter_map(|step| step.action()) {
            let Some(major) = used.major() else { continue };
            let minimum = action::minimum_runner(used.name, major).filter(|minimum| newest < *minimum);
            let (Some(minimum), Some(at)) = (minimum, used.value.origin.node) else { continue };
            let (action, set) = (used.name, pool.title());
            checker
                .report(at, format!("`{action}` v{major} needs runner {minimum} or newer, but `{set}` runs {newest}"))
                .related(image, "the runner is pinned here")
                .help(format!(
                    "raise the runner's image to {minimum} or newer, or use an older major version of the action"
                ));
        }
    }
}

/// The version that the runners are pinned to; none where it is not known, or where they update themselves.
fn pinned(pool: &RunnerPool<'_>, releases: &Releases) -> Option<Version> {
    let pod = pool.pod.as_ref().filter(|pod| pod.updates_itself() == Some(false))?;
    let version = pod.runner()?.image_ref()?.runner_version()?;
    releases.find(&version).map(|release| release.version.clone())
}
