//! A job's script cannot start in an image of kaniko.

use crate::diagnostic::Severity;
use crate::rule::Checker;
use crate::syntax::NodeRef;
use crate::view::{Executor, Field, Fleet, Image, Job, JobImage, Runner};

pub(crate) fn check(fleet: &Fleet<'_>, checker: &mut Checker<'_>) {
    let (trees, sources) = (checker.trees(), checker.sources());
    let runners = fleet.runners(trees);
    let mut told: Vec<NodeRef> = Vec::new();
    for job in fleet.jobs(trees, sources) {
        let Some(image) = job.image() else { continue };
        let Some(it) = Image::parse(&image.name).filter(is_kaniko) else { continue };
        let Some(at) = image.value.origin.node.filter(|at| !told.contains(at)) else { continue };
        let name = &image.name;
        if it.tag.is_none_or(|tag| !tag.contains("debug")) {
            // A digest may be one of the images with a shell.
            if it.digest.is_some() {
                continue;
            }
            told.push(at);
            let mut finding = checker.report(at, format!("`{name}` has no shell that could run the script"));
            finding.help("take the tag that ends in `debug`, with `entrypoint: [\"\"]`");
            if it.registry != Some("gcr.io") {
                finding.diagnostic.lower_to(Severity::Warning);
            }
        } else if let Some(level) = keeps_entrypoint(job, &image, &runners) {
            told.push(at);
            let message =
                format!("the entrypoint of `{name}` takes the shell that is to run the script as an argument");
            let mut finding = checker.report(at, message);
            finding.help("set `entrypoint: [\"\"]` beside the image's `name`").diagnostic.lower_to(level);
        }
    }
}

/// The executor with its entrypoint, whose path mirrors keep.
fn is_kaniko(image: &Image<'_>) -> bool {
    image.repository == "kaniko-project/executor" || image.repository.ends_with("/kaniko-project/executor")
}

/// How sure it is that the image's own entrypoint runs: executors other than Docker's replace it.
fn keeps_entrypoint(job: Job<'_>, image: &JobImage<'_>, runners: &[Runner<'_>]) -> Option<Severity> {
    if !matches!(image.entrypoint, Field::Absent) {
        return None;
    }
    let takers = job.takers(runners)?;
    if takers.is_empty() {
        return Some(Severity::Info);
    }
    takers.iter().all(|runner| runner.executor == Executor::Docker).then_some(Severity::Error)
}
