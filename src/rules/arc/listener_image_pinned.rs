//! The listener runs another version than its scale set's chart.

use semver::Version;

use crate::rule::Checker;
use crate::view::{Field, Image, Pod};

/// The image of the controller and of the listeners that it starts; mirrors keep the name.
const IMAGE: &str = "gha-runner-scale-set-controller";

pub(crate) fn check(pod: &Pod<'_>, checker: &mut Checker<'_>) {
    let Some(listener) = pod.listener() else { return };
    let Field::Present(_, image) = listener.image() else { return };
    let own = listener.image_ref().filter(|image| image.name().ends_with(IMAGE));
    let Some(pinned) = own.as_ref().and_then(Image::tag_version) else { return };
    let Some(chart) = pod.chart().and_then(|chart| chart.version) else { return };
    if release(&pinned) == release(&chart) {
        return;
    }
    let message = format!("the listener is pinned to {pinned}, while the chart is {chart}");
    checker.report_value(image, message).fault_in(pod, listener.name).help(
        "drop `image`: the controller starts listeners from its own image, which comes with its chart; \
         for a mirror set `image.repository` of the controller's chart",
    );
}

/// Charts that somebody patched say so behind the numbers.
fn release(version: &Version) -> (u64, u64, u64) {
    (version.major, version.minor, version.patch)
}
