//! A job's variables leave a container with a request above its limit.

use crate::diagnostic::Severity;
use crate::knowledge::OverwriteVariable;
use crate::rule::Checker;
use crate::syntax::NodeRef;
use crate::values::Value;
use crate::view::{Effective, Field, Fleet, Job, Runner};

/// A request above its limit, each with its place.
type Pair<'a> = [(Effective, &'a Value); 2];

pub(crate) fn check(fleet: &Fleet<'_>, checker: &mut Checker<'_>) {
    let (trees, sources) = (checker.trees(), checker.sources());
    let runners = fleet.runners(trees);
    let mut told: Vec<NodeRef> = Vec::new();
    for job in fleet.jobs(trees, sources) {
        let Some(takers) = job.takers(&runners) else { continue };
        for (request, limit) in pairs().filter(|(request, _)| has_container(job, request)) {
            let crossed: Option<Vec<Pair<'_>>> =
                takers.iter().map(|runner| crossed(job, runner, request, limit)).collect();
            let Some(crossed) = crossed.filter(|crossed| !crossed.is_empty()) else { continue };
            let is_open = crossed.iter().flatten().any(|(amount, _)| amount.is_open);
            let Some([(least, asked), (most, limited)]) = crossed.into_iter().next() else { continue };
            let (at, other) = if least.by_job { (asked, limited) } else { (limited, asked) };
            let Some(at) = at.origin.node.filter(|at| !told.contains(at)) else { continue };
            told.push(at);
            let of = if request.of == "pod" { "pod".to_owned() } else { format!("{} container", request.of) };
            let message = format!("the {of} asks for `{}`, above its limit of `{}`", least.text, most.text);
            let mut finding = checker.report(at, message);
            finding
                .related(other.origin.node, if least.by_job { "the limit" } else { "the request" })
                .help(format!("set `{}` and `{}` together: each is overwritten by itself", request.name, limit.name));
            if is_open {
                finding.diagnostic.lower_to(Severity::Warning);
            }
        }
    }
}

/// The variables for requests, each with the one for the limit.
fn pairs() -> impl Iterator<Item = (&'static OverwriteVariable, &'static OverwriteVariable)> {
    let limit = |request: &OverwriteVariable| {
        OverwriteVariable::named(&format!("{}_LIMIT", request.name.strip_suffix("_REQUEST")?))
    };
    OverwriteVariable::all().iter().filter_map(move |request| Some((request, limit(request)?)))
}

/// Whether the job has such a container, and none that says otherwise for itself.
fn has_container(job: Job<'_>, request: &OverwriteVariable) -> bool {
    if request.of != "service" {
        return true;
    }
    let services = job.services();
    let says = |name: &str| OverwriteVariable::named(name).is_some();
    !services.is_empty()
        && !services.into_iter().any(|service| job.own_variables(service).iter().any(|own| says(own.name)))
}

/// The pair on a runner, if the job's variables make it one that the API server refuses.
fn crossed<'a>(
    job: Job<'a>,
    runner: &Runner<'a>,
    request: &OverwriteVariable,
    limit: &OverwriteVariable,
) -> Option<Pair<'a>> {
    if !runner.field(&["kubernetes", "pod_spec"]).is_absent() {
        return None;
    }
    let Field::Present(least, asked) = job.effective(runner, request) else { return None };
    let Field::Present(most, limited) = job.effective(runner, limit) else { return None };
    ((least.by_job || most.by_job) && least.amount > most.amount).then_some([(least, asked), (most, limited)])
}
