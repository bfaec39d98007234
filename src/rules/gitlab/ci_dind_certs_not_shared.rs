//! A job's Docker daemon makes certificates that the job cannot see.

use crate::rule::Checker;
use crate::syntax::NodeRef;
use crate::values::Value;
use crate::view::{Executor, Field, Fleet, Job, Listens, Runner};

pub(crate) fn check(fleet: &Fleet<'_>, checker: &mut Checker<'_>) {
    let (trees, sources) = (checker.trees(), checker.sources());
    let runners = fleet.runners(trees);
    let mut told: Vec<NodeRef> = Vec::new();
    for job in fleet.jobs(trees, sources) {
        let Some((certificates, value)) = certificates(job) else { continue };
        let Some(at) = value.origin.node.filter(|at| !told.contains(at)) else { continue };
        let Some(runner) = separating(job, &runners, &certificates) else { continue };
        told.push(at);
        let volume = match runner.executor {
            Executor::Docker => format!("add \"{certificates}\" to `volumes` of [runners.docker]"),
            _ => format!("give the runner an empty_dir volume with `mount_path = \"{certificates}\"`"),
        };
        checker
            .report(
                at,
                format!("the job does not see the daemon's certificates: no runner in view shares `{certificates}`"),
            )
            .related(runner.value.origin.node, format!("this runner has no volume on `{certificates}`"))
            .help(format!("{volume}, or go without TLS: `DOCKER_TLS_CERTDIR: \"\"` and port 2375"));
    }
}

/// The folder of the client's certificates that the job's daemon makes, and what says so; none where the job does not
/// ask for TLS, or has certificates of its own.
fn certificates(job: Job<'_>) -> Option<(String, &Value)> {
    let daemon = job.services().into_iter().find(|service| service.starts_docker())?;
    let Listens::Tls(Some(folder), value) = job.listens(daemon) else { return None };
    match job.docker_host() {
        Field::Absent => {}
        Field::Present((host, 2376), _) if daemon.answers_to(&host) => {}
        _ => return None,
    }
    let client = format!("{}/client", folder.trim_end_matches('/'));
    match job.expanded("DOCKER_CERT_PATH") {
        Field::Present(path, _) => (path.trim_end_matches('/') == client).then_some((client, value)),
        Field::Absent => Some((client, value)),
        Field::WrongShape(_) | Field::Unknown(_) => None,
    }
}

/// The first of the runners that can take the job, if none of them has the folder in all containers.
fn separating<'r, 'a>(job: Job<'a>, runners: &'r [Runner<'a>], folder: &str) -> Option<&'r Runner<'a>> {
    let takers = job.takers(runners)?;
    let apart = |runner: &&Runner<'a>| {
        runner.shares(folder) == Some(false)
            && runner.shares("/var/run") == Some(false)
            && runner.host_socket().is_none()
    };
    takers.iter().all(apart).then(|| takers.first().copied())?
}
