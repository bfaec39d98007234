//! A pinned runner version will soon get no more jobs.

use crate::rule::Checker;
use crate::view::{Field, Github, Pod};

pub(crate) fn check(pod: &Pod<'_>, checker: &mut Checker<'_>) {
    let Some(runner) = pod.runner().filter(|_| pod.updates_itself() == Some(false)) else { return };
    let Field::Present(_, image) = runner.image() else { return };
    let version = runner.image_ref().and_then(|image| image.runner_version());
    let facts = checker.facts();
    let Some(release) = version.and_then(|version| facts.releases.find(&version)) else { return };
    let judged = matches!(pod.github(), Github::Com | Github::DataResidency);
    let today = facts.as_of;
    // Before the next release nothing is superseded.
    let days = checker.option("days").max(0);
    let (Some(from), Some(ends), Some((next, since))) =
        (release.superseded_for(days), release.ends_on(), release.next.as_ref())
    else {
        return;
    };
    if !judged || today < from || today >= ends {
        return;
    }
    let message = format!(
        "runner {} will be refused jobs from {ends} on: {next} came out on {since} ({})",
        release.version, facts.releases
    );
    let mut finding = checker.report_value(image, message);
    finding.fault_in(pod, runner.name).help("pin a newer version, and let a bot keep it fresh");
}
