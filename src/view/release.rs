//! Releases of the known charts: by hand from values, by Flux' HelmRelease, by Argo CD's Application, by K3s' HelmChart.

mod argo;
mod flux;
mod k3s;
#[cfg(test)]
mod tests;

use semver::Version;

use super::{Field, Fleet, Home, Object, Part, Stack, is_templated};
use crate::knowledge::{Chart, ChartRef};
use crate::values::Value;

/// Who installs it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deployer {
    /// Helm, as far as can be seen: there are only values.
    Helm,
    /// Flux, with access to the cluster while it renders.
    Flux,
    /// Argo CD, which renders without a cluster.
    ArgoCd,
    /// The controller of K3s and RKE2, which runs Helm in the cluster.
    K3s,
}

/// A chart that is installed under a name.
#[derive(Debug, Clone)]
pub struct Release<'a> {
    /// Who installs it.
    pub by: Deployer,
    /// The chart; none where it is of the user's own making, or not said.
    pub chart: Option<Chart>,
    /// The chart's version; none for ranges and where it is not known.
    pub version: Option<Version>,
    /// Where the version stands.
    pub version_at: Option<&'a Value>,
    /// The release's name, where it is known.
    pub name: Option<String>,
    /// The namespace, where it is known.
    pub namespace: Option<&'a str>,
    /// Values files that it names, as it names them.
    pub files: Vec<&'a str>,
    /// Folder of the chart, where it is one of a repository.
    pub path: Option<&'a str>,
    /// Its values, where they are in view as a map.
    pub values: Option<&'a Value>,
    /// Its values, where they are YAML in a string.
    pub text: Option<&'a Value>,
    /// Names of parameters, which set single values.
    pub parameters: Vec<&'a str>,
    /// Whether nothing else gives it values, its files aside.
    pub is_whole: bool,
    /// The values that its files come to, where all of them are in view.
    pub merged: Option<&'a Value>,
    /// The stack or object that asks for it.
    pub home: Home<'a>,
}

impl<'a> Release<'a> {
    fn new(by: Deployer, object: &Object<'a>) -> Self {
        Self {
            by,
            chart: None,
            version: None,
            version_at: None,
            name: None,
            namespace: None,
            files: Vec::new(),
            path: None,
            values: None,
            text: None,
            parameters: Vec::new(),
            is_whole: true,
            merged: None,
            home: Home::Object(object.clone()),
        }
    }

    fn of_part(stack: &'a Stack<'a>, part: &Part<'a>) -> Self {
        Self {
            by: Deployer::Helm,
            chart: Some(part.chart.chart),
            version: part.chart.version.clone(),
            version_at: None,
            name: stack.release.map(str::to_owned),
            namespace: stack.namespace,
            files: Vec::new(),
            path: None,
            values: Some(part.values),
            text: None,
            parameters: Vec::new(),
            is_whole: true,
            merged: None,
            home: Home::Values(stack, part.clone()),
        }
    }

    /// The releases that GitOps controllers are asked for.
    pub fn of_objects(objects: &[Object<'a>]) -> Vec<Self> {
        let read = |object: &Object<'a>| match (object.group(), object.kind) {
            ("helm.toolkit.fluxcd.io", "HelmRelease") => flux::read(object, objects).into_iter().collect(),
            ("argoproj.io", "Application" | "ApplicationSet") => argo::read(object),
            ("helm.cattle.io", "HelmChart") => k3s::read(object, objects).into_iter().collect(),
            _ => Vec::new(),
        };
        objects.iter().flat_map(read).collect()
    }

    /// Its chart with the version, as far as that is said.
    pub fn chart_ref(&self) -> Option<ChartRef> {
        let chart = self.chart?;
        let of_range = || ChartRef::said(chart, known(self.version_at).unwrap_or_default()).version;
        Some(ChartRef { chart, version: self.version.clone().or_else(of_range) })
    }

    /// The namespace that its objects go to: the charts let values say another.
    pub fn target_namespace(&self) -> Option<&'a str> {
        match self.values.and_then(|values| values.get("namespaceOverride")).filter(|value| !value.is_empty()) {
            Some(said) => said.as_str().filter(|_| !said.is_unknown()),
            None => self.namespace,
        }
    }

    /// A setting of its values, over which the chart's defaults are not laid.
    pub fn setting<T>(&self, path: &[&str], read: impl FnOnce(&'a Value) -> Option<T>) -> Field<'a, T> {
        let is_seen = self.is_whole && self.text.is_none() && self.parameters.is_empty();
        match (self.values, self.merged, self.files.is_empty() && self.path.is_none()) {
            (values, None, true) if is_seen => Field::of(values.and_then(|values| values.at(path)), read),
            (None, Some(merged), _) if is_seen => Field::of(merged.at(path), read),
            _ => Field::Unknown(None),
        }
    }

    /// What is to be pointed at where nothing nearer is said.
    pub fn value(&self) -> Option<&'a Value> {
        self.home.value()
    }

    /// Whether it may set a top-level value, as far as can be seen without its files.
    pub fn may_set(&self, key: &str) -> bool {
        self.sets([self.values, self.text], key)
    }

    /// Whether it may set a top-level value beside the values of a stack, which may be those that it holds.
    pub fn may_set_beside(&self, stack: &Stack<'_>, key: &str) -> bool {
        let others = |values: &&Value| stack.inlined.is_none() || values.origin.node != stack.inlined;
        self.sets([self.values.filter(others), self.text.filter(others)], key) || !self.names_only(stack)
    }

    fn sets(&self, [values, text]: [Option<&Value>; 2], key: &str) -> bool {
        !self.is_whole
            || values.is_some_and(|values| values.get(key).is_some())
            || text.and_then(Value::as_str).is_some_and(|text| text.contains(key))
            || self.parameters.iter().any(|name| name.starts_with(key))
    }

    /// Whether it installs the values of a part of a stack: it holds them, names their files, or is of that name.
    pub fn installs(&self, stack: &Stack<'_>, part: &Part<'_>) -> bool {
        let is_same_chart = self.chart == Some(part.chart.chart);
        if matches!(self.home, Home::Values(..)) || self.chart.is_some() && !is_same_chart {
            return false;
        }
        if let Some(at) = stack.inlined {
            return [self.values, self.text].into_iter().flatten().any(|values| values.origin.node == Some(at));
        }
        if is_same_chart && stack.release.is_some() && stack.release == self.name.as_deref() {
            return true;
        }
        self.named_files().iter().any(|name| stack.paths.iter().any(|file| is_same_file(name, file)))
    }

    /// Whether all files that it names are among a stack's.
    pub fn names_only(&self, stack: &Stack<'_>) -> bool {
        self.named_files().iter().all(|name| stack.paths.iter().any(|file| is_same_file(name, file)))
    }

    /// The files that it is installed with, from the top of their repository.
    fn named_files(&self) -> Vec<String> {
        let folder = self.path.unwrap_or_default().trim_matches(['.', '/']);
        let inside = |name: &str| match folder {
            "" => name.to_owned(),
            folder => format!("{folder}/{name}"),
        };
        let full = |name: &&str| match name.strip_prefix('$').and_then(|rest| rest.split_once('/')) {
            Some((_, name)) => name.to_owned(),
            None if name.starts_with('/') => name.trim_start_matches('/').to_owned(),
            None => inside(name.trim_start_matches("./")),
        };
        if self.files.is_empty() && self.path.is_some() {
            return vec![inside("values.yaml")];
        }
        self.files.iter().map(full).collect()
    }
}

impl<'a> Home<'a> {
    /// The namespace, where it is known: by its own word, or by that of the release that installs it.
    pub fn namespace_among(&self, releases: &[Release<'a>]) -> Option<&'a str> {
        let of_release = || match self {
            Self::Values(stack, part) => releases.iter().find(|one| one.installs(stack, part))?.namespace,
            Self::Object(_) | Self::File => None,
        };
        self.namespace().or_else(of_release).filter(|name| !is_templated(name))
    }
}

/// Whether two names are of one file, seen from different folders: one ends in the other.
fn is_same_file(one: &str, other: &str) -> bool {
    let (one, other) = (plain(one), plain(other));
    let ends_in = |long: &str, short: &str| {
        long.strip_suffix(short).is_some_and(|rest| rest.is_empty() || rest.ends_with('/')) && !short.is_empty()
    };
    ends_in(&one, &other) || ends_in(&other, &one)
}

/// A path without its steps up and `.`.
fn plain(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// A version that is no range.
fn exact(text: &str) -> Option<Version> {
    Version::parse(text.strip_prefix('v').unwrap_or(text)).ok()
}

/// A text that is known.
fn known(value: Option<&Value>) -> Option<&str> {
    value.filter(|value| !value.is_unknown()).and_then(Value::as_str).filter(|text| !text.is_empty())
}

impl<'a> Fleet<'a> {
    /// All releases: those that GitOps controllers are asked for, and what else lies there as values.
    pub fn releases(&self) -> Vec<Release<'a>> {
        let mut asked_for = Release::of_objects(self.objects);
        let mut by_hand = Vec::new();
        for stack in self.stacks.iter().filter(|stack| stack.inlined.is_none()) {
            for part in &stack.parts {
                let mut installing: Vec<_> =
                    asked_for.iter_mut().filter(|release| release.installs(stack, part)).collect();
                for release in installing.iter_mut().filter(|release| release.names_only(stack)) {
                    release.merged = Some(part.values);
                }
                if !installing.iter().any(|release| release.chart.is_some()) {
                    by_hand.push(Release::of_part(stack, part));
                }
            }
        }
        asked_for.extend(by_hand);
        asked_for
    }
}
