//! A job builds with kaniko as its archived project left it.

use crate::rule::Checker;
use crate::syntax::NodeRef;
use crate::view::{Fleet, Image, Pipeline};

pub(crate) fn check(fleet: &Fleet<'_>, checker: &mut Checker<'_>) {
    let (trees, sources) = (checker.trees(), checker.sources());
    let mut told: Vec<NodeRef> = Vec::new();
    // What a template for jobs names counts too: other files may use it.
    for job in fleet.pipelines.iter().flat_map(|pipeline| Pipeline::new(pipeline, trees, sources).all()) {
        let Some(image) = job.image() else { continue };
        let is_archived = Image::parse(&image.name)
            .is_some_and(|it| it.registry == Some("gcr.io") && it.repository.starts_with("kaniko-project/"));
        let Some(at) = image.value.origin.node.filter(|at| is_archived && !told.contains(at)) else { continue };
        told.push(at);
        checker
            .report(at, format!("`{}` is of a project that was archived in June 2025: nobody mends it", image.name))
            .help("use a maintained fork (osscontainertools/kaniko, Chainguard's), BuildKit or buildah");
    }
}
