//! Merged values with the origin of every part: as YAML with a margin, as JSON, as a list, and what
//! the last layer changed.

mod diff;
mod json;
mod lines;
mod lost;
mod origins;
mod yaml;

use crate::syntax::Trees;
use crate::text::Sources;
use crate::values::{Layer, Merged, Origin, Role};

pub use diff::{diff_json, diff_text};
pub use json::json;
pub use origins::origins;
pub use yaml::yaml;

/// A merge with what its origins point into.
#[derive(Debug, Clone, Copy)]
pub struct MergeView<'a> {
    /// The merge.
    pub merged: &'a Merged,
    /// All texts.
    pub sources: &'a Sources,
    /// All trees.
    pub trees: &'a Trees,
}

impl<'a> MergeView<'a> {
    /// The layer of what somebody wrote; none for what Helm made up.
    fn layer(&self, origin: Origin) -> Option<&'a Layer> {
        origin.node?;
        self.merged.layer(origin.layer)
    }

    /// The line, from 1, to point at.
    fn line(&self, origin: Origin) -> Option<usize> {
        let node = self.trees.node(origin.node?)?;
        Some(self.sources.start(node.tree.location(node.anchor_span()))?.line)
    }

    /// `values.yaml:4`; flags have no line; empty for what Helm made up.
    fn place(&self, origin: Origin) -> String {
        match (self.layer(origin), self.line(origin)) {
            (Some(layer), Some(line)) if layer.role != Role::Flag => format!("{}:{line}", layer.name),
            (Some(layer), _) => layer.name.clone(),
            (None, _) => String::new(),
        }
    }

    /// Helm's warnings, and the keys that it takes by chance.
    fn warnings(&self) -> Vec<String> {
        let chance = self.merged.collisions.iter().map(|collision| {
            let layer = self.trees.node(collision.second).and_then(|node| self.sources.get(node.tree.source));
            let file = layer.map(|source| source.name.as_str()).unwrap_or_default();
            format!("two keys of {file} are both {:?} in JSON: Helm takes one of them by chance", collision.key)
        });
        self.merged.warnings.iter().cloned().chain(chance).collect()
    }
}
