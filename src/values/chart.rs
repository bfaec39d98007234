//! A chart as far as values are concerned.

use std::collections::BTreeMap;

use super::{HelmError, Value};
use crate::syntax::{TreeId, Trees};
use crate::text::Sources;

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
    /// `condition`; empty where there is none.
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
    /// `{child, parent}` as Go prints them; none where a value is no string.
    Table {
        /// Path in the dependency.
        child: Value,
        /// Path in this chart.
        parent: Value,
    },
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

    /// Reads a chart from its files (paths relative to the chart's folder, with `/`); nested charts
    /// as folders and `.tgz` in `charts/`. `folder` prefixes the names of sources (empty: none).
    pub fn load(
        files: &BTreeMap<String, Vec<u8>>,
        folder: &str,
        sources: &mut Sources,
        trees: &mut Trees,
    ) -> Result<Self, HelmError> {
        let _ = (files, folder, sources, trees);
        Err(HelmError::new("Chart.yaml file is missing"))
    }

    /// Unpacks a `.tgz` into the same shape, the leading folder cut. Fails on what is no archive of a
    /// chart or is larger than the limits.
    pub fn unpack(archive: &[u8]) -> Result<BTreeMap<String, Vec<u8>>, HelmError> {
        let _ = archive;
        Err(HelmError::new("no chart archive"))
    }
}
