//! The runner's hooks are set up without the variables that make them work.

use crate::diagnostic::Severity;
use crate::rule::Checker;
use crate::values::Value;
use crate::view::{ContainerMode, Field, Pod, PodContainer, hooks};

pub(crate) fn check(pod: &Pod<'_>, checker: &mut Checker<'_>) {
    // A word that the chart does not know is a fault of its own.
    let mode = pod.home.value().and_then(|values| values.at(&["containerMode", "type"]));
    let is_by_hand = pod.mode_to_expand() == ContainerMode::Unset && mode.is_none_or(Value::is_empty);
    if !is_by_hand || pod.container_mode() == ContainerMode::Dind || pod.legacy().is_some() {
        return;
    }
    let Some(runner) = pod.runner().filter(|runner| !runner.may_inherit_env()) else { return };
    let Some((missing, needed_by, effect)) = missing(pod, &runner) else { return };
    let message = format!("`{missing}` is not set in container `runner`: {effect}");
    let places = runner.places(pod, runner.get("env"));
    let mut finding = checker.report_first(pod.home.users_first(places), message);
    finding
        .related(needed_by.get("name").and_then(|name| name.origin.node), "needed by this variable")
        .fault_in(pod, &format!("{}.env {missing}", runner.name))
        .help(help(pod));
    if !runner.is_official_runner() {
        // The variable may be set in the image.
        finding.diagnostic.lower_to(Severity::Info);
    }
}

fn help(pod: &Pod<'_>) -> String {
    format!(
        "set `{}: kubernetes`, and the chart adds all of them; or write out \
         `ACTIONS_RUNNER_CONTAINER_HOOKS: /home/runner/k8s/index.js` and `ACTIONS_RUNNER_POD_NAME`",
        pod.home.called("containerMode.type")
    )
}

/// The variable that is missing, the one that needs it, and what follows.
fn missing<'a>(pod: &Pod<'_>, runner: &PodContainer<'a>) -> Option<(&'static str, &'a Value, &'static str)> {
    if let Some(script) = runner.env(hooks::SCRIPT) {
        let is_of_kubernetes = runner.env_value(hooks::SCRIPT).known().is_some_and(|path| path.contains("k8s"));
        let lacks_name = is_of_kubernetes && runner.env(hooks::POD_NAME).is_none();
        return lacks_name.then_some((hooks::POD_NAME, script, "the hooks cannot find the pod that they run in"));
    }
    if let Some(template) = runner.env(hooks::TEMPLATE) {
        return Some((
            hooks::SCRIPT,
            template,
            "nothing reads the template, and jobs with a container look for Docker",
        ));
    }
    let requires = runner.env(hooks::REQUIRE_JOB_CONTAINER)?;
    let is_required = matches!(runner.env_value(hooks::REQUIRE_JOB_CONTAINER), Field::Present("true", _));
    // With Docker, jobs can be made to have a container too.
    let has_docker = runner.env("DOCKER_HOST").is_some() || pod.containers().iter().any(PodContainer::runs_dockerd);
    (is_required && !has_docker).then_some((
        hooks::SCRIPT,
        requires,
        "every job needs a container, and finds no Docker",
    ))
}
