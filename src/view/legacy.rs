//! ARC's legacy resources: what runs runners, and what scales it.

mod scaling;

pub use scaling::{LegacyScaling, Target, is_near_name};

use super::{Field, Home, Object, is_templated};
use crate::knowledge::legacy_resource::GROUP;
use crate::values::Value;

/// An object that makes legacy runners.
#[derive(Debug, Clone)]
pub struct LegacyRunner<'a> {
    /// The object.
    pub object: Object<'a>,
    /// What carries the runner's settings (`organization`, `labels`, `dockerEnabled`, …).
    pub settings: &'a Value,
    /// Keys from the object to the settings.
    path: &'static [&'static str],
}

/// How the jobs of a legacy runner get at Docker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Docker {
    /// From a side-car that the controller adds.
    Sidecar,
    /// From a daemon in the runner's container.
    Within,
    /// Not at all: it is switched off.
    Off,
    /// That cannot be known.
    Unknown,
}

impl<'a> LegacyRunner<'a> {
    /// The legacy runners that an object makes; none for other objects, and for those without settings.
    pub fn of_object(object: &Object<'a>) -> Option<Self> {
        if object.group() != GROUP {
            return None;
        }
        let path: &'static [&'static str] = match object.kind {
            "RunnerDeployment" | "RunnerReplicaSet" => &["spec", "template", "spec"],
            "RunnerSet" | "Runner" => &["spec"],
            _ => return None,
        };
        let settings = object.value.at(path).filter(|settings| settings.as_map().is_some())?;
        Some(Self { object: object.clone(), settings, path })
    }

    /// The setting at a key; null and an empty string are the same as absent.
    pub fn at(&self, key: &str) -> Option<&'a Value> {
        self.settings.get(key).filter(|value| !value.is_null() && value.as_str() != Some(""))
    }

    /// Values from the top along the way to `path` under the settings, as far as they exist.
    pub fn trail(&self, path: &[&str]) -> Vec<&'a Value> {
        Home::Object(self.object.clone()).trail(&[self.path, path].concat())
    }

    /// How its jobs get at Docker.
    pub fn docker(&self) -> Docker {
        docker_of(self.settings)
    }

    /// `spec.replicas`.
    pub fn replicas(&self) -> Field<'a, f64> {
        Field::of(self.object.value.at(&["spec", "replicas"]), Value::as_f64)
    }
}

/// How the runner with these settings gets at Docker.
pub(super) fn docker_of(settings: &Value) -> Docker {
    let is = |key: &str, default| match Field::of(settings.get(key), Value::as_bool) {
        Field::Present(value, _) => Some(value),
        Field::Absent => Some(default),
        Field::WrongShape(_) | Field::Unknown(_) => None,
    };
    match Field::of(settings.get("containerMode"), Value::as_str) {
        Field::Present("kubernetes", _) => return Docker::Off,
        Field::Unknown(_) | Field::WrongShape(_) => return Docker::Unknown,
        Field::Present(..) | Field::Absent => {}
    }
    match (is("dockerdWithinRunnerContainer", false), is("dockerEnabled", true)) {
        (Some(true), _) => Docker::Within,
        (Some(false), Some(true)) => Docker::Sidecar,
        (Some(false), Some(false)) => Docker::Off,
        _ => Docker::Unknown,
    }
}

/// A HorizontalRunnerAutoscaler.
#[derive(Debug, Clone)]
pub struct Autoscaler<'a> {
    /// The object.
    pub object: Object<'a>,
    /// Its `spec`.
    pub spec: &'a Value,
}

impl<'a> Autoscaler<'a> {
    /// The autoscaler that an object is.
    pub fn of_object(object: &Object<'a>) -> Option<Self> {
        let is_autoscaler = object.group() == GROUP && object.kind == "HorizontalRunnerAutoscaler";
        let spec = object.value.get("spec").filter(|_| is_autoscaler)?;
        Some(Self { object: object.clone(), spec })
    }

    /// `spec.scaleTargetRef`.
    pub fn target(&self) -> Option<&'a Value> {
        self.spec.get("scaleTargetRef")
    }

    /// The name of what it scales.
    pub fn target_name(&self) -> Field<'a, &'a str> {
        Field::of(self.target().and_then(|target| target.get("name")), Value::as_str)
    }

    /// The kind of what it scales, which need not be said.
    pub fn target_kind(&self) -> Field<'a, &'a str> {
        match Field::of(self.target().and_then(|target| target.get("kind")), Value::as_str) {
            Field::Present("", _) => Field::Absent,
            field => field,
        }
    }

    /// Whether it looks for a kind where none is said too; none where that cannot be known.
    pub fn wants_kind(&self, kind: &str) -> Option<bool> {
        match self.target_kind() {
            Field::Present(wanted, _) => Some(wanted == kind),
            Field::Absent => Some(kind == "RunnerDeployment"),
            Field::WrongShape(_) | Field::Unknown(_) => None,
        }
    }

    /// Whether it scales these runners, or may.
    pub fn may_scale(&self, runner: &LegacyRunner<'_>) -> bool {
        let may_mean = |name: Field<'_, &str>| match name {
            Field::Present(name, _) => name == runner.object.name,
            Field::Unknown(_) => true,
            Field::Absent | Field::WrongShape(_) => false,
        };
        self.wants_kind(runner.object.kind) != Some(false)
            && may_mean(self.target_name())
            && may_share_namespace(&self.object, &runner.object)
    }

    /// Whether it surely scales these runners, as far as names and namespaces say it.
    pub fn scales(&self, runner: &LegacyRunner<'_>) -> bool {
        self.wants_kind(runner.object.kind) == Some(true)
            && self.target_name().known() == Some(runner.object.name)
            && may_share_namespace(&self.object, &runner.object)
    }
}

/// Whether two objects may lie in one namespace: one that is not said is that of the command line.
fn may_share_namespace(a: &Object<'_>, b: &Object<'_>) -> bool {
    a.namespace.zip(b.namespace).is_none_or(|(a, b)| a == b || is_templated(a) || is_templated(b))
}
