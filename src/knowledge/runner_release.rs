//! Releases of the GitHub Actions runner, and until when each gets jobs.

use std::sync::OnceLock;

use jiff::civil::Date;
use jiff::{ToSpan, civil};
use semver::Version;

use super::table;

static TABLE: &str = include_str!("../../rules/data/actions-runner-releases.tsv");

/// Days after the next release during which GitHub promises jobs to a runner that does not update itself.
pub const PROMISED_DAYS: i64 = 30;

/// Days after the next release at which a runner was seen to lose its jobs.
pub const OBSERVED_DAYS: i64 = 63;

/// The oldest version that may still register.
pub const REGISTRATION_FLOOR: Version = Version::new(2, 329, 0);

/// The day on which the floor holds on github.com.
pub const FLOOR_ON_GITHUB_COM: Date = civil::date(2026, 9, 25);

/// The day on which the floor holds with data residency (`*.ghe.com`).
pub const FLOOR_ON_GHE_COM: Date = civil::date(2026, 7, 31);

/// One release.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunnerRelease {
    /// The version.
    pub version: Version,
    /// The day it came out.
    pub date: Date,
    /// The next version and the day from which this one counts as superseded; none for the newest.
    pub next: Option<(Version, Date)>,
}

impl RunnerRelease {
    /// The last day of the promise; none while no later release is known.
    pub fn promised_until(&self) -> Option<Date> {
        self.superseded_for(PROMISED_DAYS)
    }

    /// The day from which it gets no jobs; none while no later release is known.
    pub fn ends_on(&self) -> Option<Date> {
        self.superseded_for(OBSERVED_DAYS)
    }

    /// The day on which it is superseded for so many days.
    pub fn superseded_for(&self, days: i64) -> Option<Date> {
        self.next.as_ref()?.1.checked_add(days.days()).ok()
    }
}

/// All releases, in the order of their versions.
pub fn all() -> &'static [RunnerRelease] {
    static RELEASES: OnceLock<Vec<RunnerRelease>> = OnceLock::new();
    RELEASES.get_or_init(|| table::rows(TABLE).filter_map(release).collect())
}

/// The release of a version; none where the table has none: not a release, or newer than the table.
pub fn find(version: &Version) -> Option<&'static RunnerRelease> {
    let releases = all();
    let index = releases.binary_search_by(|release| release.version.cmp(version)).ok()?;
    releases.get(index)
}

/// The day up to which the table knows releases.
pub fn data_date() -> Option<Date> {
    table::head(TABLE, "date")?.parse().ok()
}

fn release([version, date, next, next_date]: [&'static str; 4]) -> Option<RunnerRelease> {
    let next = Version::parse(next).ok().zip(next_date.parse().ok());
    Some(RunnerRelease { version: Version::parse(version).ok()?, date: date.parse().ok()?, next })
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    fn of(version: &str) -> Option<&'static RunnerRelease> {
        find(&Version::parse(version).unwrap())
    }

    #[test]
    fn every_row_is_well_formed() {
        let releases = all();
        assert_eq!(releases.len(), table::rows::<4>(TABLE).count());
        assert!(releases.is_sorted_by(|a, b| a.version < b.version));
        let (newest, others) = releases.split_last().unwrap();
        assert!(newest.next.is_none());
        assert!(others.iter().all(|release| release.next.as_ref().is_some_and(|next| next.0 > release.version)));
        assert!(data_date().unwrap() >= newest.date);
    }

    #[test]
    fn ends_as_observed() {
        let end = |version| of(version).unwrap().ends_on();
        assert_eq!(end("2.325.0"), Some(date(2025, 9, 8)));
        assert_eq!(end("2.331.0"), Some(date(2026, 4, 29)));
        assert_eq!(end("2.334.0"), Some(date(2026, 8, 10)));
        assert_eq!(of("2.334.0").unwrap().promised_until(), Some(date(2026, 7, 8)));
    }

    #[test]
    fn the_newest_has_no_end_and_newer_ones_are_unknown() {
        assert_eq!(of("2.337.0").unwrap().ends_on(), None);
        assert_eq!(of("2.338.0"), None);
        assert_eq!(of("2.160.9"), None);
    }
}
