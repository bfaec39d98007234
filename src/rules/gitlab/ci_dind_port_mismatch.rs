//! A job looks for its Docker daemon on the port where it does not listen.

use crate::rule::Checker;
use crate::syntax::NodeRef;
use crate::view::{Field, Fleet, Job, Listens, Service};

const PLAIN: u16 = 2375;
const TLS: u16 = 2376;

pub(crate) fn check(fleet: &Fleet<'_>, checker: &mut Checker<'_>) {
    let (trees, sources) = (checker.trees(), checker.sources());
    let mut told: Vec<NodeRef> = Vec::new();
    for job in fleet.jobs(trees, sources) {
        let Field::Present((host, port), at) = job.docker_host() else { continue };
        let Some(at) = at.origin.node.filter(|at| !told.contains(at)) else { continue };
        let Some((service, listens)) = daemon(job, &host) else { continue };
        let (says, listens, by, instead) = match listens {
            Listens::Tls(_, value) if port == PLAIN => (Some(value), TLS, "with TLS", "empty `DOCKER_TLS_CERTDIR`"),
            Listens::Plain(value) if port == TLS => (value, PLAIN, "without TLS", "let the daemon make certificates"),
            _ => continue,
        };
        told.push(at);
        checker
            .report(at, format!("port {port} is asked for, but `{}` listens on {listens} {by}", service.image))
            .related(says.and_then(|value| value.origin.node), format!("this has it listen {by}"))
            .help(format!("set `DOCKER_HOST: tcp://{host}:{listens}`, or {instead}"));
    }
}

/// The one daemon among the job's services that the host name leads to, and how it listens; none where a script
/// may lead elsewhere.
fn daemon<'a>(job: Job<'a>, host: &str) -> Option<(Service<'a>, Listens<'a>)> {
    let services = job.services();
    let mut daemons = services.into_iter().filter(|service| service.starts_docker() && service.answers_to(host));
    let (daemon, other) = (daemons.next()?, daemons.next());
    (other.is_none() && !job.pipeline().mentions("DOCKER_HOST")).then(|| (daemon, job.listens(daemon)))
}
