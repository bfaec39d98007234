//! The runner container has an image but nothing that starts the runner.

use crate::diagnostic::Severity;
use crate::rule::Checker;
use crate::view::Pod;

pub(crate) fn check(pod: &Pod<'_>, checker: &mut Checker<'_>) {
    // Images of legacy runners start the runner by themselves.
    let Some(runner) = pod.runner().filter(|_| pod.legacy().is_none() && !pod.is_windows()) else { return };
    let Some(image) = runner.image_ref() else { return };
    if !runner.command().is_absent() || !runner.args().is_absent() || image.name().contains("windows") {
        return;
    }
    let official = image.name() == "actions-runner";
    let earlier = pod.earlier(&runner);
    let emptied = pod.emptied(&runner, "command");
    let why = match emptied.and_then(|value| pod.layer(value)) {
        Some(layer) => format!(": `{}` takes it away", layer.name),
        None if earlier.is_empty() => String::new(),
        None => ": the restated list replaces the whole item".to_owned(),
    };
    let message = match official {
        true => format!("container `runner` has no `command`{why}, and `{}` starts nothing by itself", image.name()),
        false => {
            format!("container `runner` has no `command`{why}: does `{}` start the runner by itself?", image.name())
        }
    };
    let mut places: Vec<_> = emptied.into_iter().chain([runner.value]).collect();
    places.extend(pod.trail(&["containers"]).into_iter().rev());
    let mut finding = checker.report_first(places, message);
    let set = earlier.iter().find_map(|item| item.get("command"));
    finding
        .related(set.and_then(|value| value.origin.node), "`command` was set here")
        .fault_in(pod, runner.name)
        .help("add `command: [\"/home/runner/run.sh\"]` to the item");
    if !official {
        finding.diagnostic.lower_to(Severity::Info);
    } else if pod.chart_is_newer_than_known() {
        // A change that fills the defaults in again was proposed upstream.
        finding.diagnostic.lower_to(Severity::Warning);
    }
}
