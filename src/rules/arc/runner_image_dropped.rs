//! The runner container has no image, so its pod is refused.

use crate::diagnostic::Severity;
use crate::rule::Checker;
use crate::view::{ContainerMode, Pod};

pub(crate) fn check(pod: &Pod<'_>, checker: &mut Checker<'_>) {
    // Legacy runners fall back to the controller's own image.
    let Some(runner) = pod.runner().filter(|runner| runner.image().is_absent() && pod.legacy().is_none()) else {
        return;
    };
    if pod.misnamed_runner().is_some() {
        return;
    }
    let earlier = pod.earlier(&runner);
    let no_command = runner.command().is_absent() && runner.args().is_absent();
    let lost = if no_command { "no `image` and no `command`" } else { "no `image`" };
    let emptied = pod.emptied(&runner, "image");
    let why = match emptied.and_then(|value| pod.layer(value)) {
        Some(layer) => format!(": `{}` takes it away", layer.name),
        None if earlier.is_empty() => String::new(),
        None => ": the restated list replaces the whole item".to_owned(),
    };
    let also = match pod.mode_to_expand() {
        ContainerMode::Dind => ", and neither has the init container `init-dind-externals`, which takes the runner's",
        _ => "",
    };
    let mut places: Vec<_> = emptied.into_iter().chain([runner.value]).collect();
    places.extend(earlier.first().map(|item| item.value));
    places.extend(pod.trail(&["containers"]).into_iter().rev());
    let mut finding = checker.report_first(places, format!("container `runner` has {lost}{why}{also}"));
    for key in ["image", "command"].iter().take(if no_command { 2 } else { 1 }) {
        let set = earlier.iter().find_map(|item| item.get(key));
        finding.related(set.and_then(|value| value.origin.node), format!("`{key}` was set here"));
    }
    finding.fault_in(pod, runner.name).help(
        "restate the whole item: with `image`, and with `command: [\"/home/runner/run.sh\"]` for the official image",
    );
    if pod.chart_is_newer_than_known() {
        // A change that fills the defaults in again was proposed upstream.
        finding.diagnostic.lower_to(Severity::Warning);
    }
}
