//! Pull policies that the runner itself does not allow.

use crate::rule::Checker;
use crate::syntax::NodeRef;
use crate::values::Value;
use crate::view::{Executor, Field, Fleet, Job, Pipeline, PullPolicies, Runner, RunnerConfig};

pub(crate) fn check(fleet: &Fleet<'_>, checker: &mut Checker<'_>) {
    let (trees, sources) = (checker.trees(), checker.sources());
    let mut runners: Vec<Runner<'_>> = Vec::new();
    for config in fleet.runner_configs {
        let of_config = config.runners(trees);
        of_config.iter().for_each(|runner| own(runner, config, checker));
        runners.extend(of_config);
    }
    let mut told: Vec<NodeRef> = Vec::new();
    let pipelines = fleet.pipelines.iter().map(|pipeline| Pipeline::new(pipeline, trees, sources));
    for job in pipelines.flat_map(Pipeline::jobs) {
        for (asked, at) in job.pull_policies() {
            let Some(refusing) = refusing(job, &asked, &runners) else { continue };
            // A policy of a template or of the defaults is one fault, whoever inherits it.
            let Some(node) = at.origin.node.filter(|node| !told.contains(node)) else { continue };
            told.push(node);
            checker
                .report(node, format!("no runner in view allows the pull policy {}: the job fails", listed(&asked)))
                .related(refusing.origin.node, "what this runner allows")
                .help("add the policy to the runner's `allowed_pull_policies`, or take it out here");
        }
    }
}

/// What the runner does by itself, against what it allows.
fn own(runner: &Runner<'_>, config: &RunnerConfig<'_>, checker: &mut Checker<'_>) {
    let Some(PullPolicies { own, allowed: Field::Present(allowed, list) }) = runner.pull_policies() else { return };
    let (own, at) = match own {
        Field::Present(own, at) => (own, at),
        // Docker's is set even where nothing is said; that of Kubernetes is not.
        Field::Absent if runner.executor == Executor::Docker => (vec!["always"], list),
        _ => return,
    };
    if own.iter().any(|policy| allowed.contains(policy)) {
        return;
    }
    let message =
        format!("the pull policy {} is not among those allowed, {}: every job fails", listed(&own), listed(&allowed));
    let related = (at.origin != list.origin).then_some(list.origin.node).flatten();
    checker
        .report_value(at, message)
        .fault_in_config(config)
        .related(related, "allowed are these")
        .help("let `pull_policy` and `allowed_pull_policies` share a policy");
}

/// What says that none of the runners that can take the job allows any of the policies; none where
/// one does or may.
fn refusing<'a>(job: Job<'_>, asked: &[&str], runners: &[Runner<'a>]) -> Option<&'a Value> {
    let wanted = job.tags()?;
    let mut refusing = None;
    for runner in runners {
        if !runner.takes(&wanted)? {
            continue;
        }
        let (allowed, at) = allowed(runner)?;
        if asked.iter().any(|policy| allowed.contains(policy)) {
            return None;
        }
        refusing = refusing.or(Some(at));
    }
    refusing
}

fn allowed<'a>(runner: &Runner<'a>) -> Option<(Vec<&'a str>, &'a Value)> {
    let policies = runner.pull_policies()?;
    match (policies.allowed, policies.own) {
        (Field::Present(allowed, at), _) | (Field::Absent, Field::Present(allowed, at)) => Some((allowed, at)),
        (Field::Absent, Field::Absent) if runner.executor == Executor::Docker => Some((vec!["always"], runner.value)),
        _ => None,
    }
}

fn listed(policies: &[&str]) -> String {
    policies.iter().map(|policy| format!("`{policy}`")).collect::<Vec<_>>().join(", ")
}
