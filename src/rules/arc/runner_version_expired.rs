//! A pinned runner version no longer gets jobs.

use jiff::civil::Date;

use crate::knowledge::runner_release::{FLOOR_ON_GHE_COM, FLOOR_ON_GITHUB_COM, REGISTRATION_FLOOR, RunnerRelease};
use crate::rule::Checker;
use crate::view::{Field, Github, Pod};

pub(crate) fn check(pod: &Pod<'_>, checker: &mut Checker<'_>) {
    let Some(runner) = pod.runner() else { return };
    let Field::Present(_, image) = runner.image() else { return };
    let facts = checker.facts();
    // A version that is not known is newer than what is known, or none of GitHub's.
    let Some(release) = runner.image_ref().and_then(|image| facts.releases.find(&image.runner_version()?)) else {
        return;
    };
    let Some(reason) = reason(pod, release, facts.as_of) else { return };
    let message = format!("runner {} {reason} ({})", release.version, facts.releases);
    let mut finding = checker.report_value(image, message);
    finding.fault_in(pod, runner.name).help(help(pod));
}

fn reason(pod: &Pod<'_>, release: &RunnerRelease, today: Date) -> Option<String> {
    let floor = match pod.github() {
        Github::Com => FLOOR_ON_GITHUB_COM,
        Github::DataResidency => FLOOR_ON_GHE_COM,
        Github::Server | Github::Unknown => return None,
    };
    if release.version < REGISTRATION_FLOOR && today >= floor {
        return Some(format!(
            "has been refused registration since {floor}: the oldest accepted is {REGISTRATION_FLOOR}"
        ));
    }
    let ends = release.ends_on().filter(|ends| today >= *ends && pod.updates_itself() == Some(false))?;
    let (next, since) = release.next.as_ref()?;
    Some(format!("has been refused jobs since {ends}: {next} came out on {since}"))
}

fn help(pod: &Pod<'_>) -> String {
    let mut help = "pin a newer version, and let a bot keep it fresh".to_owned();
    let affected = |version: &semver::Version| (version.major, version.minor) == (0, 14) && version.patch <= 2;
    let chart = pod.chart().filter(|chart| chart.chart.is_scale_set());
    if let Some(version) = chart.and_then(|chart| chart.version).filter(affected) {
        help.push_str(&format!(
            "; controllers of {version} do not recover by themselves from runners that are refused"
        ));
    }
    help
}
