//! The configuration as data.

use std::path::Path;

use globset::GlobSet;
use jiff::civil::Date;

use super::Levels;
use crate::rule::Meta;
use crate::syntax::{NodeRef, Trees};

/// One `runnerlint.toml`. What was wrong in it was reported when it was read.
#[derive(Debug, Clone, Default)]
pub struct Config {
    /// `helm-version`.
    pub helm_version: Option<String>,
    /// `kube-version`: major, minor.
    pub kube_version: Option<(u32, u32)>,
    /// `gitlab-runner-version`: major, minor.
    pub gitlab_runner_version: Option<(u32, u32)>,
    /// `node-pools`: whether the pools in view are all there are.
    pub node_pools_closed: Option<bool>,
    /// `as-of`.
    pub as_of: Option<Date>,
    /// `exclude`, relative to the file's folder.
    pub exclude: GlobSet,
    /// `[[stack]]`.
    pub stacks: Vec<StackConfig>,
    /// `[rules]`.
    pub levels: Levels,
    /// `[rule-options."id"]`.
    pub options: Vec<(String, Vec<(String, i64)>)>,
    /// `[[override]]`, in order.
    pub overrides: Vec<Override>,
}

/// A `[[stack]]`.
#[derive(Debug, Clone)]
pub struct StackConfig {
    /// `name`.
    pub name: Option<String>,
    /// `chart`.
    pub chart: Option<String>,
    /// `values`: paths relative to the configuration's folder, in Helm's order.
    pub values: Vec<String>,
    /// `set`, `set-string`, …
    pub set: Vec<SetArgument>,
    /// `namespace`.
    pub namespace: Option<String>,
    /// `release`.
    pub release: Option<String>,
    /// Where it stands.
    pub at: NodeRef,
}

impl StackConfig {
    /// Where one of `values` stands.
    pub fn values_at(&self, trees: &Trees, index: usize) -> NodeRef {
        let item = trees.node(self.at).and_then(|stack| stack.get("values")?.items().nth(index));
        item.map_or(self.at, |item| NodeRef { tree: self.at.tree, node: item.id })
    }
}

/// One argument of a `--set*` flag.
#[derive(Debug, Clone)]
pub struct SetArgument {
    /// The flag: `--set`.
    pub flag: &'static str,
    /// Its argument.
    pub text: String,
    /// Where it stands.
    pub at: NodeRef,
}

/// An `[[override]]`.
#[derive(Debug, Clone)]
pub struct Override {
    /// `paths`, relative to the configuration's folder.
    pub paths: GlobSet,
    /// `rules`.
    pub levels: Levels,
}

impl Config {
    /// What the configuration says of a rule for a file (its path relative to the configuration's folder): the last
    /// override that says something, else `[rules]`.
    pub fn level(&self, meta: &Meta, path: &str) -> Option<super::Level> {
        let overridden = self.overrides.iter().rev().filter(|entry| holds(&entry.paths, path));
        overridden.map(|entry| &entry.levels).chain([&self.levels]).find_map(|levels| levels.of(meta))
    }

    /// Whether a file is to be left out (its path relative to the configuration's folder).
    pub fn excludes(&self, path: &str) -> bool {
        holds(&self.exclude, path)
    }

    /// The options set for a rule.
    pub fn options(&self, rule: &str) -> &[(String, i64)] {
        let found = self.options.iter().rev().find(|(id, _)| id == rule);
        found.map_or(&[], |(_, options)| options)
    }
}

/// Whether a glob names a file or a folder that it lies in: `vendor` means what `vendor/**` means.
fn holds(globs: &GlobSet, path: &str) -> bool {
    !globs.is_empty() && Path::new(path).ancestors().any(|path| globs.is_match(path))
}
