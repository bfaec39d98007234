//! K3s and RKE2: HelmChart, which their controller installs with Helm.

use super::{Deployer, Release, exact, known};
use crate::knowledge::Chart;
use crate::values::Value;
use crate::view::Object;

pub(super) fn read<'a>(object: &Object<'a>, objects: &[Object<'a>]) -> Option<Release<'a>> {
    let spec = object.value.get("spec")?;
    let said = |key: &str| spec.get(key).filter(|value| !value.is_empty());
    let mut release = Release::new(Deployer::K3s, object);
    // The name in a repository, or the address of an archive or of a registry.
    let chart = known(spec.get("chart")).filter(|_| said("chartContent").is_none())?;
    release.chart = Chart::from_name(chart.trim_end_matches('/').rsplit('/').next().unwrap_or(chart));
    release.version_at = spec.get("version").filter(|version| !version.is_null());
    release.version = known(release.version_at).and_then(exact);
    release.name = known(object.value.at(&["metadata", "name"])).map(str::to_owned);
    release.namespace = known(said("targetNamespace").or_else(|| object.value.at(&["metadata", "namespace"])));
    release.values = spec.get("values").filter(|values| values.as_map().is_some());
    release.text = spec.get("valuesContent").filter(|text| text.as_str().is_some());
    release.parameters = spec.get("set").into_iter().flat_map(Value::entries).map(|(name, _)| name).collect();
    let is_config = |other: &&Object<'a>| other.kind == "HelmChartConfig" && other.name == object.name;
    let is_alone = said("valuesSecrets").is_none() && !objects.iter().any(|other| is_config(&other));
    release.is_whole = is_alone && (release.text.is_none() || release.values.is_none());
    Some(release)
}
