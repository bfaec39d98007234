//! What Helm refuses in a Chart.yaml that says all that is needed here. A linter reads on; `merge`
//! answers as Helm does.

use super::Chart;
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
        if listed.is_some_and(|listed| !listed.kind().is_seq() && !super::load::is_null(listed)) {
            return Some("cannot load Chart.yaml: `dependencies` is no list".to_owned());
        }
        let dependencies = self.dependencies.as_deref().unwrap_or_default();
        let word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
        let odd = dependencies.iter().find(|entry| !entry.alias.chars().all(word))?;
        Some(format!("validation: dependency {:?} has disallowed characters in the alias", odd.name))
    }
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
