//! The result of a merge.

use std::collections::BTreeMap;

use super::read::Collision;
use super::{Layer, LayerId, Value};

/// The values of a stack as Helm would hand them to the templates.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Merged {
    /// The top chart's values; subcharts' values lie under their names.
    pub values: Value,
    /// All layers, lowest rank first; [`LayerId`] is an index into it.
    pub layers: Vec<Layer>,
    /// Enabled charts that render, as template base paths without `/templates`, sorted.
    pub charts: Vec<String>,
    /// What Helm would warn of.
    pub warnings: Vec<String>,
    /// Keys of which Helm takes one by chance.
    pub collisions: Vec<Collision>,
    /// `.Values` of a subchart, by template base path, where it is not its block in [`Merged::values`].
    pub sub_values: BTreeMap<String, Value>,
    /// The merged user values alone, before any chart default.
    pub user_values: Value,
}

impl Merged {
    /// The layer of an id.
    pub fn layer(&self, id: LayerId) -> Option<&Layer> {
        self.layers.get(id.0 as usize)
    }
}
