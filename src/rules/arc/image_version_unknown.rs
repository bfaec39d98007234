//! An image does not say which runner is in it, so that its end cannot be foreseen.

use semver::Version;

use crate::rule::Checker;
use crate::view::{Field, Github, Image, Pod};

/// The official image: `latest` is the newest release.
const OFFICIAL: &str = "actions/actions-runner";

pub(crate) fn check(pod: &Pod<'_>, checker: &mut Checker<'_>) {
    let Some(runner) = pod.runner().filter(|_| pod.updates_itself() == Some(false)) else { return };
    let (Field::Present(_, at), Some(image)) = (runner.image(), runner.image_ref()) else { return };
    let expires = matches!(pod.github(), Github::Com | Github::DataResidency);
    let is_newest = image.is_latest() && image.registry == Some("ghcr.io") && image.repository == OFFICIAL;
    if !expires || is_newest || says_version(&image) {
        return;
    }
    let what = match (image.tag, image.digest) {
        (Some(tag), _) => format!("the tag `{tag}` does not say"),
        (None, Some(_)) => "a digest alone does not say".to_owned(),
        (None, None) => "without a tag nothing says".to_owned(),
    };
    let message = format!("{what} which runner is in the image, so that its end cannot be checked");
    checker.report_value(at, message).fault_in(pod, runner.name).help(
        "put the version of the runner into the tag, as in `actions-runner:2.336.0`, and rebuild with each release",
    );
}

/// Whether a part of the tag looks like a release of the runner (2.159.0 was the first).
fn says_version(image: &Image<'_>) -> bool {
    let numbers = image.tag.unwrap_or_default().split(|c: char| !c.is_ascii_digit() && c != '.');
    let is_release = |version: Version| version.major == 2 && version.minor >= 159;
    numbers.filter_map(|number| Version::parse(number).ok()).any(is_release)
}
