//! Labels of runners that GitHub gives by itself.

use super::table;

static TABLE: &str = include_str!("../../rules/data/github-runner-labels.tsv");

/// The first version of the scale set's chart that can give more labels than the name.
pub const SCALE_SET_LABELS_SINCE: semver::Version = semver::Version::new(0, 14, 0);

/// Whether every self-hosted runner of some system or machine has the label, unless it refused it.
pub fn is_default(label: &str) -> bool {
    of_kind("default").any(|known| known.eq_ignore_ascii_case(label))
}

/// Whether GitHub's own runners may have the label.
pub fn is_hosted(label: &str) -> bool {
    let label = label.to_ascii_lowercase();
    of_kind("hosted-prefix").any(|prefix| label.starts_with(prefix))
}

fn of_kind(kind: &'static str) -> impl Iterator<Item = &'static str> {
    table::rows(TABLE).filter(move |[of, _]| *of == kind).map(|[_, label]| label)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels() {
        assert!(is_default("Self-Hosted") && is_default("X64") && is_default("ARM64"));
        assert!(!is_default("gpu"));
        assert!(is_hosted("ubuntu-slim") && is_hosted("macos-15-xlarge") && is_hosted("windows-11-arm"));
        assert!(!is_hosted("linux") && !is_hosted("acme-ubuntu-24.04"));
    }

    #[test]
    fn every_row_is_well_formed() {
        for [kind, label] in table::rows::<2>(TABLE) {
            assert!(matches!(kind, "default" | "hosted-prefix") && label == label.to_ascii_lowercase(), "{label}");
        }
    }
}
