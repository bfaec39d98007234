//! The keys that the charts which we know read out of their values.

use std::sync::OnceLock;

use rustc_hash::FxHashMap;
use semver::Version;

use super::{Chart, table};

static TABLES: [(Chart, &str); 6] = [
    (Chart::GhaRunnerScaleSet, include_str!("../../rules/data/charts/gha-runner-scale-set/keys.tsv")),
    (
        Chart::GhaRunnerScaleSetController,
        include_str!("../../rules/data/charts/gha-runner-scale-set-controller/keys.tsv"),
    ),
    (
        Chart::GhaRunnerScaleSetExperimental,
        include_str!("../../rules/data/charts/gha-runner-scale-set-experimental/keys.tsv"),
    ),
    (
        Chart::GhaRunnerScaleSetControllerExperimental,
        include_str!("../../rules/data/charts/gha-runner-scale-set-controller-experimental/keys.tsv"),
    ),
    (Chart::ActionsRunnerController, include_str!("../../rules/data/charts/actions-runner-controller/keys.tsv")),
    (Chart::GitlabRunner, include_str!("../../rules/data/charts/gitlab-runner/keys.tsv")),
];

/// What a chart expects under a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// A map whose keys are all known.
    Map,
    /// A map of any keys.
    Open,
    /// A map of any keys whose values are strings.
    Strings,
    /// A list.
    List,
    /// A string.
    String,
    /// A number.
    Number,
    /// A boolean.
    Bool,
    /// More than one of these, or not known.
    Any,
    /// The spec of a pod.
    PodSpec,
    /// A container of a pod.
    Container,
    /// Nothing: the key is not read, and a rule of its own says so.
    Other,
}

impl Shape {
    fn parse(word: &str) -> Option<Self> {
        Some(match word {
            "map" => Self::Map,
            "open" => Self::Open,
            "strings" => Self::Strings,
            "list" => Self::List,
            "string" => Self::String,
            "number" => Self::Number,
            "bool" => Self::Bool,
            "any" => Self::Any,
            "pod-spec" => Self::PodSpec,
            "container" => Self::Container,
            "other" => Self::Other,
            _ => return None,
        })
    }

    /// Whether it is a map of some kind.
    pub fn is_map(self) -> bool {
        matches!(self, Self::Map | Self::Open | Self::Strings | Self::PodSpec | Self::Container)
    }
}

/// A key of a chart's values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChartKey {
    /// From the top, with dots.
    pub path: &'static str,
    /// First version that reads it; none: all that we know.
    pub since: Option<Version>,
    /// First version that no longer reads it.
    pub until: Option<Version>,
    /// What is expected under it.
    pub shape: Shape,
    /// The key that took its place.
    pub instead: Option<&'static str>,
}

impl ChartKey {
    /// The last word of its path.
    pub fn name(&self) -> &'static str {
        self.path.rsplit('.').next().unwrap_or(self.path)
    }

    /// The path of the map that it stands in; empty at the top.
    pub fn parent(&self) -> &'static str {
        self.path.rsplit_once('.').map_or("", |(parent, _)| parent)
    }

    /// Whether a version reads it; without a version any would do.
    pub fn is_read_by(&self, version: Option<&Version>) -> bool {
        let reads = |version: &Version| {
            self.since.as_ref().is_none_or(|since| since <= version)
                && self.until.as_ref().is_none_or(|until| version < until)
        };
        self.shape != Shape::Other && version.is_none_or(reads)
    }
}

/// All keys of a chart, in the order of its table.
#[derive(Debug)]
pub struct ChartKeys {
    keys: Vec<ChartKey>,
    by_path: FxHashMap<&'static str, usize>,
}

impl ChartKeys {
    /// The key at a path from the top, with dots.
    pub fn at(&self, path: &str) -> Option<&ChartKey> {
        self.keys.get(*self.by_path.get(path)?)
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &ChartKey> {
        self.keys.iter()
    }

    /// The keys of the map at a path; the empty path is the top.
    pub fn under<'k>(&'k self, path: &'k str) -> impl Iterator<Item = &'k ChartKey> {
        self.keys.iter().filter(move |key| key.parent() == path)
    }
}

impl Chart {
    /// The keys that its templates read; none where they are not known.
    pub fn keys(self) -> Option<&'static ChartKeys> {
        static KEYS: OnceLock<Vec<(Chart, ChartKeys)>> = OnceLock::new();
        let keys = KEYS.get_or_init(|| TABLES.iter().map(|(chart, text)| (*chart, read(text))).collect());
        keys.iter().find(|(of, _)| *of == self).map(|(_, keys)| keys)
    }
}

fn read(text: &'static str) -> ChartKeys {
    let keys: Vec<_> = table::rows(text).filter_map(key).collect();
    let by_path = keys.iter().enumerate().map(|(index, key)| (key.path, index)).collect();
    ChartKeys { keys, by_path }
}

fn key([path, since, until, shape, instead]: [&'static str; 5]) -> Option<ChartKey> {
    Some(ChartKey {
        path,
        since: Version::parse(since).ok(),
        until: Version::parse(until).ok(),
        shape: Shape::parse(shape)?,
        instead: Some(instead).filter(|instead| !instead.is_empty()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_well_formed() {
        for (chart, text) in &TABLES {
            let keys = chart.keys().unwrap();
            assert_eq!(table::rows::<1>(text).count(), keys.by_path.len(), "{}", chart.name());
            assert!(["source", "date"].iter().all(|name| table::head(text, name).is_some()), "{}", chart.name());
            for ([path, since, until, ..], key) in table::rows::<5>(text).zip(keys.iter()) {
                assert_eq!(path, key.path);
                let versions = [(since, &key.since), (until, &key.until)];
                assert!(versions.iter().all(|(word, read)| word.is_empty() == read.is_none()), "{path}");
                let parent = key.parent();
                assert!(
                    parent.is_empty()
                        || keys.at(parent).is_some_and(|key| matches!(key.shape, Shape::Map | Shape::PodSpec)),
                    "{path}"
                );
                let top = key.instead.and_then(|instead| instead.split('.').next());
                assert!(top.is_none_or(|top| keys.at(top).is_some()), "{path}");
            }
        }
    }

    #[test]
    fn defaults_are_read() {
        for chart in Chart::ALL {
            let (Some(keys), Some((_, text))) =
                (chart.keys(), super::super::defaults(&super::super::ChartRef { chart, version: None }))
            else {
                continue;
            };
            let values: serde_json::Value = serde_yaml::from_str(text).unwrap();
            for name in values.as_object().unwrap().keys() {
                assert!(keys.at(name).is_some(), "{}: {name}", chart.name());
            }
        }
    }

    #[test]
    fn a_key_has_versions() {
        let keys = Chart::GhaRunnerScaleSet.keys().unwrap();
        let version = |text: &str| Version::parse(text).ok();
        let labels = keys.at("scaleSetLabels").unwrap();
        assert!(labels.is_read_by(None));
        assert!(!labels.is_read_by(version("0.13.1").as_ref()));
        let account = keys.at("containerMode.kubernetesModeServiceAccount").unwrap();
        assert!(account.is_read_by(version("0.10.1").as_ref()));
        assert!(!account.is_read_by(version("0.11.0").as_ref()));
        assert_eq!((account.name(), account.parent()), ("kubernetesModeServiceAccount", "containerMode"));
        assert!(!keys.at("keyVault.azure_key_vault").unwrap().is_read_by(None));
    }
}
