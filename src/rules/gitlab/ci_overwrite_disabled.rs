//! A job overwrites a setting that no runner lets it overwrite.

use crate::rule::Checker;
use crate::syntax::NodeRef;
use crate::view::{Fleet, Gate, Job, Overwrite, Runner};

/// A variable with the runner that ignores it; none where one of the jobs that have it may do better.
struct Ignored<'r, 'a> {
    at: NodeRef,
    overwrite: Overwrite<'a>,
    by: Option<&'r Runner<'a>>,
}

pub(crate) fn check(fleet: &Fleet<'_>, checker: &mut Checker<'_>) {
    let (trees, sources) = (checker.trees(), checker.sources());
    let runners = fleet.runners(trees);
    let mut found: Vec<Ignored<'_, '_>> = Vec::new();
    for job in fleet.jobs(trees, sources) {
        for overwrite in job.overwrites() {
            let Some(at) = overwrite.variable.value.origin.node else { continue };
            let by = ignoring(job, &overwrite, &runners);
            match found.iter_mut().find(|known| known.at == at) {
                Some(known) if by.is_none() => known.by = None,
                Some(_) => {}
                None => found.push(Ignored { at, overwrite, by }),
            }
        }
    }
    let mut columns: Vec<NodeRef> = Vec::new();
    for Ignored { at, overwrite, by } in found {
        let Some(runner) = by else { continue };
        // All that a matrix has for one variable is one fault.
        let list = checker.trees().node(at).and_then(|node| node.parent()).filter(|parent| parent.kind().is_seq());
        let column = list.map(|list| NodeRef { node: list.id, ..at });
        if column.is_some_and(|column| columns.contains(&column)) {
            continue;
        }
        columns.extend(column);
        let (name, gate) = (overwrite.variable.name, overwrite.known.gate);
        checker
            .report(at, format!("`{name}` is ignored: no runner in view sets `{gate}`"))
            .related(runner.value.origin.node, format!("this runner has no `{gate}`"))
            .help(format!("set `{gate}` under [runners.kubernetes] to what jobs may ask for, or drop the variable"));
    }
}

/// The first of the runners that can take the job, if all of them ignore the variable, and scripts do not use it.
fn ignoring<'r, 'a>(job: Job<'a>, overwrite: &Overwrite<'a>, runners: &'r [Runner<'a>]) -> Option<&'r Runner<'a>> {
    let takers = job.takers(runners)?;
    let ignores = |runner: &&Runner<'a>| {
        matches!(Gate::of(runner, overwrite.known), Gate::Closed) && overwrite.differs_from(runner)
    };
    let all = takers.iter().all(ignores) && !job.pipeline().mentions(overwrite.variable.name);
    all.then(|| takers.first().copied())?
}
