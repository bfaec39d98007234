//! The runner is made to run as root, and not allowed to.

use crate::diagnostic::Severity;
use crate::rule::Checker;
use crate::view::{Field, Pod, PodContainer};

const ALLOW: &str = "RUNNER_ALLOW_RUNASROOT";

pub(crate) fn check(pod: &Pod<'_>, checker: &mut Checker<'_>) {
    // The scripts in legacy images have ways of their own.
    let Some(runner) = pod.runner().filter(|_| pod.legacy().is_none() && !pod.is_windows()) else { return };
    let Field::Present(0.0, user) = pod.run_as_user(&runner) else { return };
    let allowed = match runner.env_value(ALLOW) {
        Field::Absent => runner.may_inherit_env(),
        Field::Present(value, _) => !value.is_empty(),
        Field::WrongShape(_) | Field::Unknown(_) => true,
    };
    if allowed || runner.image_ref().is_none() || !starts_run_sh(&runner) {
        return;
    }
    let message = format!("container `runner` runs as root, which the runner refuses without `{ALLOW}`");
    let mut finding = checker.report_first(runner.places(pod, [user]), message);
    let earlier = pod.earlier(&runner);
    let set = earlier.iter().find_map(|item| item.env(ALLOW)?.get("name"));
    finding
        .related(set.and_then(|name| name.origin.node), "a list that was replaced set it here")
        .fault_in(pod, runner.name)
        .help(match pod.mode_that_takes_little() {
            Some(_) => {
                format!("add `{ALLOW}: \"1\"` to `{}`, or leave `runAsUser` to the image", pod.home.shown("runner.env"))
            }
            None => format!("add `{ALLOW}: \"1\"` to `env` of the container, or leave `runAsUser` to the image"),
        });
    if !runner.is_official_runner() {
        // The variable may be set in the image.
        finding.diagnostic.lower_to(Severity::Info);
    }
}

/// Whether the container starts the runner itself, rather than a script that may do other things first.
fn starts_run_sh(runner: &PodContainer<'_>) -> bool {
    runner.words().next().is_none_or(|word| word.rsplit('/').next() == Some("run.sh"))
}
