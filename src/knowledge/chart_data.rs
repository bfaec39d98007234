//! Default values and versions of the charts that we know, and what marks a file as theirs.

use std::sync::OnceLock;

use semver::Version;

use super::{Chart, ChartRef, table};
use crate::values::{Data, Value, version_in};

static VERSIONS: &str = include_str!("../../rules/data/charts/versions.tsv");
static MARKS: &str = include_str!("../../rules/data/charts/marks.tsv");

macro_rules! defaults {
    ($($chart:ident $name:literal $version:literal;)*) => {
        /// One entry for each version from which on the defaults differ, oldest first.
        static DEFAULTS: &[(Chart, &str, &str)] = &[$((
            Chart::$chart,
            $version,
            include_str!(concat!("../../rules/data/charts/", $name, "/", $version, ".yaml")),
        )),*];
    };
}

defaults! {
    GhaRunnerScaleSet "gha-runner-scale-set" "0.4.0";
    GhaRunnerScaleSet "gha-runner-scale-set" "0.11.0";
    GhaRunnerScaleSet "gha-runner-scale-set" "0.14.0";
    GhaRunnerScaleSetController "gha-runner-scale-set-controller" "0.14.2";
    GhaRunnerScaleSetExperimental "gha-runner-scale-set-experimental" "0.14.0";
    GhaRunnerScaleSetControllerExperimental "gha-runner-scale-set-controller-experimental" "0.14.0";
    ActionsRunnerController "actions-runner-controller" "0.23.7";
    GitlabRunner "gitlab-runner" "0.86.0";
}

/// Default values of a chart, as YAML, with the version they belong to: the one asked for, without
/// one the newest known. None where they are unknown (older than the oldest that was read).
pub fn defaults(chart: &ChartRef) -> Option<(Version, &'static str)> {
    let version = match &chart.version {
        Some(version) => version.clone(),
        None => known_versions(chart.chart).last()?.clone(),
    };
    let since = |text: &str| Version::parse(text).is_ok_and(|since| since <= version);
    let found = DEFAULTS.iter().rfind(|(of, from, _)| *of == chart.chart && since(from))?;
    Some((version, found.2))
}

/// Versions of a chart that we know of, oldest first.
pub fn known_versions(chart: Chart) -> &'static [Version] {
    static TABLE: OnceLock<Vec<(Chart, Vec<Version>)>> = OnceLock::new();
    let table = TABLE.get_or_init(|| {
        let row = |[name, versions]: [&'static str; 2]| {
            let versions = versions.split(' ').filter_map(|version| Version::parse(version).ok()).collect();
            Some((Chart::from_name(name)?, versions))
        };
        table::rows(VERSIONS).filter_map(row).collect()
    });
    table.iter().find(|(of, _)| *of == chart).map_or(&[], |(_, versions)| versions)
}

impl ChartRef {
    /// A chart of which a version or a range is said. Of a range nobody knows the version; only where it leaves out
    /// what is known of GitLab Runner's chart, the highest near its bounds stands for it.
    pub fn said(chart: Chart, range: &str) -> Self {
        let exact = || Version::parse(range.strip_prefix('v').unwrap_or(range)).ok();
        let in_range = || {
            let known = known_versions(chart).iter().rev();
            let found = version_in(range, known).filter(|_| chart == Chart::GitlabRunner);
            found.filter(|version| !known_versions(chart).contains(version))
        };
        Self { chart, version: exact().or_else(in_range) }
    }
}

impl Chart {
    /// The chart that values belong to, by what only its files hold. None where nothing marks
    /// them, or where they hold marks of two charts.
    pub fn recognise(values: &Value) -> Option<Self> {
        let mut found = None;
        for (chart, mark) in marks() {
            if found != Some(*chart) && mark.iter().all(|path| is_said(values, path)) {
                match found {
                    None => found = Some(*chart),
                    Some(_) => return None,
                }
            }
        }
        found
    }
}

/// Paths that must all be there.
type Mark = Vec<Vec<&'static str>>;

fn marks() -> &'static [(Chart, Mark)] {
    static TABLE: OnceLock<Vec<(Chart, Mark)>> = OnceLock::new();
    TABLE.get_or_init(|| {
        let row = |[name, mark]: [&'static str; 2]| {
            Some((Chart::from_name(name)?, mark.split(" + ").map(|path| path.split('.').collect()).collect()))
        };
        table::rows(MARKS).filter_map(row).collect()
    })
}

/// Whether a path is there. `runners.config` is text in the chart: a table of that name is another's.
fn is_said(values: &Value, path: &[&str]) -> bool {
    let is_text = |value: &Value| matches!(value.data, Data::String(_) | Data::Null);
    values.at(path).is_some_and(|value| path.last() != Some(&"config") || is_text(value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::values::{LayerId, Map, Origin};

    fn value(data: Data) -> Value {
        Value::new(data, Origin { layer: LayerId(0), node: None })
    }

    fn map(entries: &[(&str, Value)]) -> Value {
        let entries = entries.iter().map(|(key, value)| ((*key).to_owned(), value.clone())).collect();
        value(Data::Map(Map { entries, deleted: Vec::new() }))
    }

    fn text(text: &str) -> Value {
        value(Data::String(text.to_owned()))
    }

    fn reference(chart: Chart, version: Option<&str>) -> ChartRef {
        ChartRef { chart, version: version.map(|version| Version::parse(version).unwrap()) }
    }

    #[test]
    fn every_row_is_well_formed() {
        assert_eq!(table::rows::<2>(MARKS).count(), marks().len());
        for [name, versions] in table::rows::<2>(VERSIONS) {
            let known = known_versions(Chart::from_name(name).unwrap());
            assert_eq!(known.len(), versions.split(' ').count(), "{name}");
            assert!(known.is_sorted(), "{name}");
        }
        for (_, version, text) in DEFAULTS {
            Version::parse(version).unwrap();
            let read: serde_json::Value = serde_yaml::from_str(text).unwrap();
            assert!(read.is_object());
            assert_eq!(text.matches('#').count(), 2, "facts only, no comments");
        }
    }

    #[test]
    fn a_range_has_a_version_where_it_leaves_out_what_is_known() {
        let said = |chart, range| ChartRef::said(chart, range).version.map(|version| version.to_string());
        assert_eq!(said(Chart::GitlabRunner, "v0.40.1").as_deref(), Some("0.40.1"));
        assert_eq!(said(Chart::GitlabRunner, "0.40.x").as_deref(), Some("0.40.1"));
        assert_eq!(said(Chart::GitlabRunner, ">=0.40.0"), None);
        assert_eq!(said(Chart::GitlabRunner, "main"), None);
        assert_eq!(said(Chart::GhaRunnerScaleSet, "0.9.x"), None);
    }

    #[test]
    fn a_version_has_the_newest_defaults_up_to_it() {
        let labels = |version| {
            defaults(&reference(Chart::GhaRunnerScaleSet, version)).map(|(_, text)| text.contains("scaleSetLabels"))
        };
        assert_eq!(labels(Some("0.13.1")), Some(false));
        assert_eq!(labels(Some("0.14.1")), Some(true));
        assert_eq!(labels(Some("0.15.0")), Some(true));
        assert_eq!(labels(None), Some(true));
        assert_eq!(labels(Some("0.3.0")), None);
        let (version, _) = defaults(&reference(Chart::GhaRunnerScaleSet, None)).unwrap();
        assert_eq!(version, Version::new(0, 14, 2));
    }

    #[test]
    fn a_file_is_recognised_by_what_only_its_chart_has() {
        let recognised = |entries: &[(&str, Value)]| Chart::recognise(&map(entries));
        assert_eq!(recognised(&[("githubConfigUrl", text("x"))]), Some(Chart::GhaRunnerScaleSet));
        assert_eq!(recognised(&[("runners", map(&[("config", text("x"))]))]), Some(Chart::GitlabRunner));
        assert_eq!(recognised(&[("runners", map(&[("config", map(&[]))]))]), None);
        assert_eq!(recognised(&[("template", map(&[])), ("minRunners", text("1"))]), None);
        assert_eq!(recognised(&[("gitlabUrl", text("x")), ("githubConfigUrl", text("x"))]), None);
        let auth = ("auth", map(&[("url", text("x"))]));
        assert_eq!(recognised(std::slice::from_ref(&auth)), None);
        assert_eq!(recognised(&[auth, ("scaleset", map(&[]))]), Some(Chart::GhaRunnerScaleSetExperimental));
    }
}
