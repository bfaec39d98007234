//! Values stacks, and the known charts in them.

use super::Object;
use crate::knowledge::{Chart, ChartRef};
use crate::syntax::{NodeRef, TreeId};
use crate::values::{HelmVersion, Merged, Role, Value};

/// The values of one known chart inside a stack: the whole, or a block of an umbrella chart.
#[derive(Debug, Clone)]
pub struct Part<'a> {
    /// The chart.
    pub chart: &'a ChartRef,
    /// Keys from the top of the stack to the block; empty where the stack is the chart's own.
    pub prefix: &'a [String],
    /// The block.
    pub values: &'a Value,
    /// The block in the words of the classic chart of a scale set, where it is of another that makes the same.
    pub settings: &'a Value,
}

impl Part<'_> {
    /// A path of the chart's own values as the user writes it in this stack.
    pub fn shown(&self, path: &str) -> String {
        self.prefix.iter().map(String::as_str).chain([path]).collect::<Vec<_>>().join(".")
    }
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
    /// Names of the files that take part.
    pub paths: Vec<&'a str>,
    /// Merged values of the other overlays over the same base.
    pub siblings: Vec<&'a Merged>,
    /// The user's files that take part, lowest first.
    pub files: Vec<TreeId>,
    /// Those of them that take part in a stack of other charts, too.
    pub shared: Vec<TreeId>,
    /// Which Helm merges them, where somebody says it.
    pub helm: Option<HelmVersion>,
    /// The schema that its chart has for its values.
    pub schema: Option<&'a serde_json::Value>,
    /// The lines of its chart's own templates that name values, where they are in view.
    pub templates: &'a str,
    /// Whether nobody says which charts these values are for, so that only their marks tell.
    pub is_marked: bool,
    /// Where its values stand in an object; none: they are files of their own.
    pub inlined: Option<NodeRef>,
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

impl<'a> Home<'a> {
    /// The chart's settings, or the object.
    pub fn value(&self) -> Option<&'a Value> {
        match self {
            Self::Values(_, part) => Some(part.settings),
            Self::Object(object) => Some(object.value),
            Self::File => None,
        }
    }

    /// Whether it is in values of the experimental chart of a scale set, which writes and refuses some things otherwise.
    pub fn is_experimental(&self) -> bool {
        matches!(self, Self::Values(_, part) if part.chart.chart == Chart::GhaRunnerScaleSetExperimental)
    }

    /// A value of the chart's own, at a path as the chart calls it.
    pub fn own(&self, path: &[&str]) -> Option<&'a Value> {
        match self {
            Self::Values(_, part) => part.values.at(path),
            Self::Object(_) | Self::File => None,
        }
    }

    /// The namespace, where it is said.
    pub fn namespace(&self) -> Option<&'a str> {
        let overridden =
            |part: &Part<'a>| part.values.get("namespaceOverride")?.as_str().filter(|name| !name.is_empty());
        match self {
            Self::Values(stack, part) => overridden(part).or(stack.namespace),
            Self::Object(object) => object.namespace,
            Self::File => None,
        }
    }

    /// A path of the chart's settings, or of the object, as the user writes it here.
    pub fn shown(&self, path: &str) -> String {
        match self {
            Self::Values(_, part) => part.shown(&self.called(path)),
            Self::Object(_) | Self::File => path.to_owned(),
        }
    }

    /// A path of the chart's settings, or of the object, as the chart calls it.
    pub fn called(&self, path: &str) -> String {
        match self {
            Self::Values(_, part) => part.own_path(&path.split('.').collect::<Vec<_>>()).join("."),
            Self::Object(_) | Self::File => path.to_owned(),
        }
    }

    /// Whether these are values of a scale set that do not say for which GitHub it is: another file or flags do, and
    /// may bring whatever is absent here; or they are written for the other schema, and say it there.
    pub fn is_partial(&self) -> bool {
        let Self::Values(_, part) = self else { return false };
        let said = |key: &&str| part.values.get(key).is_some_and(|value| !self.is_of_chart(value) && !value.is_null());
        part.chart.chart == Chart::GhaRunnerScaleSet && !["githubConfigUrl", "githubConfigSecret"].iter().any(said)
    }

    /// Places to point at, with the user's in front: what a known chart says by default is for the user
    /// to override, also where a copy of the chart lies in the repository.
    pub fn users_first<'v>(&self, mut places: Vec<&'v Value>) -> Vec<&'v Value> {
        places.sort_by_key(|value| self.is_of_chart(value));
        places
    }

    /// Whether a known chart's own defaults wrote a value, also those of a copy that lies in the repository.
    pub fn is_of_chart(&self, value: &Value) -> bool {
        let Self::Values(stack, part) = self else { return false };
        let layer = stack.merged.layer(value.origin.layer).filter(|layer| layer.role == Role::ChartDefault);
        let name = layer.and_then(|layer| layer.name.strip_prefix("chart:")?.split('@').next());
        name.and_then(Chart::from_name) == Some(part.chart.chart)
    }

    /// The values from the top of the stack or object along the home's own path and then `path`, as
    /// far as they exist: the last is the nearest existing ancestor of what is absent.
    pub fn trail(&self, path: &[&str]) -> Vec<&'a Value> {
        let (top, prefix, path): (_, &[String], _) = match self {
            Self::Values(stack, part) => (&stack.merged.values, part.prefix, part.own_path(path)),
            Self::Object(object) => (object.value, &[], path.to_vec()),
            Self::File => return Vec::new(),
        };
        let mut trail = vec![top];
        for key in prefix.iter().map(String::as_str).chain(path) {
            match trail.last().and_then(|value| value.get(key)) {
                Some(value) => trail.push(value),
                None => break,
            }
        }
        trail
    }
}
