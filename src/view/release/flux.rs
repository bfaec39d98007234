//! Flux: HelmRelease, and the sources that it takes charts from.

use super::{Deployer, Release, exact, known};
use crate::knowledge::Chart;
use crate::values::Value;
use crate::view::Object;

/// The longest name of a release that Flux does not cut.
const MAX_NAME: usize = 53;

pub(super) fn read<'a>(object: &Object<'a>, objects: &[Object<'a>]) -> Option<Release<'a>> {
    let spec = object.value.get("spec")?;
    let mut release = Release::new(Deployer::Flux, object);
    release.values = spec.get("values").filter(|values| values.as_map().is_some());
    if let Some(chart) = spec.at(&["chart", "spec"]) {
        let said = known(chart.get("chart"))?;
        release.chart = Chart::from_name(last_word(said));
        release.path = said.contains('/').then_some(said);
        release.version_at = chart.get("version").filter(|version| !version.is_null());
        let files = chart.get("valuesFiles").into_iter().flat_map(Value::items);
        release.files = files.filter_map(Value::as_str).collect();
    } else {
        from_source(&mut release, spec.get("chartRef")?, objects);
    }
    release.version = known(release.version_at).and_then(exact);
    let target = spec.get("targetNamespace").filter(|target| !target.is_empty());
    release.namespace = known(target.or_else(|| object.value.at(&["metadata", "namespace"])));
    release.name = name(object, spec, target);
    let holds_no_more =
        |from: &Value| from.is_empty() || from.as_list().is_some_and(|all| all.iter().all(is_credential));
    release.is_whole = spec.get("valuesFrom").is_none_or(holds_no_more);
    Some(release)
}

/// Whether values from elsewhere are no more than one of a scale set's credentials, which nobody looks at.
fn is_credential(from: &Value) -> bool {
    known(from.get("targetPath")).is_some_and(|path| path.split('.').next() == Some("githubConfigSecret"))
}

/// The chart and version of a source in view; else the name of the source has to tell.
fn from_source<'a>(release: &mut Release<'a>, reference: &'a Value, objects: &[Object<'a>]) {
    let name = reference.get("name").and_then(Value::as_str).unwrap_or_default();
    let by_marks = || release.values.and_then(Chart::recognise);
    match source(release, reference, name, objects) {
        Some(source) => {
            let spec = |path: &[&str]| source.value.get("spec")?.at(path).filter(|value| !value.is_null());
            release.chart = known(spec(&["url"])).and_then(|url| Chart::from_name(last_word(url)));
            // Flux takes the digest over the range, and the range over the tag.
            release.version_at = match spec(&["ref", "digest"]) {
                Some(_) => spec(&["ref", "tag"]),
                None => spec(&["ref", "semver"]).or_else(|| spec(&["ref", "tag"])),
            };
        }
        None => release.chart = Chart::from_name(name).or_else(by_marks),
    }
}

/// The OCIRepository of a reference; of several with that name in one place the truth is not known.
fn source<'a>(release: &Release<'a>, reference: &Value, name: &str, objects: &[Object<'a>]) -> Option<Object<'a>> {
    if reference.get("kind").and_then(Value::as_str) != Some("OCIRepository") {
        return None;
    }
    let own = release.home.value()?;
    let namespace = reference.get("namespace").or_else(|| own.at(&["metadata", "namespace"])).and_then(Value::as_str);
    let fits = |object: &&Object<'a>| {
        let is_near = object.namespace.zip(namespace).is_none_or(|(one, other)| one == other);
        object.kind == "OCIRepository" && object.name == name && is_near
    };
    let found: Vec<_> = objects.iter().filter(fits).collect();
    let tree = |value: &Value| value.origin.node.map(|node| node.tree);
    let same_file: Vec<_> = found.iter().copied().filter(|object| tree(object.value) == tree(own)).collect();
    match (found.as_slice(), same_file.as_slice()) {
        ([only], _) | (_, [only]) => Some((*only).clone()),
        _ => None,
    }
}

fn name(object: &Object<'_>, spec: &Value, target: Option<&Value>) -> Option<String> {
    if let Some(said) = spec.get("releaseName").filter(|said| !said.is_empty()) {
        return known(Some(said)).map(str::to_owned);
    }
    let own = known(object.value.at(&["metadata", "name"]))?;
    let name = match target {
        Some(target) => format!("{}-{own}", known(Some(target))?),
        None => own.to_owned(),
    };
    (name.len() <= MAX_NAME).then_some(name)
}

fn last_word(path: &str) -> &str {
    path.trim_end_matches('/').rsplit('/').next().unwrap_or(path)
}
