//! Releases of charts that are broken under a condition.

use std::sync::OnceLock;

use semver::Version;

use super::{Chart, ChartRef, table};

static TABLE: &str = include_str!("../../rules/data/charts/broken.tsv");

/// What must be so for the fault to show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Condition {
    /// Init containers in a mode other than `dind`, on a Kubernetes that knows side-cars (1.29).
    InitContainersOutsideDind,
    /// Argo CD that tracks what it owns by a label.
    ArgocdLabelTracking,
}

/// A release with a fault.
#[derive(Debug, Clone)]
pub struct BrokenChart {
    /// The chart.
    pub chart: Chart,
    /// Its version.
    pub version: Version,
    /// When the fault shows.
    pub condition: Condition,
    /// The version that mended it.
    pub mended_in: Version,
    /// What it does, as the end of a sentence about the chart.
    pub effect: &'static str,
}

/// The fault of a chart under a condition; none where its version is not known.
pub fn broken_chart(chart: &ChartRef, condition: Condition) -> Option<&'static BrokenChart> {
    let version = chart.version.as_ref()?;
    table()
        .iter()
        .find(|broken| broken.chart == chart.chart && broken.version == *version && broken.condition == condition)
}

fn table() -> &'static [BrokenChart] {
    static ROWS: OnceLock<Vec<BrokenChart>> = OnceLock::new();
    ROWS.get_or_init(|| table::rows(TABLE).filter_map(read).collect())
}

fn read([chart, version, condition, mended_in, effect]: [&'static str; 5]) -> Option<BrokenChart> {
    let condition = match condition {
        "init-containers-outside-dind" => Condition::InitContainersOutsideDind,
        "argocd-label-tracking" => Condition::ArgocdLabelTracking,
        _ => return None,
    };
    let (version, mended_in) = (Version::parse(version).ok()?, Version::parse(mended_in).ok()?);
    Some(BrokenChart { chart: Chart::from_name(chart)?, version, condition, mended_in, effect })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_well_formed() {
        assert_eq!(table::rows::<5>(TABLE).count(), table().len());
        for broken in table() {
            assert!(broken.version < broken.mended_in && !broken.effect.is_empty());
        }
    }

    #[test]
    fn a_fault_is_of_one_version() {
        let mended = |version: Option<&str>| {
            let version = version.map(|version| Version::parse(version).unwrap());
            let chart = ChartRef { chart: Chart::GhaRunnerScaleSet, version };
            broken_chart(&chart, Condition::InitContainersOutsideDind).map(|broken| broken.mended_in.to_string())
        };
        assert_eq!(mended(Some("0.12.0")).as_deref(), Some("0.12.1"));
        assert_eq!(mended(Some("0.12.1")), None);
        assert_eq!(mended(None), None);
    }
}
