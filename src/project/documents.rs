//! Documents that are no values: objects, runner configs (also embedded ones) and pipelines.

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::classify::is_object;
use super::{Document, File, FileKind, Project, RunnerConfig, RunnerConfigHome};
use crate::knowledge::Chart;
use crate::syntax::{Dialect, Kind, Language, Node, NodeRef, Tree, TreeId, Trees, embedded};
use crate::text::{SourceId, Span};
use crate::values::LayerId;
use crate::values::read::to_value;
use crate::view::forget_misread;

/// Groups whose objects some lens reads.
const GROUPS: [&str; 4] = ["actions.github.com", "actions.summerwind.dev", "karpenter.sh", "karpenter.k8s.aws"];
/// Kinds beside them that say under which rules runners live, or which releases there are.
const SURROUNDINGS: [&str; 16] = [
    "Application",
    "ApplicationSet",
    "ClusterRole",
    "ClusterRoleBinding",
    "ConfigMap",
    "HelmChart",
    "HelmChartConfig",
    "HelmRelease",
    "LimitRange",
    "Namespace",
    "OCIRepository",
    "HelmRepository",
    "Role",
    "RoleBinding",
    "Secret",
    "ServiceAccount",
];
/// Kinds that carry pods: of interest where their text names a runner.
const WORKLOADS: [&str; 6] = ["Deployment", "StatefulSet", "DaemonSet", "ReplicaSet", "Pod", "Job"];
/// Kinds that make nodes in ways that no lens reads: eksctl, cluster API, kops, Crossplane.
const NODE_SOURCES: [&str; 8] = [
    "ClusterConfig",
    "MachineDeployment",
    "MachinePool",
    "MachineSet",
    "AWSManagedMachinePool",
    "InstanceGroup",
    "Nodegroup",
    "NodeGroup",
];
/// Keys of a ConfigMap or Secret that hold runner TOML.
const RUNNER_CONFIGS: [&str; 2] = ["config.toml", "config.template.toml"];

/// Reads all documents of the wanted files, and what is embedded in stacks and objects.
pub(super) fn read(project: &mut Project) {
    let files: Vec<File> = project.files.iter().filter(|file| file.wanted && is_ours(file.kind)).cloned().collect();
    let read: Vec<Found> = files.par_iter().map(|file| documents(&project.trees, file)).collect();
    let (mut embeds, mut templates) = (Vec::new(), Vec::new());
    for (file, found) in files.iter().zip(read) {
        project.counts.files += 1;
        project.counts.documents += found.count;
        project.unread_node_sources |= found.node_source;
        project.karpenter_install_in_view |= found.karpenter;
        for (document, scalars) in found.objects {
            for (at, language) in scalars {
                match language {
                    Language::Toml => embeds.push((at, RunnerConfigHome::Object(project.objects.len()))),
                    Language::Yaml => templates.push(at),
                }
            }
            project.objects.push(document);
        }
        match file.kind {
            FileKind::Pipeline => project.pipelines.extend(found.documents),
            FileKind::Workflow => project.workflows.extend(found.documents),
            _ => project.runner_configs.extend(
                found.documents.into_iter().map(|document| RunnerConfig { document, home: RunnerConfigHome::File }),
            ),
        }
    }
    embeds.extend(in_stacks(project, 0));
    embed(project, embeds);
    for at in templates {
        if let Some(tree) = embed_one(project, at, Language::Yaml) {
            let document = embedded_document(project, tree, Dialect::Kubernetes);
            project.embedded.extend(document.map(|document| (at, document)));
        }
    }
    project.counts.stacks = project.stacks.len();
}

fn is_ours(kind: FileKind) -> bool {
    !matches!(kind, FileKind::Other | FileKind::Chart)
}

/// What is in a file.
#[derive(Default)]
struct Found {
    count: usize,
    /// Objects with the scalars in them that hold documents: runner TOML, and templates of job pods in YAML.
    objects: Vec<(Document, Vec<(NodeRef, Language)>)>,
    documents: Vec<Document>,
    node_source: bool,
    karpenter: bool,
}

fn documents(trees: &Trees, file: &File) -> Found {
    let mut found = Found::default();
    let Some(tree) = trees.get(file.tree) else { return found };
    found.count = tree.roots().filter(|root| root.kind() != Kind::Empty).count();
    match file.kind {
        FileKind::Manifest => {
            for document in &tree.documents {
                if let Some(root) = document.root.map(|id| tree.node(id)) {
                    object(tree, file, root, document.span, &mut found);
                }
            }
        }
        FileKind::Pipeline => found.documents.extend(tree.roots().last().and_then(|root| value(tree, file, root))),
        FileKind::RunnerConfig | FileKind::Workflow => {
            found.documents.extend(tree.root().and_then(|root| value(tree, file, root)));
        }
        FileKind::Values | FileKind::Chart | FileKind::Other => {}
    }
    found
}

fn value(tree: &Tree, file: &File, root: Node<'_>) -> Option<Document> {
    let dialect = if tree.language == Language::Toml { Dialect::Toml } else { Dialect::Kubernetes };
    let mut value = to_value(tree, file.tree, root.id, dialect, LayerId(0)).ok()?;
    if dialect == Dialect::Toml {
        forget_misread(&mut value, tree);
    }
    Some(Document { value, tree: file.tree, source: file.source })
}

fn object(tree: &Tree, file: &File, root: Node<'_>, span: Span, found: &mut Found) {
    let text = |key: &str| root.get(key).map(Node::text).unwrap_or_default();
    let (api_version, kind) = (text("apiVersion"), text("kind"));
    if kind == "List" {
        // Each item is an object of its own; a List in a List is none that the API gives.
        let items = root.get("items").into_iter().flat_map(Node::items);
        for item in items.filter(|item| is_object(*item) && item.get("kind").is_none_or(|kind| kind.text() != "List")) {
            object(tree, file, item, item.span(), found);
        }
        return;
    }
    let group = api_version.split_once('/').map_or("", |(group, _)| group);
    found.node_source |= NODE_SOURCES.contains(&kind)
        || (kind == "NodePool" && group != "karpenter.sh")
        // Patches that no lens applies.
        || (kind == "Kustomization" && span.slice(&tree.text).contains("NodePool"));
    found.karpenter |= installs_karpenter(root, kind);
    // Others call their settings `config.toml` too.
    let has_runners = || {
        let text = span.slice(&tree.text);
        text.contains("runners") || text.contains("gitlab-runner")
    };
    let mut scalars = Vec::new();
    // What a Secret has in `data` is encoded.
    let texts = [("ConfigMap", "data"), ("Secret", "stringData")].into_iter().find(|(of, _)| *of == kind);
    if let Some((_, texts)) = texts.filter(|_| has_runners()) {
        scalars.extend(runner_configs(file.tree, root, texts).map(|at| (at, Language::Toml)));
    }
    if kind == "ConfigMap" {
        scalars.extend(pod_templates(file.tree, root).into_iter().map(|at| (at, Language::Yaml)));
    }
    let names_runner = || {
        let text = span.slice(&tree.text);
        ["runner", "RUNNER_", "gha-rs"].iter().any(|word| text.contains(word))
    };
    // Node pools are known to be patched; of other objects a patch shows too little to judge them.
    let is_whole = !file.is_patch || group == "karpenter.sh";
    let is_read = is_whole
        && (GROUPS.contains(&group)
            || SURROUNDINGS.contains(&kind)
            || makes_secrets(kind)
            || (WORKLOADS.contains(&kind) && (names_runner() || span.slice(&tree.text).contains("karpenter.sh/"))));
    if is_read {
        found.objects.extend(value(tree, file, root).map(|document| (document, scalars)));
    }
}

/// Whether an operator makes Secrets of objects of a kind: ExternalSecret, SealedSecret, SopsSecret, ….
fn makes_secrets(kind: &str) -> bool {
    kind.contains("Secret") || kind == "OnePasswordItem"
}

/// Whether an object is Karpenter's own installation, or asks a GitOps controller for it.
fn installs_karpenter(root: Node<'_>, kind: &str) -> bool {
    let is_karpenter = |path: &[&str]| root.at(path).is_some_and(|node| node.text() == "karpenter");
    match kind {
        "Deployment" => is_karpenter(&["metadata", "labels", "app.kubernetes.io/name"]),
        "HelmRelease" => is_karpenter(&["spec", "chart", "spec", "chart"]),
        "Application" => is_karpenter(&["spec", "source", "chart"]),
        "HelmChart" => is_karpenter(&["spec", "chart"]),
        _ => false,
    }
}

fn runner_configs<'t>(tree: TreeId, root: Node<'t>, texts: &str) -> impl Iterator<Item = NodeRef> + 't {
    let data = root.get(texts);
    let found = RUNNER_CONFIGS.iter().filter_map(move |key| data?.get(key));
    found.filter(|node| node.kind().is_scalar()).map(move |node| NodeRef { tree, node: node.id })
}

/// Scalars of a ConfigMap that may hold the template of a pod.
fn pod_templates(tree: TreeId, root: Node<'_>) -> Vec<NodeRef> {
    let entries = root.get("data").into_iter().flat_map(Node::entries).map(|(_, value)| value);
    let may_hold = |node: &Node<'_>| {
        let text = node.span().slice(&node.tree.text);
        node.kind().is_scalar() && (text.contains("containers:") || text.contains("containers\":"))
    };
    entries.filter(may_hold).map(|node| NodeRef { tree, node: node.id }).collect()
}

/// Reads the runner TOML in stacks that were added later.
pub(super) fn read_in_stacks(project: &mut Project, from: usize) {
    let embeds = in_stacks(project, from);
    embed(project, embeds);
}

/// `runners.config` of the GitLab charts in the stacks.
fn in_stacks(project: &Project, from: usize) -> Vec<(NodeRef, RunnerConfigHome)> {
    let mut found = Vec::new();
    for (index, stack) in project.stacks.iter().enumerate().skip(from) {
        for (number, part) in stack.parts.iter().enumerate() {
            if part.chart.chart != Chart::GitlabRunner {
                continue;
            }
            let block = part.prefix.iter().try_fold(&stack.merged.values, |value, key| value.get(key));
            let text = block.and_then(|block| block.at(&["runners", "config"])).filter(|text| text.as_str().is_some());
            let node = text.and_then(|text| text.origin.node);
            found.extend(node.map(|at| (at, RunnerConfigHome::Stack(index, number))));
        }
    }
    found
}

/// Reads runner TOML out of scalars; a scalar that several stacks share is read once.
fn embed(project: &mut Project, scalars: Vec<(NodeRef, RunnerConfigHome)>) {
    let mut known: FxHashMap<NodeRef, TreeId> = FxHashMap::default();
    for (at, home) in scalars {
        let id = match known.get(&at) {
            Some(id) => *id,
            None => {
                let Some(id) = embed_one(project, at, Language::Toml) else { continue };
                known.insert(at, id);
                id
            }
        };
        if let Some(document) = embedded_document(project, id, Dialect::Toml) {
            project.runner_configs.push(RunnerConfig { document, home });
        }
    }
}

/// Reads the document in a scalar, and counts it.
fn embed_one(project: &mut Project, at: NodeRef, language: Language) -> Option<TreeId> {
    let tree = embedded::parse(&project.trees, at, language)?;
    let id = project.trees.add(tree);
    if is_in_file(project, id) {
        project.counts.embedded += 1;
    }
    Some(id)
}

fn embedded_document(project: &Project, id: TreeId, dialect: Dialect) -> Option<Document> {
    let tree = project.trees.get(id)?;
    let mut value = to_value(tree, id, tree.root()?.id, dialect, LayerId(0)).ok()?;
    if dialect == Dialect::Toml {
        forget_misread(&mut value, tree);
    }
    Some(Document { value, tree: id, source: tree.source })
}

/// Whether a tree stands in a file of the user's; a chart's own defaults do not count as looked at.
fn is_in_file(project: &Project, tree: TreeId) -> bool {
    let source: Option<SourceId> = project.trees.get(tree).map(|tree| tree.source);
    source.and_then(|source| project.sources.get(source)).is_some_and(|source| source.is_file)
}
