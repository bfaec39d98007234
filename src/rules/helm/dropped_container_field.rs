//! A container that a later layer restated lacks fields that it had.

use crate::diagnostic::Severity;

use crate::rule::Checker;
use crate::values::{Role, Value};
use crate::view::{ContainerKind, Image, ListKind, LostField, PodContainer, Restated, Stack, is_templated};

pub(crate) fn check(stack: &Stack<'_>, checker: &mut Checker<'_>) {
    for list in stack.restated().iter().filter(|list| list.kind == ListKind::Containers && list.is_known()) {
        for item in list.list.items() {
            let mut lost = list.lost_fields(item);
            lost.retain_mut(|field| !is_covered(stack, list, item, field));
            report(stack, list, item, &lost, checker);
        }
    }
}

fn report(stack: &Stack<'_>, list: &Restated<'_>, item: &Value, lost: &[LostField<'_>], checker: &mut Checker<'_>) {
    let graded = lost.iter().filter_map(|field| Some((grade(stack, list, item, field)?, field)));
    let graded: Vec<_> = graded.collect();
    let Some(highest) = graded.iter().map(|(severity, _)| *severity).max() else { return };
    let layer = stack.merged.layer(item.origin.layer);
    // What a chart does to its own subcharts is not the user's to mend, unless it is the user's chart.
    if !checker.is_in_file(item) && layer.is_none_or(|layer| layer.role == Role::ChartDefault) {
        return;
    }
    let names: Vec<_> = graded.iter().map(|(_, field)| describe(field)).collect();
    let name = ListKind::Containers.name(item).unwrap_or_default();
    let how = match layer.filter(|layer| layer.role == Role::Flag) {
        Some(flag) => format!(" when `{}` restates the list", flag.name),
        None => " when the list is restated".to_owned(),
    };
    let message = format!("container `{name}` loses {}{how}", names.join(", "));
    let places = [item, list.list].into_iter().chain(graded.iter().map(|(_, field)| field.value));
    let mut finding = checker.report_first(places, message);
    for (_, field) in &graded {
        finding.related(field.value.origin.node, format!("`{}` was set here", field.path));
    }
    finding.help("restate what is missing, or set a field to `null` that is not wanted");
    finding.diagnostic.lower_to(highest);
}

fn describe(field: &LostField<'_>) -> String {
    let names = field.items.iter().filter_map(|item| field.kind?.name(item)).map(|name| format!("`{name}`"));
    let names: Vec<_> = names.collect();
    if names.is_empty() { format!("`{}`", field.path) } else { format!("`{}` ({})", field.path, names.join(", ")) }
}

/// How much a lost field is worth; none: nothing.
fn grade(stack: &Stack<'_>, list: &Restated<'_>, item: &Value, field: &LostField<'_>) -> Option<Severity> {
    match field.path.as_str() {
        // The controller brings the listener's image and command.
        "image" | "command" if is_listener(stack, list) => Some(Severity::Warning),
        "image" => Some(Severity::Error),
        "command" | "args" => grade_command(item, field),
        "env" | "envFrom" | "volumeMounts" | "securityContext" | "resources" | "livenessProbe" | "readinessProbe"
        | "startupProbe" | "restartPolicy" => Some(grade_by_evidence(stack, list, item, field)),
        // Defaults of Kubernetes are restated for show.
        "imagePullPolicy" | "terminationMessagePath" | "terminationMessagePolicy" => None,
        _ if field.value.as_bool() == Some(false) => None,
        _ => Some(Severity::Info),
    }
}

/// A command belongs to its image: with another image, another one (or none) is meant.
fn grade_command(item: &Value, field: &LostField<'_>) -> Option<Severity> {
    let given = |key: &str| item.get(key).is_some_and(|value| value.as_list().is_none_or(|words| !words.is_empty()));
    if given("command") || given("args") {
        return None;
    }
    let name = |value: &Value| {
        let image = Image::parse(value.get("image")?.as_str()?)?;
        Some((image.registry.map(str::to_owned), image.repository.to_owned()))
    };
    match (name(item), name(field.of)) {
        (None, _) if item.get("image").is_none() => Some(Severity::Error),
        (Some(now), Some(then)) if now == then => Some(Severity::Error),
        _ => Some(Severity::Info),
    }
}

/// A copy that kept something shows that the rest was forgotten; so does what the pod still refers to,
/// and what another overlay did not forget.
fn grade_by_evidence(stack: &Stack<'_>, list: &Restated<'_>, item: &Value, field: &LostField<'_>) -> Severity {
    let kept =
        |(key, value): (&str, &Value)| key != "name" && item.get(key).is_some_and(|now| now.says_the_same_as(value));
    let is_copy = field.of.entries().any(kept);
    let siblings = stack.siblings.iter().filter_map(|merged| list.in_sibling(&merged.values));
    let same_name = |sibling: &&Value| ListKind::Containers.name(sibling) == ListKind::Containers.name(item);
    let siblings: Vec<_> = siblings.filter_map(|sibling| sibling.items().find(same_name)).collect();
    let in_sibling = siblings.iter().any(|sibling| has(sibling, field));
    // What every overlay leaves out is meant.
    let nowhere = siblings.len() > 1 && !in_sibling;
    match (is_copy || is_referred_to(list, field) || in_sibling) && !nowhere && !field.path.contains('.') {
        true => Severity::Warning,
        false => Severity::Info,
    }
}

/// Whether a container has a field, or for a list one of the items that are gone.
fn has(container: &Value, field: &LostField<'_>) -> bool {
    let path: Vec<_> = field.path.split('.').collect();
    let Some(value) = container.at(&path) else { return false };
    let Some(kind) = field.kind else { return true };
    field.items.iter().any(|lost| value.items().any(|kept| kind.name(kept) == kind.name(lost)))
}

/// Whether the pod still has the volume of a lost mount, or the daemon that a lost `DOCKER_HOST` led to.
fn is_referred_to(list: &Restated<'_>, field: &LostField<'_>) -> bool {
    let text = |item: &Value, key: &str| item.get(key).and_then(Value::as_str).map(str::to_owned);
    let mut names = field.items.iter().filter_map(|item| text(item, "name"));
    match field.path.as_str() {
        "volumeMounts" => {
            let volumes = list.around.get("volumes");
            names.any(|name| {
                volumes.is_some_and(|volumes| volumes.items().any(|item| text(item, "name").as_ref() == Some(&name)))
            })
        }
        "env" => {
            let containers = list.list.items().filter_map(|item| PodContainer::of_item(ContainerKind::Main, item));
            names.any(|name| name == "DOCKER_HOST") && containers.into_iter().any(|container| container.runs_dockerd())
        }
        _ => false,
    }
}

fn is_listener(stack: &Stack<'_>, list: &Restated<'_>) -> bool {
    stack.part_at(&list.path).is_some_and(|(part, rest)| {
        part.chart.chart.is_scale_set() && rest.starts_with(&part.own_path(&["listenerTemplate"]))
    })
}

/// Whether another rule says it, or the chart adds it again.
fn is_covered(stack: &Stack<'_>, list: &Restated<'_>, item: &Value, field: &mut LostField<'_>) -> bool {
    if !stack.is_runner_list(list) {
        return false;
    }
    let Some((part, _)) = stack.part_at(&list.path) else { return false };
    let mode = part.values.at(&["containerMode", "type"]).and_then(Value::as_str).unwrap_or_default();
    // A mode that is not known may be any.
    let modes = if is_templated(mode) { vec!["dind", "kubernetes"] } else { vec![mode] };
    match ListKind::Containers.name(item).as_deref() {
        Some("dind") => modes.contains(&"dind"),
        Some("runner") if matches!(field.path.as_str(), "image" | "command") => true,
        Some("runner") => {
            let had = field.items.len();
            field.items.retain(|item| !modes.iter().any(|mode| is_added_again(mode, &field.path, item)));
            had > 0 && field.items.is_empty()
        }
        _ => false,
    }
}

/// What the chart adds to the runner in a mode, whatever the values say.
fn is_added_again(mode: &str, path: &str, item: &Value) -> bool {
    let name = item.get("name").and_then(Value::as_str).unwrap_or_default();
    match (mode, path) {
        ("dind", "env") => matches!(name, "DOCKER_HOST" | "RUNNER_WAIT_FOR_DOCKER_IN_SECONDS"),
        ("dind", "volumeMounts") => matches!(name, "work" | "dind-sock"),
        ("kubernetes" | "kubernetes-novolume", "env") => matches!(
            name,
            "ACTIONS_RUNNER_CONTAINER_HOOKS" | "ACTIONS_RUNNER_POD_NAME" | "ACTIONS_RUNNER_REQUIRE_JOB_CONTAINER"
        ),
        ("kubernetes", "volumeMounts") => name == "work",
        _ => false,
    }
}
