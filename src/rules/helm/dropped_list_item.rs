//! A restated list of a pod lacks items that an earlier layer had.

use crate::diagnostic::Severity;
use crate::rule::Checker;
use crate::values::{Layer, Role, Value};
use crate::view::{ListKind, Restated, Stack};

pub(crate) fn check(stack: &Stack<'_>, checker: &mut Checker<'_>) {
    for list in stack.restated().iter().filter(|list| list.is_known()) {
        let mut lost = list.lost_items();
        if stack.is_runner_list(list) {
            // Its own rule says that the runner is gone.
            lost.retain(|item| item.get("name").and_then(Value::as_str) != Some("runner"));
        }
        if !lost.is_empty() {
            report(stack, list, &lost, checker);
        }
    }
}

fn report(stack: &Stack<'_>, list: &Restated<'_>, lost: &[&Value], checker: &mut Checker<'_>) {
    let layer = stack.merged.layer(list.list.origin.layer);
    // What a chart does to its own subcharts is not the user's to mend, unless it is the user's chart.
    if !checker.is_in_file(list.list) && layer.is_none_or(|layer| layer.role == Role::ChartDefault) {
        return;
    }
    let names: Vec<_> =
        lost.iter().filter_map(|item| list.kind.name(item)).map(|name| format!("`{}`", shortened(&name))).collect();
    let message = format!("`{}` loses {}{}", list.path.join("."), names.join(", "), how(layer));
    let places = std::iter::once(list.list).chain(lost.iter().copied());
    let mut finding = checker.report_first(places, message);
    for item in lost {
        let name = list.kind.name(item).map_or_else(String::new, |name| format!("`{name}` "));
        finding.related(item.origin.node, format!("{name}was set here"));
    }
    finding.help("restate what is missing, or set the list to `[]` if nothing of it is wanted");
    finding.diagnostic.lower_to(level(stack, list, lost));
}

/// By what the list was restated, if the place does not say so by itself.
fn how(layer: Option<&Layer>) -> String {
    match layer.filter(|layer| layer.role == Role::Flag) {
        Some(flag) => format!(" when `{}` restates the list", flag.name),
        None => " when the list is restated".to_owned(),
    }
}

/// Scripts are named by their beginning.
fn shortened(name: &str) -> String {
    let line = name.lines().next().unwrap_or_default();
    match line.char_indices().nth(60) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or(line)),
        None if line.len() < name.len() => format!("{line}…"),
        None => line.to_owned(),
    }
}

fn level(stack: &Stack<'_>, list: &Restated<'_>, lost: &[&Value]) -> Severity {
    let siblings: Vec<_> = stack.siblings.iter().filter_map(|merged| list.in_sibling(&merged.values)).collect();
    let in_sibling = |item: &&Value| siblings.iter().any(|sibling| list.is_in(item, sibling));
    let kept = list.count_earlier().saturating_sub(lost.len());
    let half = kept >= lost.len();
    let likely = match list.kind {
        ListKind::Tolerations => kept > 0 && chooses_nodes(list.around),
        ListKind::Env => half && lost.iter().any(|item| is_secret(item) || in_sibling(item)),
        ListKind::Volumes => lost.iter().any(|item| is_mounted(item, list.around) || half && in_sibling(item)),
        ListKind::Mounts => half && lost.iter().any(in_sibling),
        ListKind::Containers | ListKind::EnvFrom | ListKind::Words => false,
    };
    // What every overlay leaves out is meant.
    let nowhere = siblings.len() > 1 && !lost.iter().any(in_sibling);
    if likely && !nowhere { Severity::Warning } else { Severity::Info }
}

/// Whether the pod asks for certain nodes, which the lost toleration may have been for.
fn chooses_nodes(spec: &Value) -> bool {
    let selector = spec.get("nodeSelector").is_some_and(|selector| selector.entries().next().is_some());
    let required = ["affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution"];
    selector || spec.at(&required).is_some_and(|required| !required.is_null())
}

fn is_secret(item: &Value) -> bool {
    item.at(&["valueFrom", "secretKeyRef"]).is_some()
}

/// Whether a container of the pod still mounts a volume.
fn is_mounted(volume: &Value, spec: &Value) -> bool {
    let name = volume.get("name").and_then(Value::as_str);
    let containers = ["containers", "initContainers"].into_iter().filter_map(|key| spec.get(key));
    let mounts = containers.flat_map(Value::items).filter_map(|container| container.get("volumeMounts"));
    mounts.flat_map(Value::items).any(|mount| mount.get("name").and_then(Value::as_str) == name)
}
