//! What actions ask of the runner.

use semver::Version;

use super::table;

static TABLE: &str = include_str!("../../rules/data/github-actions.tsv");

/// The oldest runner that can load an action (`owner/name`) of a major version; none where that is not known.
pub fn minimum_runner(action: &str, major: u64) -> Option<Version> {
    let asked = table::rows(TABLE).filter(|[name, _, _]| name.eq_ignore_ascii_case(action));
    let since = asked.filter(|[_, from, _]| from.parse::<u64>().is_ok_and(|from| from <= major));
    since.filter_map(|[_, _, runner]| Version::parse(runner).ok()).max()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_well_formed() {
        for [action, major, runner] in table::rows::<3>(TABLE) {
            assert!(action.contains('/') && major.parse::<u64>().is_ok() && Version::parse(runner).is_ok(), "{action}");
        }
    }

    #[test]
    fn minimum() {
        let minimum = |action, major| minimum_runner(action, major).map(|version| version.to_string());
        assert_eq!(minimum("actions/checkout", 3), None);
        assert_eq!(minimum("actions/checkout", 4).as_deref(), Some("2.308.0"));
        assert_eq!(minimum("Actions/Checkout", 6).as_deref(), Some("2.327.1"));
        assert_eq!(minimum("actions/upload-artifact", 5).as_deref(), Some("2.308.0"));
        assert_eq!(minimum("acme/checkout", 5), None);
    }
}
