//! `latest` is pulled once per node, so that every node keeps a runner of another age.

use crate::diagnostic::Severity;
use crate::rule::Checker;
use crate::syntax::NodeRef;
use crate::values::Value;
use crate::view::{Field, Github, Pod};

pub(crate) fn check(pod: &Pod<'_>, checker: &mut Checker<'_>) {
    let Some(container) = pod.runner().or_else(|| pod.listener()) else { return };
    let Field::Present(policy, at) = Field::of(container.get("imagePullPolicy"), Value::as_str) else { return };
    let Some(image) = container.image_ref().filter(|image| image.is_latest() && !image.is_local()) else { return };
    let consequence = match policy {
        "IfNotPresent" => "each node keeps the image that it pulled first",
        "Never" => "each node keeps the image that it was given",
        _ => return,
    };
    let tag = if image.tag.is_some() { "the tag `latest`" } else { "no tag, which means `latest`," };
    let message = format!("`{policy}` with {tag} in container `{}`: {consequence}", container.name);
    let written = container.image().value().and_then(|image| image.origin.node);
    if written.is_some_and(|image| is_set_by_a_flag(image, checker)) {
        return;
    }
    let mut finding = checker.report_value(at, message);
    finding
        .related(written, "this image changes with every release")
        .fault_in(pod, container.name)
        .help("set `imagePullPolicy: Always`, or pin a version and let a bot keep it fresh");
    // These do not lose their jobs by growing old.
    if pod.github() == Github::Server || pod.updates_itself() != Some(false) {
        finding.diagnostic.lower_to(Severity::Info);
    }
}

/// Whether a comment says that the image written here is not the one that is installed.
fn is_set_by_a_flag(image: NodeRef, checker: &Checker<'_>) -> bool {
    let Some(node) = checker.trees().node(image) else { return false };
    node.comments().any(|comment| comment.span.slice(&node.tree.text).contains("--set"))
}
