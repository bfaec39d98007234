//! GitLab Runner's feature flags.

use std::sync::OnceLock;

use jiff::civil::Date;

use super::table;

static TABLE: &str = include_str!("../../rules/data/gitlab-runner/feature-flags.tsv");

/// A flag that some release knows or knew.
#[derive(Debug)]
pub struct FeatureFlag {
    /// Its name.
    pub name: &'static str,
    /// `(major, minor)` of the first release that knows it.
    pub since: Option<(u32, u32)>,
    /// The first release that does not know it any more.
    pub removed: Option<(u32, u32)>,
    /// What is said of its end, where it is deprecated.
    pub deprecated: Option<&'static str>,
    /// What to use instead.
    pub instead: Option<&'static str>,
}

impl FeatureFlag {
    /// A flag by its name.
    pub fn named(name: &str) -> Option<&'static Self> {
        flags().iter().find(|flag| flag.name == name)
    }

    /// The flags that the newest release knows.
    pub fn live() -> impl Iterator<Item = &'static Self> {
        flags().iter().filter(|flag| flag.removed.is_none())
    }

    /// The day up to which the table knows all flags.
    pub fn known_until() -> Option<Date> {
        table::head(TABLE, "date")?.parse().ok()
    }
}

fn flags() -> &'static [FeatureFlag] {
    static FLAGS: OnceLock<Vec<FeatureFlag>> = OnceLock::new();
    FLAGS.get_or_init(|| {
        let flag = |[name, _, _, deprecated, since, removed, instead]: [&'static str; 7]| FeatureFlag {
            name,
            since: minor(since),
            removed: minor(removed),
            deprecated: said(deprecated),
            instead: said(instead),
        };
        table::rows(TABLE).map(flag).collect()
    })
}

fn said(text: &'static str) -> Option<&'static str> {
    (!text.is_empty()).then_some(text)
}

fn minor(text: &str) -> Option<(u32, u32)> {
    let (major, minor) = text.split_once('.')?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_read() {
        assert!(FeatureFlag::known_until().is_some());
        assert!(FeatureFlag::live().count() > 40);
        let gone = FeatureFlag::named("FF_RETRIEVE_POD_WARNING_EVENTS").map(|flag| (flag.removed, flag.instead));
        assert_eq!(gone, Some((Some((18, 0)), Some("print_pod_warning_events"))));
        assert!(flags().iter().all(|flag| flag.since.is_some()));
    }
}
