//! Typed lenses on what was read: they say where things are, never what is bad.

mod admission;
mod annotations;
mod by_hand;
mod container;
mod controller;
mod decoded;
mod disruption;
mod docker;
pub mod duration;
mod field;
mod github;
mod gitlab_chart;
pub mod hooks;
mod image;
mod job_docker;
mod job_image;
mod job_runners;
mod job_variables;
mod legacy;
mod limit_range;
mod misnamed;
mod near_label;
mod nearness;
mod nodepool;
mod object;
mod overwrite;
mod pipeline;
mod pipeline_variables;
mod pod;
mod pull_policy;
mod quantity;
mod rbac;
mod read_elsewhere;
mod registration;
mod release;
mod rendered;
mod restated;
mod rights;
mod runner_cache;
mod runner_config;
mod runner_flags;
mod runner_mounts;
mod runner_pool;
mod runner_resources;
mod runner_template;
mod runner_values;
mod sameness;
mod scale_set;
pub mod scheduling;
mod schema;
mod security;
mod stack;
#[cfg(test)]
mod tests;
mod translated;
mod unread;
mod walk;
mod workflow;
mod workflow_docker;

pub use admission::{Refused, Standard};
pub use container::{ContainerKind, PodContainer};
pub use controller::Controller;
pub use decoded::{Decoded, Found, InForce, Outcome, forget_misread};
pub use disruption::Consolidation;
pub use docker::{Place, Sockets};
pub use field::{Field, is_placeholder, is_templated};
pub use github::Github;
pub use gitlab_chart::GitlabChart;
pub use image::Image;
pub use job_docker::Listens;
pub use job_image::JobImage;
pub use job_variables::JobVariable;
pub use legacy::{Autoscaler, Docker, LegacyRunner, LegacyScaling, Target, is_near_name};
pub use limit_range::{Excess, LimitRange};
pub use near_label::nearest_label;
pub use nearness::Nearness;
pub use nodepool::{NodePool, Unusable};
pub use object::Object;
pub use overwrite::{Effective, Gate, Overwrite, Refusal};
pub use pipeline::{Job, Pipeline, Service};
pub use pod::{ContainerMode, Generated, Pod, PodRole, PodShape};
pub use pull_policy::{PULL_POLICIES, PullPolicies};
pub use quantity::{Quantity, Suffix};
pub use rbac::may_be_same_namespace;
pub use registration::Registration;
pub use release::{Deployer, Release};
pub use rendered::Rendered;
pub use restated::{ListKind, LostField, Restated};
pub use rights::{Lacking, Right};
pub use runner_cache::Cache;
pub use runner_config::{Container, Executor, Runner};
pub use runner_flags::{FlagPlace, FlagSetting};
pub use runner_pool::{RunnerPool, takers};
pub use runner_resources::{Bound, Grammar, Resource, ResourceSetting};
pub use runner_template::{entry_of, is_conditional, setting};
pub use runner_values::RunnersValue;
pub use scale_set::ScaleSet;
pub use schema::Disallowed;
pub use stack::{Home, Part, Stack};
pub use translated::{REWORKED_SINCE, translate};
pub use unread::{Unread, Why, key_but_for_a_word, nearest_key};
pub use walk::{Expected, walk};
pub use workflow::{Action, RunsOn, Step, Workflow, WorkflowJob};
pub use workflow_docker::DockerUse;

use std::sync::OnceLock;

use crate::knowledge::gitlab_version::Minor;
use crate::syntax::{NodeRef, TreeId, Trees};
use crate::values::Value;

/// A GitLab runner TOML, alone or embedded.
#[derive(Debug, Clone)]
pub struct RunnerConfig<'a> {
    /// Where it was found.
    pub home: Home<'a>,
    /// The tree it was read from.
    pub tree: TreeId,
    /// The document.
    pub values: &'a Value,
    /// The version of the runner, where the user says it.
    pub said_version: Option<Minor>,
    decoded: OnceLock<Vec<Decoded>>,
}

impl<'a> RunnerConfig<'a> {
    /// A lens on a document that was read from `tree`.
    pub fn new(home: Home<'a>, tree: TreeId, values: &'a Value, said_version: Option<Minor>) -> Self {
        Self { home, tree, values, said_version, decoded: OnceLock::new() }
    }
}

/// A document that is the text of a scalar in an object.
#[derive(Debug, Clone, Copy)]
pub struct Embedded<'a> {
    /// The scalar.
    pub scalar: NodeRef,
    /// The document.
    pub value: &'a Value,
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
    /// Documents in scalars of objects: templates of job pods in ConfigMaps.
    pub embedded: &'a [Embedded<'a>],
    /// All GitLab pipelines.
    pub pipelines: &'a [&'a Value],
    /// All GitHub workflows.
    pub workflows: &'a [&'a Value],
    /// What the user says of the pools in view: all there are, or not; none: to be found out.
    pub node_pools_closed: Option<bool>,
    /// Whether files are in view that may hold node groups, which no lens reads (Terraform, eksctl).
    pub unread_node_sources: bool,
    /// Whether a kustomization in view adds to objects what does not stand in them.
    pub is_patched: bool,
    /// Whether Karpenter's own installation is in view.
    pub karpenter_install_in_view: bool,
}

impl<'a> Fleet<'a> {
    /// All scale sets: those of the stacks, and those that are objects.
    pub fn scale_sets(&self) -> Vec<ScaleSet<'a>> {
        let of_stacks = self.stacks.iter().flat_map(ScaleSet::of_stack);
        of_stacks.chain(self.objects.iter().filter_map(ScaleSet::of_object)).collect()
    }

    /// All jobs of workflows that ask for a runner.
    pub fn workflow_jobs(&self, trees: &'a Trees) -> impl Iterator<Item = WorkflowJob<'a>> {
        self.workflows.iter().flat_map(move |workflow| Workflow::new(workflow, trees).jobs())
    }

    /// The document that is the text of a scalar.
    pub fn document_in(&self, scalar: &Value) -> Option<&'a Value> {
        let at = scalar.origin.node?;
        self.embedded.iter().find(|embedded| embedded.scalar == at).map(|embedded| embedded.value)
    }

    /// All pods: those that the stacks would render, and those that objects stand for.
    pub fn pods(&self) -> Vec<Pod<'a>> {
        let of_stacks = self.stacks.iter().flat_map(Pod::of_stack);
        of_stacks.chain(self.objects.iter().flat_map(Pod::of_object)).collect()
    }
}
