//! Pod templates, wherever they hang: in values of known charts and in objects.

use semver::Version;

use super::legacy::docker_of;
use super::{ContainerKind, Docker, Field, Home, Object, Part, PodContainer, Stack};
use crate::knowledge::legacy_resource::GROUP as LEGACY_GROUP;
use crate::knowledge::{Chart, ChartRef, known_versions};
use crate::values::{Data, Layer, LayerId, Origin, Value};

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

/// Name of the container that the controllers take for the runner.
pub(super) const RUNNER: &str = "runner";

/// The chart that brings the mode `kubernetes-novolume`.
const NO_VOLUME_SINCE: Version = Version::new(0, 13, 0);

/// The lists of a pod spec that hold containers.
const LISTS: [(&str, ContainerKind); 3] = [
    ("initContainers", ContainerKind::Init),
    ("containers", ContainerKind::Main),
    ("sidecarContainers", ContainerKind::Sidecar),
];

static NOTHING: Value = Value { data: Data::Null, origin: Origin { layer: LayerId(0), node: None }, past: Vec::new() };

impl<'a> Pod<'a> {
    fn new(role: PodRole, shape: PodShape, home: Home<'a>, path: &'static [&'static str]) -> Self {
        let spec = home.value().and_then(|value| value.at(path)).unwrap_or(&NOTHING);
        Self { role, home, spec, path, shape }
    }

    /// The pods that the known charts of a stack would render.
    pub fn of_stack(stack: &'a Stack<'a>) -> Vec<Self> {
        stack.parts.iter().filter(|part| part.is_in_own_words()).flat_map(|part| Self::of_part(stack, part)).collect()
    }

    /// The pods that a known chart of a stack would render.
    pub(super) fn of_part(stack: &'a Stack<'a>, part: &Part<'a>) -> Vec<Self> {
        let pod = |role, shape, path| Self::new(role, shape, Home::Values(stack, part.clone()), path);
        match part.chart.chart {
            Chart::GhaRunnerScaleSet | Chart::GhaRunnerScaleSetExperimental => vec![
                pod(PodRole::Runner, PodShape::Spec, &["template", "spec"]),
                pod(PodRole::Listener, PodShape::Spec, &["listenerTemplate", "spec"]),
            ],
            Chart::GhaRunnerScaleSetController | Chart::ActionsRunnerController => {
                vec![pod(PodRole::Controller, PodShape::ChartValues, &[])]
            }
            Chart::GitlabRunner => vec![pod(PodRole::Manager, PodShape::ChartValues, &[])],
            Chart::GhaRunnerScaleSetControllerExperimental => {
                vec![pod(PodRole::Controller, PodShape::Spec, &["controller", "pod", "spec"])]
            }
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
            (LEGACY_GROUP, "RunnerDeployment" | "RunnerReplicaSet") => {
                vec![pod(PodRole::Runner, PodShape::RunnerSpec, &["spec", "template", "spec"])]
            }
            (LEGACY_GROUP, "Runner") => vec![pod(PodRole::Runner, PodShape::RunnerSpec, &["spec"])],
            // The runner's settings stand beside a pod template, and win over it.
            (LEGACY_GROUP, "RunnerSet") => {
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

    /// Whether the chart is newer than those that we have read, so that its templates may differ.
    pub fn chart_is_newer_than_known(&self) -> bool {
        let newer = |chart: ChartRef| chart.version > known_versions(chart.chart).last().cloned();
        matches!(self.home, Home::Values(..)) && self.chart().is_some_and(newer)
    }

    /// `containerMode.type`, as the chart takes it. Objects do not say it: there it is what their pods
    /// show of it (see [`Pod::mode_to_expand`] for what is still to be rendered).
    pub fn container_mode(&self) -> ContainerMode {
        let part = match &self.home {
            Home::Values(_, part) => part,
            Home::Object(_) | Home::File => return self.mode_shown(),
        };
        let mode = part.settings.get("containerMode");
        if mode.is_some_and(Value::is_unknown) {
            return ContainerMode::Unknown;
        }
        let is_too_old = part.chart.version.as_ref().is_some_and(|version| *version < NO_VOLUME_SINCE)
            || part.chart.chart == Chart::GhaRunnerScaleSetExperimental;
        match Field::of(mode.and_then(|mode| mode.get("type")), Value::as_str) {
            Field::Present("dind", _) => ContainerMode::Dind,
            Field::Present("kubernetes", _) => ContainerMode::Kubernetes,
            Field::Present("kubernetes-novolume", _) if !is_too_old => ContainerMode::KubernetesNoVolume,
            Field::Unknown(_) => ContainerMode::Unknown,
            Field::Absent if self.home.is_partial() => ContainerMode::Unknown,
            Field::Present(..) | Field::Absent | Field::WrongShape(_) => ContainerMode::Unset,
        }
    }

    /// The mode that a rendered pod shows: the runner's hooks, or a daemon beside the runner.
    fn mode_shown(&self) -> ContainerMode {
        if let Some(settings) = self.legacy() {
            let is_kubernetes = settings.get("containerMode").and_then(Value::as_str) == Some("kubernetes");
            return if is_kubernetes { ContainerMode::Kubernetes } else { ContainerMode::Unset };
        }
        let hooks = self.runner().map(|runner| runner.env_value("ACTIONS_RUNNER_CONTAINER_HOOKS"));
        match hooks {
            Some(Field::Unknown(_)) => ContainerMode::Unknown,
            Some(Field::Present(script, _)) if script.contains("novolume") => ContainerMode::KubernetesNoVolume,
            Some(Field::Present(script, _)) if script.ends_with("/index.js") => ContainerMode::Kubernetes,
            _ if self.docker_daemons().iter().any(|daemon| !daemon.is_runner()) => ContainerMode::Dind,
            _ => ContainerMode::Unset,
        }
    }

    /// Settings of a legacy runner, which stand beside or among the pod's keys.
    pub fn legacy(&self) -> Option<&'a Value> {
        match &self.home {
            Home::Object(object) if object.group() == LEGACY_GROUP && object.kind == "RunnerSet" => {
                object.value.get("spec")
            }
            _ if self.shape == PodShape::RunnerSpec => Some(self.spec),
            _ => None,
        }
    }

    /// The containers that are written, `initContainers` first.
    pub fn containers(&self) -> Vec<PodContainer<'a>> {
        let mut found = Vec::new();
        if self.shape == PodShape::ChartValues {
            return found;
        }
        let legacy = self.legacy();
        for (key, kind) in LISTS {
            let items = self.spec.get(key).into_iter().flat_map(Value::items);
            found.extend(items.filter_map(|item| PodContainer::of_item(kind, item)));
        }
        let runner = found.iter_mut().find(|container| container.is_runner());
        match (legacy, runner) {
            (Some(settings), Some(runner)) => runner.fallback = Some(settings),
            (Some(value), None) if value.as_map().is_some() => {
                found.push(PodContainer { kind: ContainerKind::RunnerSpec, name: RUNNER, value, fallback: None });
            }
            _ => {}
        }
        found
    }

    /// The container that the controller takes for the runner.
    pub fn runner(&self) -> Option<PodContainer<'a>> {
        if self.role != PodRole::Runner {
            return None;
        }
        self.containers().into_iter().find(|container| container.is_runner())
    }

    /// The container that the controller merges into its listener.
    pub fn listener(&self) -> Option<PodContainer<'a>> {
        let is_listener =
            |container: &PodContainer<'_>| container.kind == ContainerKind::Main && container.name == "listener";
        self.containers().into_iter().find(is_listener).filter(|_| self.role == PodRole::Listener)
    }

    /// The privileged containers that the chart or controller makes, each with the value that causes it.
    pub fn generated(&self) -> Vec<Generated<'a>> {
        let generated = match (self.role, self.legacy(), self.mode_to_expand()) {
            (PodRole::Runner, Some(settings), _) => docker_of_legacy(settings),
            (PodRole::Runner, None, ContainerMode::Dind) => {
                let given = || self.home.own(&["runner", "dind", "container", "securityContext"]);
                let is_private = given().is_some_and(|context| {
                    !context.is_empty() && context.get("privileged").and_then(Value::as_bool) != Some(true)
                });
                let cause = self.trail_of_mode().last().copied().filter(|_| !is_private);
                cause.map(|cause| Generated { name: "dind", cause })
            }
            _ => None,
        };
        generated.into_iter().collect()
    }

    /// Values from the top to `containerMode.type`, as far as they exist.
    pub fn trail_of_mode(&self) -> Vec<&'a Value> {
        self.home.trail(&["containerMode", "type"])
    }

    /// What the container of that name and kind was in the lists that the merged one replaced, the
    /// highest layer first.
    pub fn earlier(&self, container: &PodContainer<'_>) -> Vec<PodContainer<'a>> {
        let key = LISTS.iter().find(|(_, kind)| *kind == container.kind).map(|(key, _)| *key);
        let Some(list) = key.and_then(|key| self.spec.get(key)) else { return Vec::new() };
        let items = list.past.iter().rev().flat_map(|past| past.value.items());
        items
            .filter_map(|item| PodContainer::of_item(container.kind, item))
            .filter(|earlier| earlier.name == container.name)
            .collect()
    }

    /// What a flag above the item's own layer left of a field: a null, or nothing in it.
    pub fn emptied(&self, container: &PodContainer<'a>, key: &str) -> Option<&'a Value> {
        container.value.get(key).filter(|value| value.origin.layer != container.value.origin.layer)
    }

    /// The layer that wrote a value of this pod; none outside values.
    pub fn layer(&self, value: &Value) -> Option<&'a Layer> {
        match &self.home {
            Home::Values(stack, _) => stack.merged.layer(value.origin.layer),
            Home::Object(_) | Home::File => None,
        }
    }

    /// Whether it surely runs on Windows.
    pub fn is_windows(&self) -> bool {
        let selector = self.spec.at(&["nodeSelector", "kubernetes.io/os"]).and_then(Value::as_str);
        let os = self.spec.at(&["os", "name"]).and_then(Value::as_str);
        [selector, os].contains(&Some("windows"))
    }
}

/// A privileged container that nobody wrote as such.
#[derive(Debug, Clone, Copy)]
pub struct Generated<'a> {
    /// Its name.
    pub name: &'static str,
    /// The value that makes the chart or controller do it.
    pub cause: &'a Value,
}

/// The legacy controller adds a Docker side-car unless it is told not to, or lets the runner itself be
/// the daemon; the cause is the spec itself where nothing is said.
fn docker_of_legacy(settings: &Value) -> Option<Generated<'_>> {
    settings.as_map()?;
    match docker_of(settings) {
        Docker::Within => Some(Generated { name: RUNNER, cause: settings.get("dockerdWithinRunnerContainer")? }),
        Docker::Sidecar => Some(Generated { name: "docker", cause: settings.get("dockerEnabled").unwrap_or(settings) }),
        Docker::Off | Docker::Unknown => None,
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
