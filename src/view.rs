//! Typed lenses on what was read: they say where things are, never what is bad.

mod pipeline;
mod runner_config;

pub use pipeline::{Job, Pipeline, Service};
pub use runner_config::{Container, Executor, Runner};

use crate::knowledge::ChartRef;
use crate::syntax::TreeId;
use crate::values::{Data, Merged, Value};

/// A field of a document, as far as it can be known.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Field<'a, T> {
    /// Not there.
    Absent,
    /// There, and of the right shape.
    Present(T, &'a Value),
    /// There, and of another shape.
    WrongShape(&'a Value),
    /// Templated, remote or not in view: never a finding.
    Unknown(Option<&'a Value>),
}

/// Whether a text holds template markup or placeholders, so that its value cannot be known.
pub fn is_templated(text: &str) -> bool {
    ["{{", "{%", "${", "<%", "$(", "###", "<path:", "@@", "%{", "__", "ENC["].iter().any(|mark| text.contains(mark))
}

impl Value {
    /// Whether it is a string that cannot be known.
    pub fn is_unknown(&self) -> bool {
        matches!(&self.data, Data::String(text) if is_templated(text))
    }
}

/// The values of one known chart inside a stack: the whole, or a block of an umbrella chart.
#[derive(Debug, Clone)]
pub struct Part<'a> {
    /// The chart.
    pub chart: &'a ChartRef,
    /// Keys from the top of the stack to the block; empty where the stack is the chart's own.
    pub prefix: &'a [String],
    /// The block.
    pub values: &'a Value,
}

/// A values stack of known or unknown charts.
#[derive(Debug, Clone)]
pub struct Stack<'a> {
    /// What to call it.
    pub name: &'a str,
    /// The merged values with their layers.
    pub merged: &'a Merged,
    /// The known charts in it.
    pub parts: Vec<Part<'a>>,
    /// Release name, where it is said.
    pub release: Option<&'a str>,
    /// Namespace, where it is said.
    pub namespace: Option<&'a str>,
    /// Merged values of the other overlays over the same base.
    pub siblings: Vec<&'a Merged>,
}

/// A Kubernetes object, from a manifest or from rendered output.
#[derive(Debug, Clone)]
pub struct Object<'a> {
    /// `apiVersion`.
    pub api_version: &'a str,
    /// `kind`.
    pub kind: &'a str,
    /// `metadata.name`; empty where there is none.
    pub name: &'a str,
    /// `metadata.namespace`.
    pub namespace: Option<&'a str>,
    /// The whole object.
    pub value: &'a Value,
}

/// Where a pod template or a runner config was found.
#[derive(Debug, Clone)]
pub enum Home<'a> {
    /// In the values of a known chart.
    Values(&'a Stack<'a>, Part<'a>),
    /// In an object.
    Object(Object<'a>),
    /// In a file of its own.
    File,
}

/// What a pod is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PodRole {
    /// Runs jobs of GitHub Actions.
    Runner,
    /// Listener of a scale set.
    Listener,
    /// A controller of ARC.
    Controller,
    /// The GitLab Runner manager.
    Manager,
    /// A job pod of GitLab Runner (from its TOML).
    Job,
}

/// A pod template, wherever it hangs.
#[derive(Debug, Clone)]
pub struct Pod<'a> {
    /// What it is for.
    pub role: PodRole,
    /// Where it was found.
    pub home: Home<'a>,
    /// The pod spec.
    pub spec: &'a Value,
}

/// A GitLab runner TOML, alone or embedded.
#[derive(Debug, Clone)]
pub struct RunnerConfig<'a> {
    /// Where it was found.
    pub home: Home<'a>,
    /// The tree it was read from.
    pub tree: TreeId,
    /// The document.
    pub values: &'a Value,
}

/// Everything in view.
#[derive(Debug)]
pub struct Fleet<'a> {
    /// All stacks.
    pub stacks: &'a [Stack<'a>],
    /// All objects of kinds that some lens reads (workloads, scale sets, node pools).
    pub objects: &'a [Object<'a>],
    /// All runner TOML.
    pub runner_configs: &'a [RunnerConfig<'a>],
    /// All GitLab pipelines.
    pub pipelines: &'a [&'a Value],
    /// What the user says of the pools in view: all there are, or not; none: to be found out.
    pub node_pools_closed: Option<bool>,
}
