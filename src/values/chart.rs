//! A chart as far as values are concerned.

mod archive;
mod load;
mod validate;

use super::{Value, version_range};
use crate::syntax::TreeId;

/// A chart with its subcharts, read once and shared by any number of stacks.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Chart {
    /// `name` of Chart.yaml.
    pub name: String,
    /// `version` of Chart.yaml.
    pub version: String,
    /// `type: library`.
    pub library: bool,
    /// `dependencies`; none where the key is absent, which is not the same as an empty list.
    pub dependencies: Option<Vec<Dependency>>,
    /// values.yaml.
    pub values: Option<TreeId>,
    /// Text of values.schema.json.
    pub schema: Option<String>,
    /// Charts in `charts/`, in order of their folders.
    pub charts: Vec<Chart>,
    /// Why Helm does not load this chart, if it does not; see [`Chart::refusal`].
    pub refused: Option<String>,
}

/// An entry of `dependencies`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Dependency {
    /// `name`.
    pub name: String,
    /// `version`: a range.
    pub version: String,
    /// `alias`; empty where there is none.
    pub alias: String,
    /// `condition`: paths with commas; empty where there is none.
    pub condition: String,
    /// `tags`.
    pub tags: Vec<String>,
    /// `import-values`.
    pub imports: Vec<Import>,
}

/// An entry of `import-values`.
#[derive(Debug, Clone, PartialEq)]
pub enum Import {
    /// A name under `exports`.
    Export(String),
    /// `{child, parent}`; null where one is missing.
    Table {
        /// Path in the dependency.
        child: Box<Value>,
        /// Path in this chart.
        parent: Box<Value>,
    },
}

impl Dependency {
    /// Whether it means a chart that is there.
    pub fn takes(&self, chart: &Chart) -> bool {
        chart.name == self.name && version_range::matches(&self.version, &chart.version)
    }
}

impl Chart {
    /// A chart of which only the default values are known.
    pub fn of_defaults(name: &str, version: &str, values: TreeId) -> Self {
        Self { name: name.to_owned(), version: version.to_owned(), values: Some(values), ..Self::default() }
    }

    /// An umbrella chart, unknown but for the block of `self` at `prefix` (keys from the top).
    pub fn under(self, prefix: &[String]) -> Self {
        prefix.iter().rev().fold(self, |mut chart, key| {
            chart.name.clone_from(key);
            Self { name: "umbrella".to_owned(), charts: vec![chart], ..Self::default() }
        })
    }

    /// The layer's name of its defaults.
    pub fn layer_name(&self) -> String {
        if self.version.is_empty() {
            format!("chart:{}", self.name)
        } else {
            format!("chart:{}@{}", self.name, self.version)
        }
    }
}
