//! The runner of a scale set has an image that is made for legacy runners.

use crate::diagnostic::Severity;
use crate::rule::Checker;
use crate::view::{Field, Image, Pod, is_templated};

/// Where the legacy images keep the agent.
const LEGACY_HOME: &str = "/runnertmp";

pub(crate) fn check(pod: &Pod<'_>, checker: &mut Checker<'_>) {
    let Some(runner) = pod.runner().filter(|_| pod.legacy().is_none()) else { return };
    let (Field::Present(_, at), Some(image)) = (runner.image(), runner.image_ref()) else { return };
    if !is_legacy(&image) || runner.words().any(|word| word.contains(LEGACY_HOME) || is_templated(word)) {
        return;
    }
    let own_command = match runner.command() {
        Field::Absent => false,
        Field::Present(..) => runner.words().next() != Some("/home/runner/run.sh"),
        Field::WrongShape(_) | Field::Unknown(_) => return,
    };
    let message = format!(
        "`{}` is an image for legacy runners: it registers by itself, and has no agent in `/home/runner`",
        image.repository
    );
    let mut finding = checker.report_value(at, message);
    finding.fault_in(pod, runner.name).help(if image.name().contains("dind") {
        format!(
            "use `ghcr.io/actions/actions-runner`, with `{}: dind` for Docker",
            pod.home.called("containerMode.type")
        )
    } else {
        "use `ghcr.io/actions/actions-runner`, or an image that is built from it".to_owned()
    });
    if own_command {
        finding.diagnostic.lower_to(Severity::Warning);
    }
}

fn is_legacy(image: &Image<'_>) -> bool {
    let starts = |owner: &str| image.repository.starts_with(owner);
    (image.is_of_docker_hub() && starts("summerwind/"))
        || (image.registry == Some("ghcr.io") && starts("actions-runner-controller/"))
}
