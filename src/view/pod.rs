//! Pod templates, wherever they hang: in values of known charts and in objects.

use super::{ContainerKind, Field, Home, Object, Part, PodContainer, Stack};
use crate::knowledge::{Chart, ChartRef};
use crate::values::{Data, LayerId, Origin, Value};

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

/// What the keys of [`Pod::spec`] are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PodShape {
    /// A Kubernetes pod spec.
    Spec,
    /// A legacy runner spec: a pod spec that is also the runner's container.
    RunnerSpec,
    /// Top-level values of a chart that knows a few pod keys (`nodeSelector`, `tolerations`, …).
    ChartValues,
}

/// `containerMode.type` of a scale set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ContainerMode {
    /// Not set, or a word that the chart does not know.
    Unset,
    /// Docker in a side-car that the chart writes.
    Dind,
    /// Job pods with a shared volume.
    Kubernetes,
    /// Job pods without a shared volume.
    KubernetesNoVolume,
    /// Templated.
    Unknown,
}

/// A pod template, wherever it hangs.
#[derive(Debug, Clone)]
pub struct Pod<'a> {
    /// What it is for.
    pub role: PodRole,
    /// Where it was found.
    pub home: Home<'a>,
    /// What carries the pod's keys; an empty value where nothing is written.
    pub spec: &'a Value,
    /// Keys from the home's value to `spec`.
    pub path: &'static [&'static str],
    /// What the keys of `spec` are.
    pub shape: PodShape,
}

static NOTHING: Value = Value { data: Data::Null, origin: Origin { layer: LayerId(0), node: None }, past: Vec::new() };

impl<'a> Pod<'a> {
    fn new(role: PodRole, shape: PodShape, home: Home<'a>, path: &'static [&'static str]) -> Self {
        let spec = home.value().and_then(|value| value.at(path)).unwrap_or(&NOTHING);
        Self { role, home, spec, path, shape }
    }

    /// The pods that the known charts of a stack would render.
    pub fn of_stack(stack: &'a Stack<'a>) -> Vec<Self> {
        stack.parts.iter().flat_map(|part| Self::of_part(stack, part)).collect()
    }

    fn of_part(stack: &'a Stack<'a>, part: &Part<'a>) -> Vec<Self> {
        let pod = |role, shape, path| Self::new(role, shape, Home::Values(stack, part.clone()), path);
        match part.chart.chart {
            Chart::GhaRunnerScaleSet => vec![
                pod(PodRole::Runner, PodShape::Spec, &["template", "spec"]),
                pod(PodRole::Listener, PodShape::Spec, &["listenerTemplate", "spec"]),
            ],
            Chart::GhaRunnerScaleSetController | Chart::ActionsRunnerController => {
                vec![pod(PodRole::Controller, PodShape::ChartValues, &[])]
            }
            Chart::GitlabRunner => vec![pod(PodRole::Manager, PodShape::ChartValues, &[])],
            // Another schema, which no lens reads yet.
            Chart::GhaRunnerScaleSetExperimental | Chart::GhaRunnerScaleSetControllerExperimental => Vec::new(),
        }
    }

    /// The runner, listener, controller and manager pods that an object stands for.
    pub fn of_object(object: &Object<'a>) -> Vec<Self> {
        let pod = |role, shape, path| Self::new(role, shape, Home::Object(object.clone()), path);
        match (object.group(), object.kind) {
            ("actions.github.com", "AutoscalingRunnerSet") => {
                let mut pods = vec![pod(PodRole::Runner, PodShape::Spec, &["spec", "template", "spec"])];
                pods.push(pod(PodRole::Listener, PodShape::Spec, &["spec", "listenerTemplate", "spec"]));
                pods
            }
            ("actions.github.com", "EphemeralRunnerSet") => {
                vec![pod(PodRole::Runner, PodShape::Spec, &["spec", "ephemeralRunnerSpec", "spec"])]
            }
            ("actions.github.com", "EphemeralRunner") => {
                vec![pod(PodRole::Runner, PodShape::Spec, &["spec", "spec"])]
            }
            ("actions.summerwind.dev", "RunnerDeployment" | "RunnerReplicaSet") => {
                vec![pod(PodRole::Runner, PodShape::RunnerSpec, &["spec", "template", "spec"])]
            }
            ("actions.summerwind.dev", "Runner") => vec![pod(PodRole::Runner, PodShape::RunnerSpec, &["spec"])],
            // The runner's settings stand beside a pod template, and win over it.
            ("actions.summerwind.dev", "RunnerSet") => {
                vec![pod(PodRole::Runner, PodShape::Spec, &["spec", "template", "spec"])]
            }
            ("", "Pod") => workload_role(object).map(|role| pod(role, PodShape::Spec, &["spec"])).into_iter().collect(),
            ("apps", "Deployment" | "StatefulSet" | "DaemonSet" | "ReplicaSet") => workload_role(object)
                .map(|role| pod(role, PodShape::Spec, &["spec", "template", "spec"]))
                .into_iter()
                .collect(),
            _ => Vec::new(),
        }
    }

    /// Values from the top along the way to `path` under the spec, as far as they exist.
    pub fn trail(&self, path: &[&str]) -> Vec<&'a Value> {
        self.home.trail(&[self.path, path].concat())
    }

    /// The chart, by the stack's word or the object's labels.
    pub fn chart(&self) -> Option<ChartRef> {
        match &self.home {
            Home::Values(_, part) => Some(part.chart.clone()),
            Home::Object(object) => object.chart(),
            Home::File => None,
        }
    }

    /// `containerMode.type`; what an object holds was expanded already.
    pub fn container_mode(&self) -> ContainerMode {
        let mode = match &self.home {
            Home::Values(_, part) => part.values.get("containerMode"),
            Home::Object(_) | Home::File => None,
        };
        if mode.is_some_and(Value::is_unknown) {
            return ContainerMode::Unknown;
        }
        match Field::of(mode.and_then(|mode| mode.get("type")), Value::as_str) {
            Field::Present("dind", _) => ContainerMode::Dind,
            Field::Present("kubernetes", _) => ContainerMode::Kubernetes,
            Field::Present("kubernetes-novolume", _) => ContainerMode::KubernetesNoVolume,
            Field::Unknown(_) => ContainerMode::Unknown,
            Field::Present(..) | Field::Absent | Field::WrongShape(_) => ContainerMode::Unset,
        }
    }

    /// The containers that are written, `initContainers` first; none where the lists cannot be known.
    pub fn containers(&self) -> Vec<PodContainer<'a>> {
        let mut found = Vec::new();
        if self.shape == PodShape::ChartValues {
            return found;
        }
        if self.shape == PodShape::RunnerSpec && self.spec.as_map().is_some() {
            found.push(PodContainer { kind: ContainerKind::RunnerSpec, name: "runner", value: self.spec });
        }
        let lists = [
            ("initContainers", ContainerKind::Init),
            ("containers", ContainerKind::Main),
            ("sidecarContainers", ContainerKind::Sidecar),
        ];
        for (key, kind) in lists {
            let items = self.spec.get(key).into_iter().flat_map(Value::items);
            found.extend(items.filter_map(|item| PodContainer::of_item(kind, item)));
        }
        found
    }
}

/// What the pods of a workload are for, by the labels that the charts and controllers set.
fn workload_role(object: &Object<'_>) -> Option<PodRole> {
    let pod_labels = object.value.at(&["spec", "template", "metadata", "labels"]);
    let label =
        |key: &str| object.label(key).or_else(|| pod_labels.and_then(|labels| labels.get(key)).and_then(Value::as_str));
    let name = label("app.kubernetes.io/name").unwrap_or_default();
    let component = label("app.kubernetes.io/component").unwrap_or_default();
    let part_of = label("app.kubernetes.io/part-of").unwrap_or_default();
    if component == "runner-scale-set-listener" {
        return Some(PodRole::Listener);
    }
    if component == "runner" || label("actions-ephemeral-runner").is_some() {
        return (part_of.starts_with("gha") || label("actions-ephemeral-runner").is_some()).then_some(PodRole::Runner);
    }
    if part_of == "gha-rs-controller" || part_of == "gha-runner-scale-set-controller" {
        return Some(PodRole::Controller);
    }
    match object.chart().map(|known| known.chart) {
        Some(Chart::GhaRunnerScaleSetController | Chart::ActionsRunnerController) => Some(PodRole::Controller),
        Some(Chart::GitlabRunner) => Some(PodRole::Manager),
        _ if name.starts_with("actions-runner-controller") => Some(PodRole::Controller),
        _ if name == "gitlab-runner" => Some(PodRole::Manager),
        _ => None,
    }
}
