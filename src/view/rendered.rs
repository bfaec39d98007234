//! Runner pods as the chart renders them: what is written, with what the container mode adds and leaves out.

mod dind;
mod experimental;
mod maker;
#[cfg(test)]
mod tests;
mod tls;

use std::borrow::Cow;

use indexmap::IndexMap;
use semver::Version;

use super::pod::RUNNER;
use super::{ContainerMode, Field, Home, Pod, PodRole, PodShape};
use crate::knowledge::{Chart, known_versions};
use crate::values::{Data, Map, Value};
use dind::Docker;
use maker::Maker;
use tls::Tls;

/// A pod as it comes out of the chart. What is written keeps its origin; what the chart adds has the
/// origin of the value that causes it.
#[derive(Debug)]
pub struct Rendered<'a> {
    pod: Pod<'a>,
    spec: Cow<'a, Value>,
    mode: Option<&'a Value>,
}

impl<'a> Pod<'a> {
    /// What the chart renders of it; an object, which was rendered already, stays as it is. None where
    /// that cannot be known: the mode, the TLS settings or a list of containers or volumes is templated, or
    /// of a shape that the chart refuses.
    ///
    /// The chart asks the cluster for its version to place its daemon: here it is an init container that
    /// keeps running for every chart that knows this form. That chart 0.12.0 adds it in other modes too
    /// is not shown.
    pub fn rendered(&self) -> Option<Rendered<'a>> {
        let as_written = || Some(Rendered { pod: self.clone(), spec: Cow::Borrowed(self.spec), mode: None });
        let Home::Values(_, part) = &self.home else { return as_written() };
        if !part.chart.chart.is_scale_set() || self.role != PodRole::Runner {
            return as_written();
        }
        let mode = self.mode_to_expand();
        let readable = LISTS.iter().all(|key| is_list_or_nothing(self.spec.get(key)));
        if mode == ContainerMode::Unknown || !readable || self.spec.is_unknown() {
            return None;
        }
        let is_word = matches!(Field::of(part.values.get("containerMode"), Value::as_map), Field::WrongShape(_));
        if part.chart.chart == Chart::GhaRunnerScaleSetExperimental {
            let cause = *self.trail_of_mode().last()?;
            let spec = experimental::Expansion::of(&self.home, mode, cause)?.spec(self.spec);
            let mode = (mode != ContainerMode::Unset).then_some(cause);
            return Some(Rendered { pod: self.clone(), spec: Cow::Owned(spec), mode });
        }
        let newest = || known_versions(Chart::GhaRunnerScaleSet).last().cloned();
        let chart = Expansion {
            mode,
            version: part.chart.version.clone().or_else(newest)?,
            cause: *self.trail_of_mode().last()?,
            claim: part.values.at(&["containerMode", "kubernetesModeWorkVolumeClaim"]),
            tls: Tls::read(part.values)?,
        };
        if is_word {
            return None;
        }
        let spec = Cow::Owned(chart.spec(self.spec));
        let mode = (mode != ContainerMode::Unset).then_some(chart.cause);
        Some(Rendered { pod: self.clone(), spec, mode })
    }

    /// `containerMode.type` where the chart is still to act on it: nothing in objects.
    pub fn mode_to_expand(&self) -> ContainerMode {
        match self.home {
            Home::Values(..) if self.shape == PodShape::Spec => self.container_mode(),
            _ => ContainerMode::Unset,
        }
    }
}

impl Rendered<'_> {
    /// The same pod, with the rendered spec.
    pub fn pod(&self) -> Pod<'_> {
        Pod { spec: &self.spec, ..self.pod.clone() }
    }

    /// Where the values have settings of the daemon that the chart adds; none where it takes no such settings.
    pub fn daemon_settings(&self) -> Option<String> {
        let home = &self.pod.home;
        home.is_experimental().then(|| home.shown("runner.dind.container"))
    }

    /// Whether the chart adds a value of the rendered spec because of its mode.
    pub fn adds(&self, value: &Value) -> bool {
        self.mode.is_some_and(|mode| mode.origin == value.origin)
    }
}

const LISTS: [&str; 3] = ["containers", "initContainers", "volumes"];

fn is_list_or_nothing(value: Option<&Value>) -> bool {
    value.is_none_or(|value| value.is_null() || value.as_list().is_some())
}

/// What the chart goes by.
struct Expansion<'a> {
    mode: ContainerMode,
    version: Version,
    /// `containerMode.type`, or what is nearest to it.
    cause: &'a Value,
    claim: Option<&'a Value>,
    tls: Option<Tls<'a>>,
}

impl Expansion<'_> {
    fn spec(&self, written: &Value) -> Value {
        let make = Maker::of(self.cause);
        let mut spec = written.clone();
        if !matches!(spec.data, Data::Map(_)) {
            spec.data = Data::Map(Map::default());
        }
        let Data::Map(Map { entries, .. }) = &mut spec.data else { return spec };
        let items = |key: &str| written.get(key).into_iter().flat_map(Value::items).cloned().collect::<Vec<_>>();
        let (containers, init, volumes) = (items("containers"), items("initContainers"), items("volumes"));
        let docker = (self.mode == ContainerMode::Dind).then(|| Docker::of(&self.version, make));
        let runner = containers.iter().find(|item| is_named(item, RUNNER));
        let daemon = docker.as_ref().map(Docker::daemon);
        let (native, beside) =
            if docker.as_ref().is_some_and(|docker| docker.is_native) { (daemon, None) } else { (None, daemon) };

        let externals = docker.as_ref().map(|docker| docker.externals(runner));
        let init = externals.into_iter().chain(native).chain(init).collect();
        let volumes = self.volumes(volumes, docker.as_ref());
        let containers = self.containers(containers, docker.as_ref(), beside);
        put(entries, "initContainers", init, make);
        put(entries, "containers", containers, make);
        put(entries, "volumes", volumes, make);
        spec
    }

    fn containers(&self, written: Vec<Value>, docker: Option<&Docker<'_>>, daemon: Option<Value>) -> Vec<Value> {
        let make = Maker::of(self.cause);
        if self.mode == ContainerMode::Unset {
            let expand = |item| if is_named(&item, RUNNER) { self.runner(item, None) } else { item };
            return written.into_iter().map(expand).collect();
        }
        let (runners, others): (Vec<_>, Vec<_>) = written.into_iter().partition(|item| is_named(item, RUNNER));
        // Without a runner in the values the chart writes one that has a name and nothing else.
        let named = || make.map([("name", make.text(RUNNER))]);
        let runner = runners.into_iter().next().map_or_else(named, |runner| self.runner(runner, docker));
        let others = others.into_iter().filter(|item| docker.is_none() || !is_named(item, "dind"));
        [runner].into_iter().chain(daemon).chain(others).collect()
    }

    fn runner(&self, mut runner: Value, docker: Option<&Docker<'_>>) -> Value {
        let make = Maker::of(self.cause);
        let (mut env, mut mounts) = match self.mode {
            ContainerMode::Kubernetes => (hooks(make, "/home/runner/k8s/index.js"), vec![make.work()]),
            ContainerMode::KubernetesNoVolume => {
                let mut env = hooks(make, "/home/runner/k8s-novolume/index.js");
                let image = runner.get("image").and_then(Value::as_str).unwrap_or_default();
                env.push(make.env("ACTIONS_RUNNER_IMAGE", image));
                (env, Vec::new())
            }
            _ => docker.map(|docker| (docker.env(), docker.runner_mounts())).unwrap_or_default(),
        };
        if let Some(tls) = &self.tls {
            env.extend(tls.env());
            mounts.push(tls.mount());
        }
        append_new(&mut runner, "env", env);
        append_new(&mut runner, "volumeMounts", mounts);
        runner
    }

    fn volumes(&self, written: Vec<Value>, docker: Option<&Docker<'_>>) -> Vec<Value> {
        let make = Maker::of(self.cause);
        let mut all: Vec<_> = self.tls.iter().map(Tls::volume).collect();
        all.extend(docker.map(Docker::volumes).unwrap_or_default());
        let work = match self.mode {
            ContainerMode::Dind => Some(make.empty_dir("work")),
            ContainerMode::Kubernetes => Some(make.claimed("work", self.claim)),
            _ => None,
        };
        let Some(work) = work else {
            all.extend(written);
            return all;
        };
        let (own, others): (Vec<_>, Vec<_>) = written.into_iter().partition(|volume| is_named(volume, "work"));
        let is_own = !own.is_empty();
        all.extend(own);
        all.extend((!is_own).then_some(work));
        all.extend(others);
        all
    }
}

/// What the hooks of the runner are told.
fn hooks(make: Maker<'_>, script: &str) -> Vec<Value> {
    let field = make.map([("fieldPath", make.text("metadata.name"))]);
    let from = make.map([("fieldRef", field)]);
    vec![
        make.env("ACTIONS_RUNNER_CONTAINER_HOOKS", script),
        make.map([("name", make.text("ACTIONS_RUNNER_POD_NAME")), ("valueFrom", from)]),
        make.env("ACTIONS_RUNNER_REQUIRE_JOB_CONTAINER", "true"),
    ]
}

/// Sets a list; an empty one only where something was written.
fn put(entries: &mut IndexMap<String, Value>, key: &str, items: Vec<Value>, make: Maker<'_>) {
    match entries.get_mut(key) {
        Some(old) if !old.is_null() => old.data = Data::List(items),
        _ if items.is_empty() => {}
        _ => {
            entries.insert(key.to_owned(), make.list(items));
        }
    }
}

/// Appends the items whose names a list of the container does not have; a list that cannot be read stays.
fn append_new(container: &mut Value, key: &str, items: Vec<Value>) {
    let Data::Map(map) = &mut container.data else { return };
    let Some(first) = items.first() else { return };
    let origin = first.origin;
    let list = map.entries.entry(key.to_owned()).or_insert_with(|| Value::new(Data::Null, origin));
    if list.is_null() {
        *list = Value::new(Data::List(Vec::new()), origin);
    }
    let Data::List(written) = &mut list.data else { return };
    for item in items {
        let name = item.get("name").and_then(Value::as_str).unwrap_or_default();
        if !written.iter().any(|old| is_named(old, name)) {
            written.push(item);
        }
    }
}

fn is_named(item: &Value, name: &str) -> bool {
    item.get("name").and_then(Value::as_str) == Some(name)
}
