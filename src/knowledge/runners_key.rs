//! Keys under `runners` in the values of the GitLab Runner chart.

use std::sync::OnceLock;

use rustc_hash::FxHashMap;
use semver::Version;

use super::table;

static TABLE: &str = include_str!("../../rules/data/charts/gitlab-runner/runners.tsv");

/// A key under `runners` that some version of the chart reads, or once did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunnersKey {
    /// From `runners` on, with dots.
    pub path: &'static str,
    /// First version that no longer reads it.
    pub until: Option<Version>,
    /// The setting of the runner that took its place, from `[[runners]]` on; none: the chart reads the key.
    pub setting: Option<&'static str>,
}

/// The key at a path from `runners` on, with dots.
pub fn runners_key(path: &str) -> Option<&'static RunnersKey> {
    keys().get(path)
}

/// The keys that the newest chart reads, at the top of `runners`.
pub fn live_runners_keys() -> impl Iterator<Item = &'static str> {
    keys().values().filter(|key| key.setting.is_none() && !key.path.contains('.')).map(|key| key.path)
}

fn keys() -> &'static FxHashMap<&'static str, RunnersKey> {
    static KEYS: OnceLock<FxHashMap<&'static str, RunnersKey>> = OnceLock::new();
    KEYS.get_or_init(|| table::rows(TABLE).map(read).map(|key| (key.path, key)).collect())
}

fn read([path, until, setting]: [&'static str; 3]) -> RunnersKey {
    let setting = Some(setting).filter(|setting| !setting.is_empty());
    RunnersKey { path, until: Version::parse(until).ok(), setting }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_well_formed() {
        assert_eq!(table::rows::<1>(TABLE).count(), keys().len());
        assert!(["source", "date"].iter().all(|name| table::head(TABLE, name).is_some()));
        for [path, until, setting] in table::rows::<3>(TABLE) {
            assert!(until.is_empty() || Version::parse(until).is_ok() && !setting.is_empty(), "{path}");
            let parent = path.rsplit_once('.').map(|(parent, _)| parent);
            assert!(parent.is_none_or(|parent| runners_key(parent).is_some()), "{path}");
        }
    }

    #[test]
    fn dead_keys_name_what_took_their_place() {
        assert_eq!(runners_key("image").unwrap().setting, Some("kubernetes.image"));
        assert_eq!(runners_key("secret").unwrap().setting, None);
        assert!(live_runners_keys().any(|key| key == "config") && !live_runners_keys().any(|key| key == "image"));
        assert!(runners_key("kubernetes").is_none());
    }
}
