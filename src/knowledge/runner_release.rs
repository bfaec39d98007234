//! Releases of the GitHub Actions runner, and until when each gets jobs.

mod answer;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::OnceLock;

use jiff::civil::Date;
use jiff::{Span, civil};
use semver::Version;

use super::table;
pub use answer::read as read_answer;

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
        self.next.as_ref()?.1.checked_add(Span::new().try_days(days).ok()?).ok()
    }
}

/// The releases that a run judges by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Releases {
    /// In the order of their versions.
    all: Vec<RunnerRelease>,
    up_to: Option<Date>,
    /// Files that added to what the program carries.
    from: Vec<String>,
}

impl Default for Releases {
    fn default() -> Self {
        Self::built_in().clone()
    }
}

impl Releases {
    /// Those that the program carries.
    pub fn built_in() -> &'static Self {
        static RELEASES: OnceLock<Releases> = OnceLock::new();
        RELEASES.get_or_init(|| Self {
            all: chain(table::rows(TABLE).filter_map(dated).collect()),
            up_to: table::head(TABLE, "date").and_then(|date| date.parse().ok()),
            from: Vec::new(),
        })
    }

    /// Adds releases that are not known yet, from a file that knows them up to a day; what is known stays as it is.
    #[must_use]
    pub fn with(&self, more: &BTreeMap<Version, Date>, up_to: Option<Date>, file: &str) -> Self {
        let newest = more.values().max().copied();
        let mut all = more.clone();
        all.extend(self.dates());
        let from = self.from.iter().cloned().chain([file.to_owned()]).collect();
        Self { all: chain(all), up_to: self.up_to.max(up_to).max(newest), from }
    }

    /// Forgets what came out after a day.
    #[must_use]
    pub fn until(&self, day: Date) -> Self {
        let known = self.dates().filter(|(_, date)| *date <= day).collect();
        Self { all: chain(known), up_to: self.up_to.map(|known| known.min(day)), from: self.from.clone() }
    }

    /// All of them, in the order of their versions.
    pub fn all(&self) -> &[RunnerRelease] {
        &self.all
    }

    /// The release of a version; none: not a release, or newer than what is known.
    pub fn find(&self, version: &Version) -> Option<&RunnerRelease> {
        let index = self.all.binary_search_by(|release| release.version.cmp(version)).ok()?;
        self.all.get(index)
    }

    /// The day up to which releases are known.
    pub fn up_to(&self) -> Option<Date> {
        self.up_to
    }

    fn dates(&self) -> impl Iterator<Item = (Version, Date)> {
        self.all.iter().map(|release| (release.version.clone(), release.date))
    }
}

/// What findings say of the data that they were judged by: `releases known up to 2026-08-26, built in`.
impl fmt::Display for Releases {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("releases known")?;
        if let Some(date) = self.up_to {
            write!(f, " up to {date}")?;
        }
        match self.from.as_slice() {
            [] => f.write_str(", built in"),
            files => write!(f, ", from `{}`", files.join("` and `")),
        }
    }
}

/// Finds what superseded each release: of all later versions the one that came out first. A late patch
/// of an old line is superseded from its first day on.
fn chain(dated: BTreeMap<Version, Date>) -> Vec<RunnerRelease> {
    let mut first: Option<(Version, Date)> = None;
    let mut all = Vec::with_capacity(dated.len());
    for (version, date) in dated.into_iter().rev() {
        let next = first.clone().map(|(next, out)| (next, out.max(date)));
        if first.as_ref().is_none_or(|(_, out)| date <= *out) {
            first = Some((version.clone(), date));
        }
        all.push(RunnerRelease { version, date, next });
    }
    all.reverse();
    all
}

fn dated([version, date]: [&'static str; 2]) -> Option<(Version, Date)> {
    Some((Version::parse(version).ok()?, date.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    fn version(text: &str) -> Version {
        Version::parse(text).unwrap()
    }

    fn of(text: &str) -> Option<&'static RunnerRelease> {
        Releases::built_in().find(&version(text))
    }

    #[test]
    fn every_row_is_well_formed() {
        let releases = Releases::built_in().all();
        let rows: Vec<_> = table::rows::<4>(TABLE).collect();
        assert_eq!(releases.len(), rows.len());
        for (release, [version, date, next, since]) in releases.iter().zip(rows) {
            assert_eq!((release.version.to_string(), release.date.to_string()), (version.to_owned(), date.to_owned()));
            let superseded = release.next.as_ref().map(|(next, since)| (next.to_string(), since.to_string()));
            assert_eq!(superseded.unwrap_or_default(), (next.to_owned(), since.to_owned()), "{version}");
        }
        let newest = releases.last().unwrap();
        assert!(newest.next.is_none() && Releases::built_in().up_to() >= Some(newest.date));
    }

    #[test]
    fn ends_as_observed() {
        let end = |version| of(version).unwrap().ends_on();
        assert_eq!(end("2.325.0"), Some(date(2025, 9, 8)));
        assert_eq!(end("2.331.0"), Some(date(2026, 4, 29)));
        assert_eq!(end("2.334.0"), Some(date(2026, 8, 10)));
        assert_eq!(of("2.334.0").unwrap().promised_until(), Some(date(2026, 7, 8)));
        assert_eq!(of("2.334.0").unwrap().superseded_for(i64::MAX), None);
    }

    #[test]
    fn the_newest_has_no_end_and_newer_ones_are_unknown() {
        assert_eq!(of("2.337.0").unwrap().ends_on(), None);
        assert_eq!(of("2.338.0"), None);
        assert_eq!(of("2.160.9"), None);
    }

    #[test]
    fn newer_releases_supersede_what_was_the_newest() {
        let more = [
            (version("2.338.0"), date(2026, 10, 5)),
            (version("2.337.1"), date(2026, 10, 9)),
            // What is known stays.
            (version("2.336.0"), date(2020, 1, 1)),
        ];
        let releases = Releases::built_in().with(&more.into(), None, "releases.json");
        let next = |text: &str| releases.find(&version(text)).unwrap().next.clone();
        assert_eq!(next("2.337.0"), Some((version("2.338.0"), date(2026, 10, 5))));
        assert_eq!(next("2.337.1"), Some((version("2.338.0"), date(2026, 10, 9))));
        assert_eq!(next("2.338.0"), None);
        assert_eq!(releases.find(&version("2.336.0")), of("2.336.0"));
        assert_eq!(releases.to_string(), "releases known up to 2026-10-09, from `releases.json`");
    }

    #[test]
    fn nothing_more_changes_nothing() {
        let built_in = Releases::built_in();
        for more in [read_answer("[]").unwrap(), built_in.dates().collect()] {
            let releases = built_in.with(&more, None, "releases.json");
            assert_eq!((releases.all(), releases.up_to()), (built_in.all(), built_in.up_to()));
        }
        assert_eq!(built_in.until(date(9999, 1, 1)), *built_in);
    }

    #[test]
    fn what_came_out_later_is_forgotten() {
        let then = Releases::built_in().until(date(2026, 8, 1));
        assert_eq!(then.all().last().unwrap().version, version("2.336.0"));
        assert_eq!(then.find(&version("2.336.0")).unwrap().next, None);
        assert_eq!(then.up_to(), Some(date(2026, 8, 1)));
    }

    proptest::proptest! {
        #[test]
        fn more_releases_end_others_earlier_or_as_before(
            more in proptest::collection::btree_map((0_u64..4, 0_u64..400, 0_u64..4), 0_i64..4000, 0..40)
        ) {
            let out = |days: i64| civil::date(2019, 1, 1).checked_add(Span::new().days(days)).unwrap();
            let more = more.into_iter().map(|((major, minor, patch), days)| (Version::new(major, minor, patch), out(days)));
            let built_in = Releases::built_in();
            let releases = built_in.with(&more.collect(), None, "releases.json");
            proptest::prop_assert!(releases.all().is_sorted_by(|one, next| one.version < next.version));
            for release in releases.all() {
                let next = release.next.as_ref();
                proptest::prop_assert!(next.is_none_or(|(next, since)| *next > release.version && *since >= release.date));
            }
            for before in built_in.all() {
                let now = releases.find(&before.version).unwrap();
                proptest::prop_assert_eq!(now.date, before.date);
                proptest::prop_assert!(before.ends_on().is_none_or(|end| now.ends_on() <= Some(end)));
            }
        }
    }
}
