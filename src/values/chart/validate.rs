//! What Helm refuses in a Chart.yaml that says all that is needed here. A linter reads on; `merge`
//! answers as Helm does.

use super::Chart;
use super::load::is_null;
use crate::syntax::Node;

const KINDS: [&str; 3] = ["", "application", "library"];

impl Chart {
    /// Why Helm would not load the chart or one below it.
    pub fn refusal(&self) -> Option<String> {
        self.refused.clone().or_else(|| {
            let below = |chart: &Self| Some(format!("error unpacking subchart {}: {}", chart.name, chart.refusal()?));
            self.charts.iter().find_map(below)
        })
    }

    /// Helm's `Metadata.Validate`; `kind` is `type`, `listed` the node of `dependencies`.
    pub(super) fn validate(&self, kind: &str, listed: Option<Node<'_>>) -> Option<String> {
        let (name, version) = (&self.name, &self.version);
        if version.is_empty() {
            return Some("validation: chart.metadata.version is required".to_owned());
        }
        if !is_version(version) {
            return Some(format!("validation: chart.metadata.version {version:?} is invalid"));
        }
        if name.contains('/') {
            return Some(format!("validation: chart.metadata.name {name:?} is invalid"));
        }
        if !KINDS.contains(&kind) {
            return Some("validation: chart.metadata.type must be application or library".to_owned());
        }
        if let Some(key) = listed.and_then(misshapen) {
            return Some(format!("cannot load Chart.yaml: `{key}` is of another kind"));
        }
        let dependencies = self.dependencies.as_deref().unwrap_or_default();
        let word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
        let odd = dependencies.iter().find(|entry| !entry.alias.chars().all(word))?;
        Some(format!("validation: dependency {:?} has disallowed characters in the alias", odd.name))
    }
}

/// A key of `dependencies`, or that key, whose value Go could not put into its field.
fn misshapen(listed: Node<'_>) -> Option<&'static str> {
    if !listed.kind().is_seq() {
        return (!is_null(listed)).then_some("dependencies");
    }
    let scalar = |value: Node<'_>| value.kind().is_scalar();
    let list = |value: Node<'_>| value.kind().is_seq() || is_null(value);
    listed.items().map(Node::follow).find_map(|entry| {
        let bad = |keys: &[&'static str], good: &dyn Fn(Node<'_>) -> bool| {
            keys.iter().copied().find(|key| entry.get(key).is_some_and(|value| !good(value.follow())))
        };
        bad(&["name", "version", "repository", "condition", "alias"], &scalar)
            .or_else(|| bad(&["tags", "import-values"], &list))
    })
}

/// Whether Masterminds/semver takes it: `v` and one to three numbers, a prerelease, metadata.
fn is_version(text: &str) -> bool {
    let text = text.strip_prefix('v').unwrap_or(text);
    let (text, metadata) = text.split_once('+').map_or((text, None), |(text, metadata)| (text, Some(metadata)));
    let (core, pre) = text.split_once('-').map_or((text, None), |(core, pre)| (core, Some(pre)));
    let word = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    let number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    core.split('.').count() <= 3
        && core.split('.').all(number)
        && [pre, metadata].into_iter().flatten().all(|words| words.split('.').all(word))
}
