//! From paths and options to parsed, classified files and merged stacks. The only room that reads files.

mod assemble;
mod basis;
mod changes;
mod chart;
mod classify;
mod configured;
mod convention;
mod discover;
mod documents;
mod git;
mod includes;
mod inline;
mod load;
mod merge_input;
mod patches;
mod problems;
mod templates;
#[cfg(test)]
mod tests;

use std::path::{Component, Path, PathBuf};

use crate::config::Config;
use crate::diagnostic::Diagnostic;
use crate::knowledge::ChartRef;
use crate::syntax::{Kind, NodeRef, Tree, TreeId, Trees};
use crate::text::{SourceId, Sources};
use crate::values::{FlagKind, HelmVersion, Merged, Value};
use crate::view::translate;

pub use basis::{Basis, LOCK_NAME, NewLock, renew_lock};
pub use changes::Changes;
pub use chart::read_folder as read_chart_folder;
pub use configured::{explicit_stack, nearest_config};
pub use load::{load, read_file};
pub use merge_input::{MergeInput, MergeRequest, read_merge_input};

/// What is to be looked at.
#[derive(Debug, Clone, Default)]
pub struct Request {
    /// Folder that paths are relative to, and that file names are shown relative to.
    pub directory: PathBuf,
    /// Files and folders; empty: only what follows.
    pub paths: Vec<PathBuf>,
    /// `-f` and its companions: one explicit stack.
    pub stack: Option<ExplicitStack>,
    /// `--rendered`.
    pub rendered: Vec<PathBuf>,
    /// Text of stdin with its name.
    pub stdin: Option<(String, Vec<u8>)>,
    /// Whether stdin is rendered output, whatever its name.
    pub stdin_is_rendered: bool,
    /// Which configuration.
    pub config: ConfigChoice,
    /// `--helm-version`; over the configuration's.
    pub helm_version: Option<HelmVersion>,
    /// `--stack`: only these stacks of the configuration.
    pub only_stack: Option<String>,
    /// `--runner-releases`.
    pub runner_releases: Option<PathBuf>,
}

/// A stack from the command line.
#[derive(Debug, Clone, Default)]
pub struct ExplicitStack {
    /// `-f` files in order.
    pub files: Vec<String>,
    /// `--set*` flags.
    pub flags: Vec<(FlagKind, String)>,
    /// `--chart`.
    pub chart: Option<String>,
    /// `--namespace`.
    pub namespace: Option<String>,
    /// `--release`.
    pub release: Option<String>,
}

/// Which configuration applies.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum ConfigChoice {
    /// The nearest one upwards from each file.
    #[default]
    Nearest,
    /// `--config`.
    File(PathBuf),
    /// `--no-config`.
    None,
}

/// Why the work could not be done: exit status 2.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoadError(pub String);

/// What a file is to us.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FileKind {
    /// Helm values.
    Values,
    /// Kubernetes objects, written or rendered.
    Manifest,
    /// GitLab Runner's TOML.
    RunnerConfig,
    /// A GitLab pipeline.
    Pipeline,
    /// A GitHub workflow.
    Workflow,
    /// `Chart.yaml`.
    Chart,
    /// Nothing that we lint.
    Other,
}

/// A file that was read.
#[derive(Debug, Clone)]
pub struct File {
    /// Its text.
    pub source: SourceId,
    /// Its tree.
    pub tree: TreeId,
    /// What it is.
    pub kind: FileKind,
    /// The absolute path; for stdin its name.
    pub path: PathBuf,
    /// The configuration that applies.
    pub config: Option<ConfigId>,
    /// Whether its findings are asked for: named itself, or found under a folder that was named.
    pub wanted: bool,
    /// Whether its objects are patches, so that nothing is known to be absent from them.
    pub is_patch: bool,
}

/// Index into [`Project::configs`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ConfigId(pub usize);

/// A configuration with its folder.
#[derive(Debug, Clone)]
pub struct ConfigFile {
    /// The folder that its paths are relative to.
    pub directory: PathBuf,
    /// Its text.
    pub source: SourceId,
    /// Its tree.
    pub tree: TreeId,
    /// What it says.
    pub config: Config,
    /// What findings are judged by where it applies.
    pub basis: Basis,
}

impl ConfigFile {
    /// Absolute paths of all files that a `[[stack]]` names.
    fn layers(&self) -> impl Iterator<Item = PathBuf> {
        let names = self.config.stacks.iter().flat_map(|stack| &stack.values);
        names.map(|name| discover::absolute(&self.directory, Path::new(name)))
    }
}

/// A values stack.
#[derive(Debug, Clone)]
pub struct Stack {
    /// `prod`, or the files' names.
    pub name: String,
    /// The merged values.
    pub merged: Merged,
    /// The known charts in it.
    pub parts: Vec<Part>,
    /// Release name.
    pub release: Option<String>,
    /// Namespace.
    pub namespace: Option<String>,
    /// Indices of the other stacks over the same base.
    pub siblings: Vec<usize>,
    /// The files that take part.
    pub sources: Vec<SourceId>,
    /// Which Helm merges it, where somebody says it.
    pub helm: Option<HelmVersion>,
    /// values.schema.json of its chart.
    pub schema: Option<serde_json::Value>,
    /// The lines of its chart's own templates that name values, where they are in view.
    pub templates: String,
    /// Whether only marks tell its charts.
    pub is_marked: bool,
    /// Where its values stand in an object; none: they are files of their own.
    pub inlined: Option<NodeRef>,
    /// The configuration that applies.
    pub config: Option<ConfigId>,
}

/// A known chart in a stack.
#[derive(Debug, Clone)]
pub struct Part {
    /// The chart.
    pub chart: ChartRef,
    /// Keys from the top of the stack to its block.
    pub prefix: Vec<String>,
    /// The block in the words of a chart that makes the same, where lenses read those.
    pub translated: Option<Value>,
}

impl Part {
    /// A chart and the keys that lead to its block of the merged values.
    fn new(chart: ChartRef, prefix: Vec<String>, merged: &Merged) -> Self {
        let block = prefix.iter().try_fold(&merged.values, |value, key| value.get(key));
        let translated = block.and_then(|block| translate(&chart, block));
        Self { chart, prefix, translated }
    }
}

/// A document of a file as a value.
#[derive(Debug, Clone)]
pub struct Document {
    /// The value.
    pub value: Value,
    /// Its tree.
    pub tree: TreeId,
    /// Its file.
    pub source: SourceId,
}

/// Where a runner TOML was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunnerConfigHome {
    /// In a file of its own.
    File,
    /// In `runners.config` of a stack's part: indices of the stack and of its part.
    Stack(usize, usize),
    /// In a ConfigMap: index into [`Project::objects`].
    Object(usize),
}

/// A GitLab runner TOML.
#[derive(Debug, Clone)]
pub struct RunnerConfig {
    /// Its document.
    pub document: Document,
    /// Where it was found.
    pub home: RunnerConfigHome,
}

/// How much was looked at.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Files of kinds that we lint.
    pub files: usize,
    /// Documents in them.
    pub documents: usize,
    /// Documents embedded in scalars.
    pub embedded: usize,
    /// Stacks.
    pub stacks: usize,
}

/// Everything that was read.
#[derive(Debug, Default)]
pub struct Project {
    /// All texts.
    pub sources: Sources,
    /// All trees.
    pub trees: Trees,
    /// All files that were read, sorted by name.
    pub files: Vec<File>,
    /// All configurations.
    pub configs: Vec<ConfigFile>,
    /// What findings are judged by where no configuration applies.
    pub basis: Basis,
    /// All stacks.
    pub stacks: Vec<Stack>,
    /// Objects of kinds that some lens reads.
    pub objects: Vec<Document>,
    /// All runner TOML.
    pub runner_configs: Vec<RunnerConfig>,
    /// Documents in scalars of objects that may be templates of job pods.
    pub embedded: Vec<(NodeRef, Document)>,
    /// All pipelines.
    pub pipelines: Vec<Document>,
    /// All workflows.
    pub workflows: Vec<Document>,
    /// Whether files are in view that may hold node groups, which no lens reads (Terraform, eksctl).
    pub unread_node_sources: bool,
    /// Whether a kustomization in view adds to objects what does not stand in them.
    pub is_patched: bool,
    /// Whether Karpenter's own installation is in view.
    pub karpenter_install_in_view: bool,
    /// `meta/*` findings.
    pub diagnostics: Vec<Diagnostic>,
    /// What is said at `-v`, a line each.
    pub notes: Vec<String>,
    /// How much was looked at.
    pub counts: Counts,
    /// Whether a folder was searched: then nothing to lint is no success.
    pub searched: bool,
}

impl Project {
    /// The file of a source.
    pub fn file(&self, source: SourceId) -> Option<&File> {
        self.files.iter().find(|file| file.source == source)
    }

    /// A configuration.
    pub fn config(&self, id: ConfigId) -> Option<&ConfigFile> {
        self.configs.get(id.0)
    }
}

/// Whether there is more than comments in a text, as far as it can be read.
fn says_something(tree: &Tree) -> bool {
    !tree.errors.is_empty() || tree.roots().any(|root| root.kind() != Kind::Empty)
}

/// A path relative to a folder, with `/`, by their texts alone; a path with another root as it is.
pub fn relative(path: &Path, directory: &Path) -> String {
    let shared = path.components().zip(directory.components()).take_while(|(one, other)| one == other).count();
    let up = if shared == 0 { 0 } else { directory.components().count() - shared };
    let down = path.components().skip(shared);
    let relative: PathBuf = std::iter::repeat_n(Component::ParentDir, up).chain(down).collect();
    let name = relative.to_string_lossy().replace('\\', "/");
    if name.is_empty() { ".".to_owned() } else { name }
}
