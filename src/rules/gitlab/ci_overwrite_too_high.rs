//! A job overwrites a setting beyond what the runner allows.

use crate::rule::Checker;
use crate::syntax::NodeRef;
use crate::values::Value;
use crate::view::{Fleet, Overwrite, Refusal, Runner};

pub(crate) fn check(fleet: &Fleet<'_>, checker: &mut Checker<'_>) {
    let (trees, sources) = (checker.trees(), checker.sources());
    let runners = fleet.runners(trees);
    let mut told: Vec<NodeRef> = Vec::new();
    for job in fleet.jobs(trees, sources) {
        let Some(takers) = job.takers(&runners) else { continue };
        for overwrite in job.overwrites() {
            let Some(at) = overwrite.variable.value.origin.node.filter(|at| !told.contains(at)) else { continue };
            let Some(refusal) = refused_by_all(&overwrite, &takers) else { continue };
            told.push(at);
            let (why, gate) = why(&refusal);
            let text = overwrite.variable.text.unwrap_or_default();
            checker
                .report(at, format!("every runner in view fails the job: `{text}` {why}"))
                .related(gate.origin.node, format!("this bounds `{}`", overwrite.variable.name))
                .help(format!("stay within `{}`, or widen it", overwrite.known.gate));
        }
    }
}

/// Why the first runner fails the job, if all of them do.
fn refused_by_all<'a>(overwrite: &Overwrite<'_>, takers: &[&Runner<'a>]) -> Option<Refusal<'a>> {
    let refusals: Option<Vec<_>> = takers.iter().map(|runner| overwrite.refusal(runner)).collect();
    refusals?.into_iter().next()
}

fn why<'a>(refusal: &Refusal<'a>) -> (String, &'a Value) {
    match refusal {
        Refusal::Above(ceiling, at) => (format!("is above `{ceiling}`"), at),
        Refusal::NoMatch(pattern, at) => (format!("does not match `{pattern}`"), at),
        Refusal::NoQuantity(at) => ("is no quantity".to_owned(), at),
        Refusal::NoPair(at) => ("is no `key=value`".to_owned(), at),
    }
}
