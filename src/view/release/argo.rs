//! Argo CD: Application, and ApplicationSet with its template.

use super::{Deployer, Release, exact, known};
use crate::knowledge::Chart;
use crate::values::Value;
use crate::view::Object;

/// A release for each source of an application that may be a chart.
pub(super) fn read<'a>(object: &Object<'a>) -> Vec<Release<'a>> {
    let application = match object.kind {
        "ApplicationSet" => object.value.at(&["spec", "template"]),
        _ => Some(object.value),
    };
    let Some(application) = application else { return Vec::new() };
    let Some(spec) = application.get("spec") else { return Vec::new() };
    // Several sources take the place of a single one.
    let sources: Vec<_> = match spec.get("sources").filter(|sources| !sources.is_empty()) {
        Some(sources) => sources.items().collect(),
        None => spec.get("source").into_iter().collect(),
    };
    sources.into_iter().filter_map(|source| release(object, application, spec, source)).collect()
}

fn release<'a>(object: &Object<'a>, application: &'a Value, spec: &'a Value, source: &'a Value) -> Option<Release<'a>> {
    let helm = |key: &str| source.at(&["helm", key]).filter(|value| !value.is_null());
    let mut release = Release::new(Deployer::ArgoCd, object);
    let (chart, path, url) =
        (known(source.get("chart")), known(source.get("path")), known(source.get("repoURL")).unwrap_or_default());
    // A source that only lends its files is none of a chart.
    if chart.is_none() && path.is_none() {
        return None;
    }
    release.chart = match (chart, path) {
        // The rest of a registry's path may stand here too.
        (Some(chart), _) => Chart::from_name(last_word(chart)),
        (None, Some(path)) => [path, url].into_iter().find_map(|text| Chart::from_name(last_word(text))),
        (None, None) => None,
    };
    release.path = path.filter(|_| chart.is_none());
    release.version_at = source.get("targetRevision").filter(|version| !version.is_null());
    release.version = release.chart.zip(known(release.version_at)).and_then(|(chart, said)| {
        // The tags of the chart's own repository have its name in front.
        exact(said.strip_prefix(chart.name()).and_then(|rest| rest.strip_prefix('-')).unwrap_or(said))
    });
    release.name = known(helm("releaseName").or_else(|| application.at(&["metadata", "name"]))).map(str::to_owned);
    release.namespace = known(helm("namespace").or_else(|| spec.at(&["destination", "namespace"])));
    release.files = helm("valueFiles").into_iter().flat_map(Value::items).filter_map(Value::as_str).collect();
    release.values = helm("valuesObject").filter(|values| values.as_map().is_some());
    release.text = helm("values").filter(|text| text.as_str().is_some());
    let parameters = ["parameters", "fileParameters"].into_iter().filter_map(helm).flat_map(Value::items);
    release.parameters = parameters.filter_map(|parameter| parameter.get("name")).filter_map(Value::as_str).collect();
    // A map shadows the text beside it, which somebody meant to count.
    release.is_whole = release.text.is_none() || release.values.is_none();
    Some(release)
}

fn last_word(path: &str) -> &str {
    path.trim_end_matches(".git").trim_end_matches(['/', '.']).rsplit('/').next().unwrap_or(path)
}
