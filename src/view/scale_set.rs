//! Scale sets of runners, in values of their chart and as objects.

use super::{ContainerMode, Field, Home, Object, Pod, PodRole, Stack};
use crate::knowledge::ChartRef;
use crate::values::Value;

/// A scale set. Values and objects call most of its settings the same.
#[derive(Debug, Clone)]
pub struct ScaleSet<'a> {
    /// Where it was found.
    pub home: Home<'a>,
    /// The chart's block of values, or the object's `spec`.
    pub settings: &'a Value,
    /// Keys from the home's value to the settings.
    path: &'static [&'static str],
}

impl<'a> ScaleSet<'a> {
    /// The scale sets of a stack.
    pub fn of_stack(stack: &'a Stack<'a>) -> Vec<Self> {
        let parts = stack.parts.iter().filter(|part| part.chart.chart.is_scale_set() && part.is_in_own_words());
        let set = |part: &super::Part<'a>| Self {
            home: Home::Values(stack, part.clone()),
            settings: part.settings,
            path: &[],
        };
        parts.map(set).collect()
    }

    /// The scale set that an object is.
    pub fn of_object(object: &Object<'a>) -> Option<Self> {
        let is_set = object.group() == "actions.github.com" && object.kind == "AutoscalingRunnerSet";
        let settings = object.value.get("spec").filter(|_| is_set)?;
        Some(Self { home: Home::Object(object.clone()), settings, path: &["spec"] })
    }

    /// Whether it stands in values, before its chart rendered it.
    pub fn is_values(&self) -> bool {
        matches!(self.home, Home::Values(..))
    }

    /// Values from the top along the way to `path` under the settings, as far as they exist.
    pub fn trail(&self, path: &[&str]) -> Vec<&'a Value> {
        self.home.trail(&[self.path, path].concat())
    }

    /// Places to point at for the setting at `path`: what it is, what it beat, then what is around it.
    pub fn places(&self, path: &[&str]) -> Vec<&'a Value> {
        let mut places: Vec<_> = self.trail(path).into_iter().rev().collect();
        let past = self.at(path).into_iter().flat_map(|value| value.past.iter().rev()).map(|past| &past.value);
        places.splice(1.min(places.len())..1.min(places.len()), past);
        places
    }

    /// The setting at `path`; null is the same as absent.
    pub fn at(&self, path: &[&str]) -> Option<&'a Value> {
        self.settings.at(path).filter(|value| !value.is_null())
    }

    /// The chart, by the stack's word or the object's labels.
    pub fn chart(&self) -> Option<ChartRef> {
        match &self.home {
            Home::Values(_, part) => Some(part.chart.clone()),
            Home::Object(object) => object.chart(),
            Home::File => None,
        }
    }

    /// Whether its chart is surely older than a version.
    pub fn chart_is_before(&self, major: u64, minor: u64, patch: u64) -> bool {
        let version = self.chart().and_then(|chart| chart.version);
        version.is_some_and(|version| version < semver::Version::new(major, minor, patch))
    }

    /// Whether its chart is newer than those that we have read, so that its templates may differ.
    pub fn chart_is_newer_than_known(&self) -> bool {
        self.runner_pod().is_some_and(|pod| pod.chart_is_newer_than_known())
    }

    /// The name that workflows ask for: what is said, else the release's, which need not be known.
    pub fn name(&self) -> Field<'a, &'a str> {
        match (Field::of(self.at(&["runnerScaleSetName"]), Value::as_str), &self.home) {
            (Field::Absent | Field::Present("", _), Home::Values(stack, part)) => {
                stack.release.map_or(Field::Unknown(None), |release| Field::Present(release, part.settings))
            }
            (Field::Absent | Field::Present("", _), Home::Object(object)) => {
                let name = object.value.at(&["metadata", "name"]);
                Field::of(name, Value::as_str)
            }
            (field, _) => field,
        }
    }

    /// Its runner pods.
    pub fn runner_pod(&self) -> Option<Pod<'a>> {
        self.pod(PodRole::Runner)
    }

    /// Its listener pod.
    pub fn listener_pod(&self) -> Option<Pod<'a>> {
        self.pod(PodRole::Listener)
    }

    fn pod(&self, role: PodRole) -> Option<Pod<'a>> {
        let pods = match &self.home {
            Home::Values(stack, part) => Pod::of_part(stack, part),
            Home::Object(object) => Pod::of_object(object),
            Home::File => Vec::new(),
        };
        pods.into_iter().find(|pod| pod.role == role)
    }

    /// How its jobs get their containers (see [`Pod::container_mode`]).
    pub fn container_mode(&self) -> ContainerMode {
        self.runner_pod().map_or(ContainerMode::Unknown, |pod| pod.container_mode())
    }
}
