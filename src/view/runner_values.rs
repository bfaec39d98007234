//! What stands under `runners` in the values of a GitLab Runner chart, and that its templates do not read.

use semver::Version;

use super::unread::is_silent_anywhere;
use super::{Part, Stack, setting};
use crate::knowledge::{Chart, RunnersKey, runners_key};
use crate::syntax::{Node, Tree, Trees};
use crate::values::{Data, Value, printed};

/// A value under `runners` that the newest chart does not read.
#[derive(Debug, Clone)]
pub struct RunnersValue<'a> {
    /// From `runners` on, with dots.
    pub path: String,
    /// The value.
    pub value: &'a Value,
    /// What is known of its key; none: no version has it.
    pub key: Option<&'static RunnersKey>,
}

impl<'a> Stack<'a> {
    /// The GitLab Runner charts in it.
    pub fn gitlab_charts(&self) -> impl Iterator<Item = &Part<'a>> {
        self.parts.iter().filter(|part| part.chart.chart == Chart::GitlabRunner)
    }

    /// What somebody wrote under `runners`, or under a block in it, that neither the newest chart nor anything
    /// else in view reads.
    pub fn unread_runners_values(&self, part: &Part<'a>, block: Option<&str>, trees: &Trees) -> Vec<RunnersValue<'a>> {
        let under = std::iter::once("runners").chain(block).collect::<Vec<_>>();
        let Some(values) = part.values.at(&under) else { return Vec::new() };
        let found = values.entries().filter_map(|(name, value)| {
            let path = block.map_or_else(|| name.to_owned(), |block| format!("{block}.{name}"));
            let key = runners_key(&path);
            let is_read = key.is_some_and(|key| key.setting.is_none());
            let is_silent = is_read || value.holds_nothing() || is_silent_anywhere(name);
            (!is_silent && !part.is_default(self.merged, value)).then_some(RunnersValue { path, value, key })
        });
        let mut found: Vec<_> = found.collect();
        found.retain(|found| {
            let path = format!("runners.{}", found.path);
            !self.is_read_elsewhere(part, &path, found.value, trees)
        });
        found
    }
}

impl Value {
    /// Whether nothing is in it, however deep one looks.
    pub fn holds_nothing(&self) -> bool {
        match &self.data {
            Data::List(items) => items.iter().all(Self::holds_nothing),
            Data::Map(map) => map.entries.values().all(Self::holds_nothing),
            _ => self.is_empty(),
        }
    }
}

impl Part<'_> {
    /// Whether its chart is so old that it reads a value, or that nobody knows if it does.
    pub fn may_read(&self, value: &RunnersValue<'_>) -> bool {
        let until = value.key.and_then(|key| key.until.clone());
        self.is_older_than(&until.unwrap_or(Version::new(0, 53, 0)))
    }
}

impl<'a> RunnersValue<'a> {
    /// The values in it that have a setting of their own: those of a block, else itself.
    pub fn parts(&self) -> Vec<Self> {
        let inner = |(name, value): (&str, &'a Value)| {
            let path = format!("{}.{name}", self.path);
            let key = runners_key(&path)?;
            (!value.holds_nothing()).then_some(Self { path, value, key: Some(key) })
        };
        let inner: Vec<_> = self.value.entries().filter_map(inner).collect();
        if inner.is_empty() { vec![self.clone()] } else { inner }
    }

    /// Whether it says no more than what would be without it: `false`, nothing.
    pub fn is_idle(&self) -> bool {
        self.parts().iter().all(|part| match part.value.data {
            Data::Bool(flag) => !flag,
            _ => part.value.as_f64() == Some(0.0) || part.value.holds_nothing(),
        })
    }

    /// Whether the template says the same by the settings that took its place.
    pub fn is_said_by(&self, template: &Tree) -> bool {
        let said = |part: &Self| {
            let path: Vec<_> = part.key?.setting?.split('.').collect();
            Some(says(setting(template.root()?, &path)?, part.value))
        };
        self.parts().iter().all(|part| said(part) == Some(true))
    }

    /// The lines of TOML that take its place, and the table for them.
    pub fn as_toml(&self) -> Option<(Vec<String>, String)> {
        let mut lines = Vec::new();
        let mut table = None;
        for part in self.parts() {
            let Some(setting) = part.key.and_then(|key| key.setting) else { continue };
            let (parent, name) = setting.rsplit_once('.').unwrap_or(("", setting));
            lines.push(toml_line(name, part.value).unwrap_or_else(|| name.to_owned()));
            table = Some(if parent.is_empty() { "[[runners]]".to_owned() } else { format!("[runners.{parent}]") });
        }
        Some((lines, table?))
    }
}

/// Whether a setting of the template and a value of the chart come to the same.
fn says(node: Node<'_>, value: &Value) -> bool {
    match &value.data {
        Data::Map(map) => map.entries.iter().all(|(key, value)| node.get(key).is_some_and(|node| says(node, value))),
        Data::List(items) => items.len() == node.items().count() && node.items().zip(items).all(|(a, b)| says(a, b)),
        // What takes a list takes one word, too.
        _ if node.kind().is_seq() => node.items().count() == 1 && node.items().all(|item| says(item, value)),
        _ => node.kind().is_scalar() && node.text() == printed(value),
    }
}

/// Settings that take the same map as the value before them.
const MAPS: [&str; 3] = ["node_selector", "pod_labels", "pod_annotations"];

fn toml_line(name: &str, value: &Value) -> Option<String> {
    let is_quantity = name.contains("cpu") || name.contains("memory");
    let text = match &value.data {
        Data::Bool(_) | Data::Int(_) | Data::Float(_) | Data::Number(_) if !is_quantity => printed(value),
        Data::Map(map) if name == "environment" => {
            // What they hold may be secret.
            let pairs = map.entries.keys().map(|name| format!("\"{name}=…\""));
            format!("[{}]", pairs.collect::<Vec<_>>().join(", "))
        }
        Data::Map(map) if MAPS.contains(&name) && map.entries.values().all(|value| value.as_str().is_some()) => {
            let pairs = map.entries.iter().map(|(key, value)| format!("\"{key}\" = \"{}\"", printed(value)));
            format!("{{ {} }}", pairs.collect::<Vec<_>>().join(", "))
        }
        Data::Map(_) | Data::List(_) | Data::Null => return None,
        _ if name == "pull_policy" => format!("\"{}\"", pull_policy(&printed(value))),
        _ => format!("\"{}\"", printed(value)),
    };
    (!text.contains(['\\', '\n'])).then(|| format!("{name} = {text}"))
}

/// As the runner spells it.
fn pull_policy(word: &str) -> String {
    if word == "IfNotPresent" { "if-not-present".to_owned() } else { word.to_ascii_lowercase() }
}
