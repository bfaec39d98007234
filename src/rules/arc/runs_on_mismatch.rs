//! A job asks for a label that no runner in view has, and that is nearly a scale set's name.

use crate::knowledge::runner_label;
use crate::rule::Checker;
use crate::view::{Fleet, nearest_label};

pub(crate) fn check(fleet: &Fleet<'_>, checker: &mut Checker<'_>) {
    let pools = fleet.runner_pools();
    for job in fleet.workflow_jobs(checker.trees()) {
        let Some(runs_on) = job.runs_on().filter(|runs_on| runs_on.group.is_none()) else { continue };
        let [wanted] = runs_on.labels.as_slice() else { continue };
        // A set whose name is not known may have this one.
        let may_be_taken = pools.iter().any(|pool| pool.has(wanted) != Some(false));
        if may_be_taken || runner_label::is_hosted(wanted) || runner_label::is_default(wanted) {
            continue;
        }
        let names = pools.iter().filter(|pool| pool.is_scale_set()).filter_map(|set| set.name.as_deref());
        let Some(name) = nearest_label(wanted, names) else { continue };
        let Some(at) = runs_on.value.origin.node else { continue };
        let set = pools.iter().find(|pool| pool.name.as_deref() == Some(name));
        checker
            .report(at, format!("no scale set in view is called `{wanted}`, but there is `{name}`"))
            .related(set.and_then(|set| set.named_by?.origin.node), "the scale set in view")
            .help(format!("write `runs-on: {name}`, if that is meant; a job that no runner takes stays queued"));
    }
}
