//! Which runners in view may take a pipeline's job.

use super::{Fleet, Job, Pipeline, Runner};
use crate::syntax::Trees;
use crate::text::Sources;

impl<'a> Fleet<'a> {
    /// All jobs of GitLab's pipelines that run.
    pub fn jobs(&self, trees: &'a Trees, sources: &'a Sources) -> impl Iterator<Item = Job<'a>> {
        self.pipelines.iter().flat_map(move |pipeline| Pipeline::new(pipeline, trees, sources).jobs())
    }

    /// All runners of GitLab's TOML in view.
    pub fn runners(&self, trees: &Trees) -> Vec<Runner<'a>> {
        self.runner_configs.iter().flat_map(|config| config.runners(trees)).collect()
    }
}

impl<'a> Job<'a> {
    /// The runners that may take the job; none where its tags, or those of one of them, are not known.
    pub fn takers<'r>(self, runners: &'r [Runner<'a>]) -> Option<Vec<&'r Runner<'a>>> {
        let wanted = self.tags()?;
        let takes = |runner: &'r Runner<'a>| match runner.takes(&wanted) {
            Some(true) => Some(Ok(runner)),
            Some(false) => None,
            None => Some(Err(())),
        };
        runners.iter().filter_map(takes).collect::<Result<_, ()>>().ok()
    }
}
