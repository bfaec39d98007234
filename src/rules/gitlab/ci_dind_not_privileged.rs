//! A job starts a Docker daemon on runners that do not let it.

use crate::rule::Checker;
use crate::syntax::NodeRef;
use crate::values::Value;
use crate::view::{Container, Field, Fleet, Job, Runner};

pub(crate) fn check(fleet: &Fleet<'_>, checker: &mut Checker<'_>) {
    let (trees, sources) = (checker.trees(), checker.sources());
    let runners = fleet.runners(trees);
    let mut told: Vec<NodeRef> = Vec::new();
    for job in fleet.jobs(trees, sources) {
        let Some(refusing) = refusing(job, &runners) else { continue };
        for service in job.services().into_iter().filter(|service| service.is_docker_daemon()) {
            // A service of a template or of the defaults is one fault, whoever inherits it.
            let Some(at) = service.value.origin.node.filter(|at| !told.contains(at)) else { continue };
            told.push(at);
            checker
                .report(
                    at,
                    format!("`{}` needs a privileged container, which no runner in view gives it", service.image),
                )
                .related(refusing.origin.node, "this runner starts services without `privileged = true`")
                .help(
                    "set `privileged = true` for a runner of its own and name it by a tag, or build without a daemon",
                );
        }
    }
}

/// What says that none of the runners that can take the job lets a service run privileged; none
/// where one does or may.
fn refusing<'a>(job: Job<'a>, runners: &[Runner<'a>]) -> Option<&'a Value> {
    let mut refusing = None;
    for runner in job.takers(runners)? {
        if runner.is_sandboxed() || runner.host_socket().is_some() {
            return None;
        }
        let says = match runner.privileged(Container::Service) {
            Field::Present(false, value) => value,
            Field::Absent => runner.value,
            _ => return None,
        };
        refusing = refusing.or(Some(says));
    }
    refusing
}
