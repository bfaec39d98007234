//! What a runner's jobs ask for and are limited to.

use super::runner_config::lookup;
use super::{Field, Quantity, Runner};
use crate::values::Value;

/// What is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Resource {
    /// Cores.
    Cpu,
    /// Bytes of memory.
    Memory,
    /// Bytes of the node's disk, or of a volume.
    Storage,
}

/// Which end of what a container gets a setting is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bound {
    /// The least.
    Request,
    /// The most.
    Limit,
    /// The most that a job may ask for by a variable.
    Ceiling,
    /// The size of a volume.
    Size,
}

/// By which grammar an amount is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Grammar {
    /// `512Mi`, `500m`.
    Kubernetes,
    /// `512m`.
    Docker,
}

/// A setting that is an amount of something.
#[derive(Debug, Clone, Copy)]
pub struct ResourceSetting<'a> {
    /// Its key.
    pub key: &'a str,
    /// Where it stands.
    pub value: &'a Value,
    /// What it says.
    pub text: &'a str,
    /// Whose it is: a kind of container, the pod, or a volume.
    pub owner: &'static str,
    /// Of what.
    pub resource: Resource,
    /// Which end.
    pub bound: Bound,
    /// How it is read.
    pub grammar: Grammar,
}

/// Keys of `[runners.docker]` that are sizes.
const DOCKER: [(&str, &str, Bound); 6] = [
    ("memory", "build", Bound::Limit),
    ("memory_reservation", "build", Bound::Request),
    ("memory_swap", "build", Bound::Size),
    ("service_memory", "service", Bound::Limit),
    ("service_memory_reservation", "service", Bound::Request),
    ("service_memory_swap", "service", Bound::Size),
];

impl ResourceSetting<'_> {
    /// The amount; none where it cannot be read.
    pub fn quantity(&self) -> Option<Quantity> {
        self.grammar.read(self.text)
    }
}

impl Grammar {
    /// The amount that a text is; none where it cannot be read.
    pub fn read(self, text: &str) -> Option<Quantity> {
        match self {
            Self::Kubernetes => Quantity::parse(text),
            Self::Docker => Quantity::parse_docker(text),
        }
    }
}

impl<'a> Runner<'a> {
    /// All settings that are amounts, as far as they are known; empty ones are not set.
    pub fn resources(&self) -> Vec<ResourceSetting<'a>> {
        let mut found = Vec::new();
        if self.may_be_kubernetes() {
            self.of_pods(&mut found);
        }
        if self.may_be_docker() {
            for (key, owner, bound) in DOCKER {
                let shape = (owner, Resource::Memory, bound);
                found.extend(setting(self.text(&["docker", key]), key, shape, Grammar::Docker));
            }
        }
        found
    }

    fn of_pods(&self, found: &mut Vec<ResourceSetting<'a>>) {
        let Field::Present(table, _) = self.field(&["kubernetes"]) else { return };
        for (key, _) in table.entries() {
            if let Some(shape) = shape_of(key) {
                found.extend(setting(self.text(&["kubernetes", key]), key, shape, Grammar::Kubernetes));
            }
        }
        let Field::Present(volumes, _) = self.field(&["kubernetes", "volumes", "empty_dir"]) else { return };
        for volume in volumes.items() {
            let size = Field::of(lookup(volume, "size_limit").and_then(Result::ok), Value::as_str);
            found.extend(setting(size, "size_limit", ("volume", Resource::Storage, Bound::Size), Grammar::Kubernetes));
        }
    }
}

type Shape = (&'static str, Resource, Bound);

/// What a key of `[runners.kubernetes]` sets: `helper_memory_limit`, `cpu_request_overwrite_max_allowed`.
fn shape_of(key: &str) -> Option<Shape> {
    let key = key.to_ascii_lowercase();
    let owners = [("service_", "service"), ("helper_", "helper"), ("pod_", "pod")];
    let owned = owners.iter().find_map(|(start, owner)| Some((*owner, key.strip_prefix(start)?)));
    let (owner, rest) = owned.unwrap_or(("build", &key));
    let resources = [("cpu_", Resource::Cpu), ("memory_", Resource::Memory), ("ephemeral_storage_", Resource::Storage)];
    let (resource, bound) = resources.iter().find_map(|(start, of)| Some((*of, rest.strip_prefix(start)?)))?;
    let bound = match bound {
        "request" => Bound::Request,
        "limit" => Bound::Limit,
        "request_overwrite_max_allowed" | "limit_overwrite_max_allowed" => Bound::Ceiling,
        _ => return None,
    };
    Some((owner, resource, bound))
}

fn setting<'a>(
    field: Field<'a, &'a str>,
    key: &'a str,
    (owner, resource, bound): Shape,
    grammar: Grammar,
) -> Option<ResourceSetting<'a>> {
    match field {
        // A `$` is left for whatever fills the text in.
        Field::Present(text, value) if !text.is_empty() && !text.contains('$') => {
            Some(ResourceSetting { key, value, text, owner, resource, bound, grammar })
        }
        _ => None,
    }
}
