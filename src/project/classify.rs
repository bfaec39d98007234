//! What a file is to us: by its content, then by its name.

use std::path::Path;

use super::FileKind;
use super::discover::{has_extension, is_values_name};
use crate::knowledge::Chart;
use crate::syntax::{Language, Node, Tree};
use crate::values::Value;
use crate::view::entry_of;

/// The kind of a file that was parsed. `value` is its first document, where it is a map of no Kubernetes object.
pub(super) fn classify(path: &Path, tree: &Tree, value: Option<&Value>) -> FileKind {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    if tree.language == Language::Toml {
        return runner_config(tree);
    }
    if matches!(name.as_str(), "Chart.yaml" | "Chart.yml" | "requirements.yaml" | "Chart.lock") {
        return FileKind::Chart;
    }
    if name.ends_with(".gitlab-ci.yml") || name.ends_with(".gitlab-ci.yaml") {
        return FileKind::Pipeline;
    }
    if is_below(path, &[".github", "workflows"]) {
        return FileKind::Workflow;
    }
    if tree.roots().any(is_object) {
        return FileKind::Manifest;
    }
    if tree.root().is_some_and(is_workflow) {
        return FileKind::Workflow;
    }
    if is_below(path, &[".gitlab"]) && tree.root().is_some_and(has_jobs) {
        return FileKind::Pipeline;
    }
    if value.is_some_and(|value| !recognise(value).is_empty()) || is_values_name(path) {
        return FileKind::Values;
    }
    if tree.errors.is_empty() { FileKind::Other } else { classify_broken(&tree.text) }
}

/// What a text that does not parse was meant to be, by the keys that begin its lines: what is broken must not look clean.
fn classify_broken(text: &str) -> FileKind {
    let has = |key: &str| text.lines().any(|line| line.strip_prefix(key).is_some_and(|rest| rest.starts_with(':')));
    if has("apiVersion") && has("kind") {
        FileKind::Manifest
    } else if ["githubConfigUrl", "githubConfigSecret", "gitlabUrl"].into_iter().any(has) {
        FileKind::Values
    } else {
        FileKind::Other
    }
}

/// Known charts whose marks values hold, with the keys that lead to them: the top itself, or blocks of an umbrella chart.
pub(super) fn recognise(values: &Value) -> Vec<(Chart, Vec<String>)> {
    if let Some(chart) = Chart::recognise(values) {
        return vec![(chart, Vec::new())];
    }
    let blocks = values.entries().filter(|(key, _)| *key != "global");
    blocks.filter_map(|(key, block)| Some((Chart::recognise(block)?, vec![key.to_owned()]))).collect()
}

fn runner_config(tree: &Tree) -> FileKind {
    // One table instead of `[[runners]]` is a slip; what else it may be does not have such a key.
    let is_meant = |root: Node<'_>, runners: Node<'_>| {
        runners.kind().is_seq()
            || (runners.kind().is_map()
                && (entry_of(runners, "executor").is_some() || entry_of(root, "concurrent").is_some()))
    };
    let runners = |root: Node<'_>| entry_of(root, "runners").is_some_and(|found| is_meant(root, found));
    if tree.root().is_some_and(runners) || tree.text.to_ascii_lowercase().contains("[[runners]]") {
        FileKind::RunnerConfig
    } else {
        FileKind::Other
    }
}

/// Whether a document is a Kubernetes object.
pub(super) fn is_object(root: Node<'_>) -> bool {
    root.get("apiVersion").is_some_and(|node| node.kind().is_scalar())
        && root.get("kind").is_some_and(|node| node.kind().is_scalar())
}

fn has_jobs(root: Node<'_>) -> bool {
    root.entries().any(|(_, job)| job.get("script").is_some() || job.get("trigger").is_some())
}

/// Whether a document is a workflow, wherever it lies: a workflow has triggers and jobs with steps.
fn is_workflow(root: Node<'_>) -> bool {
    let is_job = |job: Node<'_>| job.get("runs-on").is_some() || job.get("uses").is_some();
    root.get("on").is_some() && root.get("jobs").is_some_and(|jobs| jobs.entries().any(|(_, job)| is_job(job)))
}

/// Whether a file lies in a folder of these names, one in the other.
fn is_below(path: &Path, folders: &[&str]) -> bool {
    let parts: Vec<_> = path.parent().into_iter().flat_map(Path::components).map(|part| part.as_os_str()).collect();
    parts.windows(folders.len()).any(|window| window.iter().zip(folders).all(|(part, folder)| part == folder))
}

/// Whether the name alone says that a file is of a kind that we lint: then what cannot be read in it is a finding.
pub(super) fn is_ours_by_name(path: &Path) -> bool {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    is_values_name(path)
        || name.ends_with(".gitlab-ci.yml")
        || (has_extension(path, &["yml", "yaml"]) && is_below(path, &[".github", "workflows"]))
}
