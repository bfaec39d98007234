//! A pinned runner version will soon get no more jobs.

use crate::knowledge::runner_release;
use crate::rule::Checker;
use crate::view::{Field, Github, Pod};

pub(crate) fn check(pod: &Pod<'_>, checker: &mut Checker<'_>) {
    let Some(runner) = pod.runner().filter(|_| pod.updates_itself() == Some(false)) else { return };
    let Field::Present(_, image) = runner.image() else { return };
    let version = runner.image_ref().and_then(|image| image.runner_version());
    let Some(release) = version.and_then(|version| runner_release::find(&version)) else { return };
    let judged = matches!(pod.github(), Github::Com | Github::DataResidency);
    let today = checker.facts().as_of;
    let days = checker.option("days");
    let (Some(from), Some(ends), Some((next, since))) =
        (release.superseded_for(days), release.ends_on(), release.next.as_ref())
    else {
        return;
    };
    if !judged || today < from || today >= ends {
        return;
    }
    let mut message =
        format!("runner {} will be refused jobs from {ends} on: {next} came out on {since}", release.version);
    if let Some(date) = runner_release::data_date() {
        message.push_str(&format!(" (releases known up to {date})"));
    }
    let mut finding = checker.report_value(image, message);
    finding.fault_in(pod, runner.name).help("pin a newer version, and let a bot keep it fresh");
}
