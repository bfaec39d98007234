//! Argo CD takes what the controller makes for its own, by a label that the controller hands on.

use semver::Version;

use crate::knowledge::Chart;
use crate::rule::Checker;
use crate::values::Value;
use crate::view::{Deployer, Field, Fleet};

/// From this version on the chart can keep labels from being handed on.
const SINCE: Version = Version::new(0, 9, 3);
/// The key, and where it stands in the charts.
const PREFIXES: &str = "excludeLabelPropagationPrefixes";
const CLASSIC: &[&str] = &["flags"];
const EXPERIMENTAL: &[&str] = &["controller", "manager", "config"];

pub(crate) fn check(fleet: &Fleet<'_>, checker: &mut Checker<'_>) {
    let releases = fleet.releases();
    let by_argo = releases.iter().filter(|release| release.by == Deployer::ArgoCd);
    for release in by_argo.filter(|_| !tracks_by_annotation(fleet)) {
        let above = match release.chart {
            Some(Chart::GhaRunnerScaleSetController) => CLASSIC,
            Some(Chart::GhaRunnerScaleSetControllerExperimental) => EXPERIMENTAL,
            _ => continue,
        };
        let path = [above, &[PREFIXES]].concat();
        let is_new_enough = release.version.as_ref().is_none_or(|version| *version >= SINCE);
        match release.setting(&path, Some) {
            Field::Absent => {}
            Field::Present(list, _) if release.home.is_of_chart(list) => {}
            _ => continue,
        }
        let (Some(value), true) = (release.value(), is_new_enough) else { continue };
        let values = release.merged.or(release.values);
        let flags = values.and_then(|values| values.at(above));
        let places = [flags, values, release.version_at, Some(value)];
        checker
            .report_first(
                places.into_iter().flatten(),
                "the controller hands Argo CD's tracking label on to what it makes, and Argo CD prunes it",
            )
            .related(value.origin.node, "installed by this application")
            .help(format!(
                "set `{}: [argocd.argoproj.io/instance]` (with the label that Argo CD tracks by), or let Argo CD track by annotation",
                path.join(".")
            ));
    }
}

/// Whether Argo CD's own settings in view say so.
fn tracks_by_annotation(fleet: &Fleet<'_>) -> bool {
    let settings = fleet.objects.iter().filter(|object| object.kind == "ConfigMap" && object.name == "argocd-cm");
    let method = |value: &Value| {
        let method = value.at(&["data", "application.resourceTrackingMethod"]).and_then(Value::as_str);
        method.is_some_and(|method| method != "label")
    };
    settings.map(|object| object.value).any(method)
}
