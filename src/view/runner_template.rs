//! The template of a GitLab Runner chart, the text of `runners.config`, as a tree: for stacks that need not have one.

use semver::Version;

use super::{Image, Part};
use crate::knowledge::gitlab_version::Minor;
use crate::knowledge::known_versions;
use crate::syntax::{Language, Node, Tree, Trees, embedded};
use crate::values::Value;

impl<'a> Part<'a> {
    /// The text of `runners.config`, read.
    pub fn runner_template(&self, trees: &Trees) -> Option<Tree> {
        let text = self.values.at(&["runners", "config"]).filter(|text| text.as_str().is_some())?;
        embedded::parse(trees, text.origin.node?, Language::Toml)
    }

    /// Whether its chart is older than a version. Where nobody says which it is, an old image of the runner does;
    /// else it is the newest.
    pub fn is_older_than(&self, version: &Version) -> bool {
        match &self.chart.version {
            Some(own) => own < version,
            None => self.image_version().is_some_and(|image| Some(image) < Minor::of_chart(version)),
        }
    }

    /// The release of the runner that the manager's image says.
    fn image_version(&self) -> Option<Minor> {
        let image = self.values.get("image")?;
        let tag = match image.get("tag") {
            Some(tag) => tag.as_str()?,
            None => Image::parse(image.as_str()?)?.tag?,
        };
        Minor::of_tag(tag)
    }

    /// Whether it is newer than all versions that are known, so that it may read keys that these do not.
    pub fn may_have_more_keys(&self) -> bool {
        self.chart.version.as_ref().is_some_and(|version| known_versions(self.chart.chart).last() < Some(version))
    }

    /// The variables that are written for the manager's pod, where the chart registers the runner.
    pub fn environment(&self) -> Vec<(&'a str, &'a Value)> {
        let listed = self.values.get("envVars").into_iter().flat_map(Value::items);
        let listed = listed.filter_map(|item| Some((item.get("name")?.as_str()?, item.get("value").unwrap_or(item))));
        let maps = ["extraEnv", "extraEnvFrom"].into_iter().filter_map(|key| self.values.get(key));
        listed.chain(maps.flat_map(Value::entries)).collect()
    }

    /// Whether variables come from elsewhere, so that nobody knows which there are.
    pub fn has_unknown_environment(&self) -> bool {
        let is_unnamed = |item: &Value| item.is_unknown() || item.get("name").is_some_and(Value::is_unknown);
        let may_be_any = |listed: &Value| listed.is_unknown() || listed.items().any(is_unnamed);
        self.values.get("extraEnvFromRefs").is_some_and(|refs| !refs.is_empty())
            || self.values.get("envVars").is_some_and(may_be_any)
    }
}

/// A setting of a template's only runner, by keys from `[[runners]]` on, whatever their case.
pub fn setting<'t>(root: Node<'t>, path: &[&str]) -> Option<Node<'t>> {
    let runner = entry_of(root, "runners")?.items().next()?;
    path.iter().try_fold(runner, |at, key| entry_of(at, key))
}

/// An entry of a table as the runner finds it: by its exact name, else whatever its case.
pub fn entry_of<'t>(table: Node<'t>, key: &str) -> Option<Node<'t>> {
    let alike = || table.entries().find(|(name, _)| name.text().eq_ignore_ascii_case(key)).map(|(_, value)| value);
    table.get(key).or_else(alike)
}

/// Whether template markup around a node decides if it is there.
pub fn is_conditional(node: Node<'_>) -> bool {
    let at = node.anchor_span();
    let statements = &node.tree.statements;
    statements.iter().any(|span| span.end <= at.start) && statements.iter().any(|span| span.start >= at.end)
}
