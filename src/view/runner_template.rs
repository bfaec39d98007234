//! The template of a GitLab Runner chart, the text of `runners.config`, as a tree: for stacks that need not have one.

use super::Part;
use crate::knowledge::known_versions;
use crate::syntax::{Language, Node, Tree, Trees, embedded};
use crate::values::Value;

impl Part<'_> {
    /// The text of `runners.config`, read.
    pub fn runner_template(&self, trees: &Trees) -> Option<Tree> {
        let text = self.values.at(&["runners", "config"]).filter(|text| text.as_str().is_some())?;
        embedded::parse(trees, text.origin.node?, Language::Toml)
    }

    /// Whether its chart is older than a version; one that is not known is the newest.
    pub fn is_older_than(&self, version: &semver::Version) -> bool {
        self.chart.version.as_ref().is_some_and(|own| own < version)
    }

    /// Whether it is newer than all versions that are known, so that it may read keys that these do not.
    pub fn may_have_more_keys(&self) -> bool {
        self.chart.version.as_ref().is_some_and(|version| known_versions(self.chart.chart).last() < Some(version))
    }

    /// Whether a variable of such a name reaches `register`, or one of which the name is not known.
    pub fn has_environment(&self, is_it: impl Fn(&str) -> bool) -> bool {
        let listed = self.values.get("envVars").into_iter().flat_map(Value::items);
        let mut listed = listed.filter_map(|item| item.get("name")?.as_str());
        let maps = ["extraEnv", "extraEnvFrom"].into_iter().filter_map(|key| self.values.get(key));
        listed.any(&is_it)
            || maps.flat_map(Value::entries).any(|(name, _)| is_it(name))
            || self.values.get("extraEnvFromRefs").is_some_and(|refs| !refs.is_empty())
    }
}

/// A setting of a template's only runner, by keys from `[[runners]]` on, whatever their case.
pub fn setting<'t>(root: Node<'t>, path: &[&str]) -> Option<Node<'t>> {
    let runner = entry(root, "runners")?.items().next()?;
    path.iter().try_fold(runner, |at, key| entry(at, key))
}

/// An entry of a table as the runner finds it: by its exact name, else whatever its case.
fn entry<'t>(table: Node<'t>, key: &str) -> Option<Node<'t>> {
    let alike = || table.entries().find(|(name, _)| name.text().eq_ignore_ascii_case(key)).map(|(_, value)| value);
    table.get(key).or_else(alike)
}

/// Whether template markup around a node decides if it is there.
pub fn is_conditional(node: Node<'_>) -> bool {
    let at = node.anchor_span();
    let statements = &node.tree.statements;
    statements.iter().any(|span| span.end <= at.start) && statements.iter().any(|span| span.start >= at.end)
}
