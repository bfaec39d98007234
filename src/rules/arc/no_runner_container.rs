//! No container is called `runner`, so none gets the token.

use crate::rule::Checker;
use crate::values::Value;
use crate::view::{ContainerMode, Pod, PodRole};

pub(crate) fn check(pod: &Pod<'_>, checker: &mut Checker<'_>) {
    let Some(list) = pod.spec.get("containers").filter(|_| pod.role == PodRole::Runner && pod.legacy().is_none())
    else {
        return;
    };
    let Some(items) = list.as_list() else { return };
    if let Some(meant) = pod.misnamed_runner() {
        let (name, effect) = (meant.name, "the chart had to add an empty one, without an image");
        let message = format!("no container but the chart's is called `runner` (there is `{name}`): {effect}");
        checker.report_value(list, message).fault_in(pod, "runner").help(HELP);
        return;
    }
    let name = |item: &Value| item.get("name").map(|name| (name.is_unknown(), name.as_str().map(str::to_owned)));
    let names: Vec<_> = items.iter().map(name).collect();
    let unknown =
        items.iter().any(|item| item.as_map().is_none()) || names.iter().flatten().any(|(unknown, _)| *unknown);
    let known: Vec<_> = names.into_iter().flatten().filter_map(|(_, name)| name).collect();
    if unknown || known.iter().any(|name| name == "runner") {
        return;
    }
    let effect = match pod.mode_to_expand() {
        ContainerMode::Dind | ContainerMode::Kubernetes | ContainerMode::KubernetesNoVolume => {
            "the chart adds an empty one without an image"
        }
        ContainerMode::Unset | ContainerMode::Unknown => "none gets the token to register with",
    };
    let (called, help) = match known.as_slice() {
        [] if items.is_empty() => ("the list is empty".to_owned(), EMPTY_HELP),
        [] => ("none has a name".to_owned(), NAMELESS_HELP),
        names => {
            let names: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
            (format!("there is {}", names.join(", ")), HELP)
        }
    };
    let message = format!("no container is called `runner` ({called}): {effect}");
    checker.report_first(pod.trail(&["containers"]).into_iter().rev(), message).fault_in(pod, "runner").help(help);
}

const HELP: &str = "rename the container that runs jobs to `runner`";
const EMPTY_HELP: &str = "leave the list out, or write a whole container `runner` with `image` and `command`";
const NAMELESS_HELP: &str =
    "write a whole container `runner`, with `image` and `command`: the list replaces the chart's";
