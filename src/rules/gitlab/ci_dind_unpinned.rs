//! A job starts whatever Docker daemon is the newest that day.

use crate::rule::Checker;
use crate::syntax::NodeRef;
use crate::view::{Fleet, Image};

/// First words of tags that move from one major version to the next.
const MOVING: [&str; 4] = ["dind", "latest", "edge", "rc"];

pub(crate) fn check(fleet: &Fleet<'_>, checker: &mut Checker<'_>) {
    let (trees, sources) = (checker.trees(), checker.sources());
    let mut told: Vec<NodeRef> = Vec::new();
    for job in fleet.jobs(trees, sources) {
        for service in job.services().into_iter().filter(|service| service.starts_docker()) {
            let Some(image) = job.expand(service.image).filter(|image| is_moving(image)) else { continue };
            let Some(at) = service.value.origin.node.filter(|at| !told.contains(at)) else { continue };
            told.push(at);
            checker
                .report(at, format!("`{image}` is another Docker version from one day to the next"))
                .help("name at least the major version, as in `docker:27-dind`");
        }
    }
}

fn is_moving(image: &str) -> bool {
    let Some(image) = Image::parse(image).filter(|image| image.digest.is_none()) else { return false };
    image.tag.is_none_or(|tag| tag.split('-').next().is_some_and(|word| MOVING.contains(&word)))
}
