//! A job asks for a scale set together with labels that only classic runners have.

use crate::knowledge::runner_label;
use crate::rule::Checker;
use crate::view::{Fleet, RunnerPool, RunsOn};

pub(crate) fn check(fleet: &Fleet<'_>, checker: &mut Checker<'_>) {
    let pools = fleet.runner_pools();
    for job in fleet.workflow_jobs(checker.trees()) {
        let Some(runs_on) = job.runs_on().filter(|runs_on| runs_on.group.is_none()) else { continue };
        let Some(set) = pools.iter().find(|pool| pool.is_scale_set() && is_named(pool, &runs_on)) else { continue };
        let has_not = |label: &&&str| runner_label::is_default(label) && set.has(label) == Some(false);
        let missing: Vec<_> = runs_on.labels.iter().filter(has_not).map(|label| format!("`{label}`")).collect();
        let may_be_taken = |pool: &RunnerPool<'_>| pool.takes(&runs_on) != Some(false);
        let is_shared = |pool: &RunnerPool<'_>| !pool.is_scale_set() && is_named(pool, &runs_on);
        if missing.is_empty() || pools.iter().any(|pool| may_be_taken(pool) || is_shared(pool)) {
            continue;
        }
        let Some(at) = runs_on.value.origin.node else { continue };
        let (name, missing) = (set.title(), missing.join(", "));
        checker
            .report(
                at,
                format!("no runner takes job `{}`: scale set `{name}` does not have the label {missing}", job.name),
            )
            .related(set.named_by.and_then(|name| name.origin.node), "the scale set's name is its label")
            .help(format!("write `runs-on: {name}`; runners of scale sets have no default labels"));
    }
}

/// Whether the job asks for the pool by a label that others do not have by default.
fn is_named(pool: &RunnerPool<'_>, runs_on: &RunsOn<'_>) -> bool {
    runs_on.labels.iter().any(|label| !runner_label::is_default(label) && pool.has(label) == Some(true))
}
