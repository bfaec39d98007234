//! Controllers of scale sets in view.

use semver::Version;

use super::{Field, Fleet, Image, Object, Release};
use crate::knowledge::Chart;
use crate::values::Value;

/// From this version on the charts call their objects by a shorter name.
const SHORT_NAMES: Version = Version::new(0, 5, 0);
const BASE_NAME: &str = "gha-rs-controller";

/// A controller of scale sets: a Deployment, or a release of its chart.
#[derive(Debug, Clone)]
pub struct Controller<'a> {
    /// The version that it compares scale sets with.
    pub version: Option<Version>,
    /// Where the version stands, else the controller itself.
    pub version_at: &'a Value,
    /// Its service account.
    pub account: Option<String>,
    /// Where the account's name stands, else the controller itself.
    pub account_at: &'a Value,
    /// Its namespace.
    pub namespace: Option<&'a str>,
    /// The Deployment or release.
    pub value: &'a Value,
}

impl<'a> Controller<'a> {
    fn of_object(object: &Object<'a>) -> Option<Self> {
        let part_of = object.label("app.kubernetes.io/part-of")?;
        let is_ours = [BASE_NAME, Chart::GhaRunnerScaleSetController.name()].contains(&part_of);
        if object.kind != "Deployment" || !is_ours {
            return None;
        }
        let value = object.value;
        let spec = value.at(&["spec", "template", "spec"])?;
        let manager = spec.get("containers").into_iter().flat_map(Value::items).find(|item| is_manager(item));
        let image = manager.and_then(|manager| manager.get("image"));
        let (version, version_at) = version(image, object);
        let account = spec.get("serviceAccountName");
        Some(Self {
            version,
            version_at: version_at.unwrap_or(value),
            account: Field::of(account, Value::as_str).known().map(str::to_owned),
            account_at: account.unwrap_or(value),
            namespace: object.namespace,
            value,
        })
    }

    fn of_release(release: &Release<'a>) -> Option<Self> {
        use Chart::{GhaRunnerScaleSetController, GhaRunnerScaleSetControllerExperimental};
        if !matches!(release.chart, Some(GhaRunnerScaleSetController | GhaRunnerScaleSetControllerExperimental)) {
            return None;
        }
        let value = release.value()?;
        let values = release.values.or(release.merged);
        let tag = values.and_then(|values| values.at(&["image", "tag"]));
        let tag = tag.filter(|tag| !tag.is_empty());
        // The image says which version is compiled into it.
        let version = match tag {
            Some(tag) => tag.as_str().and_then(of_tag),
            // There the image is `latest` by default, whatever the chart's version.
            None if release.chart == Some(GhaRunnerScaleSetControllerExperimental) => None,
            None => release.version.clone(),
        };
        Some(Self {
            version,
            version_at: tag.or(release.version_at).unwrap_or(value),
            account: account(release),
            account_at: release.setting(&["serviceAccount", "name"], Value::as_str).value().unwrap_or(value),
            namespace: release.target_namespace(),
            value,
        })
    }
}

fn is_manager(container: &Value) -> bool {
    container.get("name").and_then(Value::as_str) == Some("manager")
}

/// The version in the image's tag; where there is none, that of the chart's label.
fn version<'a>(image: Option<&'a Value>, object: &Object<'a>) -> (Option<Version>, Option<&'a Value>) {
    let reference = image.and_then(Value::as_str).and_then(Image::parse);
    if let Some(tag) = reference.and_then(|reference| reference.tag) {
        return (of_tag(tag), image);
    }
    let is_hidden = image.is_some_and(Value::is_unknown);
    object.chart_version().filter(|_| !is_hidden).unzip()
}

fn of_tag(tag: &str) -> Option<Version> {
    Version::parse(tag.strip_prefix('v').unwrap_or(tag)).ok()
}

/// The account that the chart makes or is told to use; none where a value or the release's name is not known.
fn account(release: &Release<'_>) -> Option<String> {
    let is_readable = release.chart == Some(Chart::GhaRunnerScaleSetController)
        && release.version.as_ref().is_none_or(|version| *version >= SHORT_NAMES);
    let text = |path: &[&str]| match release.setting(path, Value::as_str) {
        Field::Present(text, _) => Some(text),
        Field::Absent => Some(""),
        Field::WrongShape(_) | Field::Unknown(_) => None,
    };
    let (said, whole, short) =
        (text(&["serviceAccount", "name"])?, text(&["fullnameOverride"])?, text(&["nameOverride"])?);
    let creates = release.setting(&["serviceAccount", "create"], Value::as_bool);
    if !is_readable || matches!(creates, Field::WrongShape(_) | Field::Unknown(_)) {
        return None;
    }
    if !said.is_empty() || creates.known() == Some(false) {
        return Some(said.to_owned()).filter(|name| !name.is_empty());
    }
    if !whole.is_empty() {
        return Some(cut(whole));
    }
    let (release, base) = (release.name.as_deref()?, if short.is_empty() { BASE_NAME } else { short });
    Some(if release.contains(base) { cut(release) } else { cut(&format!("{release}-{base}")) })
}

/// A name as the chart cuts it.
fn cut(name: &str) -> String {
    name.chars().take(63).collect::<String>().trim_end_matches('-').to_owned()
}

impl<'a> Fleet<'a> {
    /// All controllers of scale sets.
    pub fn controllers(&self) -> Vec<Controller<'a>> {
        let objects = self.objects.iter().filter_map(Controller::of_object);
        objects.chain(self.releases().iter().filter_map(Controller::of_release)).collect()
    }
}
