//! GitLab Runner's TOML as the runner's own decoder sees it.

use super::{Field, Home, RunnerConfig};
use crate::knowledge::Chart;
use crate::syntax::{NodeRef, Trees};
use crate::text::Sources;
use crate::values::{Data, Value};

/// How jobs are run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Executor {
    /// A pod per job.
    Kubernetes,
    /// A container per job.
    Docker,
    /// Another one.
    Other,
    /// Templated, or not said where it would have to be.
    Unknown,
}

/// The kinds of container in a job's pod.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Container {
    /// Runs the script.
    Build,
    /// Fetches sources, caches and artifacts.
    Helper,
    /// Each of the job's services.
    Service,
}

impl Container {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Build, Self::Helper, Self::Service];

    /// The word for it in the runner's documentation.
    pub fn name(self) -> &'static str {
        match self {
            Self::Build => "build",
            Self::Helper => "helper",
            Self::Service => "service",
        }
    }

    /// Key of its memory limit under `[runners.kubernetes]`.
    pub fn memory_limit_key(self) -> &'static str {
        match self {
            Self::Build => "memory_limit",
            Self::Helper => "helper_memory_limit",
            Self::Service => "service_memory_limit",
        }
    }

    fn security_context_key(self) -> &'static str {
        match self {
            Self::Build => "build_container_security_context",
            Self::Helper => "helper_container_security_context",
            Self::Service => "service_container_security_context",
        }
    }
}

/// One `[[runners]]` entry.
#[derive(Debug, Clone)]
pub struct Runner<'a> {
    /// The entry.
    pub value: &'a Value,
    /// What runs its jobs.
    pub executor: Executor,
    /// Whether template markup may bring further settings, or some were not read, so that nothing is known to be absent.
    pub is_open: bool,
    /// Names of environment variables that the chart hands to `register`, where some beat its settings.
    environment: Vec<&'a str>,
    /// Tags of the jobs that it takes and whether it takes untagged ones, where that is said.
    tags: Option<(Vec<&'a str>, bool)>,
}

impl<'a> RunnerConfig<'a> {
    /// The runners of the file.
    pub fn runners(&self, trees: &Trees) -> Vec<Runner<'a>> {
        let tree = trees.get(self.tree);
        let is_open = tree.is_none_or(|tree| !tree.statements.is_empty() || !tree.errors.is_empty());
        let Some(list) = lookup(self.values, "runners").and_then(|found| found.ok()) else { return Vec::new() };
        let environment = self.environment();
        let runner = |value| Runner {
            value,
            executor: self.executor(value),
            is_open,
            environment: environment.clone(),
            tags: self.tags(),
        };
        list.items().map(runner).collect()
    }

    /// Whether it is what `register --template-config` reads, and not the configuration itself: only
    /// its first runner counts, and what flags and environment say beats it.
    pub fn is_template(&self, trees: &Trees, sources: &Sources) -> bool {
        let Some(tree) = trees.get(self.tree) else { return false };
        match &self.home {
            Home::Values(..) => true,
            Home::Object(_) => {
                let key = self.host(trees).and_then(|host| trees.node(host)?.key());
                key.is_some_and(|key| key.text().contains("template"))
            }
            Home::File => {
                let name =
                    sources.get(tree.source).map_or("", |source| source.name.rsplit('/').next().unwrap_or_default());
                name.contains("template")
            }
        }
    }

    /// Whether a known chart registers its runner by it: only its first runner counts then.
    pub fn is_chart_template(&self, trees: &Trees, sources: &Sources) -> bool {
        match &self.home {
            Home::Values(..) => true,
            Home::Object(object) => {
                let is_of_chart = object.chart().is_some_and(|chart| chart.chart == Chart::GitlabRunner);
                is_of_chart && self.is_template(trees, sources)
            }
            Home::File => false,
        }
    }

    /// The entries of the whole file, outside of `[[runners]]`.
    pub fn globals(&self) -> impl Iterator<Item = (&'a str, &'a Value)> {
        self.values.entries().filter(|(name, _)| !name.eq_ignore_ascii_case("runners"))
    }

    /// A setting of the whole file, where it is known.
    pub fn global(&self, key: &str) -> Option<&'a Value> {
        lookup(self.values, key)?.ok().filter(|value| !value.is_unknown())
    }

    /// The scalar that holds the text, where it is embedded.
    pub fn host(&self, trees: &Trees) -> Option<NodeRef> {
        Some(trees.get(self.tree)?.host.as_ref()?.scalar)
    }

    fn executor(&self, runner: &Value) -> Executor {
        // The chart always sets RUNNER_EXECUTOR, which beats the template.
        let said = match &self.home {
            Home::Values(_, part) => match part.values.at(&["runners", "executor"]) {
                Some(value) if !value.is_null() && value.as_str() != Some("") => Some(value),
                _ => return Executor::Kubernetes,
            },
            _ => lookup(runner, "executor").and_then(|found| found.ok()),
        };
        match said.and_then(Value::as_str) {
            Some("kubernetes") => Executor::Kubernetes,
            Some("docker" | "docker+machine" | "docker-autoscaler") => Executor::Docker,
            Some(name) if !name.is_empty() && !super::is_templated(name) => Executor::Other,
            // A template leaves it to `register`; its sections still say what it is for.
            _ if said.is_none() && lookup(runner, "kubernetes").is_some() => Executor::Kubernetes,
            _ if said.is_none() && lookup(runner, "docker").is_some() => Executor::Docker,
            _ => Executor::Unknown,
        }
    }

    fn environment(&self) -> Vec<&'a str> {
        let Home::Values(_, part) = &self.home else { return Vec::new() };
        part.environment().into_iter().map(|(name, _)| name).collect()
    }

    /// Only a registration token's tags stand in the values; those of a `glrt-` token are on the server.
    fn tags(&self) -> Option<(Vec<&'a str>, bool)> {
        let Home::Values(_, part) = &self.home else { return None };
        part.values.get("runnerRegistrationToken")?.as_str().filter(|token| !token.is_empty())?;
        let runners = part.values.get("runners")?;
        let tags = runners.get("tags").filter(|tags| !tags.is_unknown())?.as_str()?;
        let tags: Vec<&str> = tags.split(',').map(str::trim).filter(|tag| !tag.is_empty()).collect();
        let untagged = tags.is_empty() || runners.get("runUntagged").and_then(Value::as_bool) == Some(true);
        Some((tags, untagged))
    }
}

impl<'a> Runner<'a> {
    /// Whether it takes a job with these tags; none where only the server knows.
    pub fn takes(&self, wanted: &[&str]) -> Option<bool> {
        match &self.tags {
            Some((_, untagged)) if wanted.is_empty() => Some(*untagged),
            Some((tags, _)) => Some(wanted.iter().all(|tag| tags.contains(tag))),
            None if wanted.is_empty() => Some(true),
            None => None,
        }
    }

    /// A setting, by keys from the runner on; their case does not matter to the runner.
    pub fn field(&self, path: &[&str]) -> Field<'a, &'a Value> {
        if self.is_given_to_register(path) {
            return Field::Unknown(None);
        }
        let mut at = self.value;
        for key in path {
            if !matches!(at.data, Data::Map(_)) {
                return if at.is_unknown() { Field::Unknown(Some(at)) } else { Field::WrongShape(at) };
            }
            match lookup(at, key) {
                Some(Ok(value)) => at = value,
                Some(Err(value)) => return Field::Unknown(Some(value)),
                None if self.is_open => return Field::Unknown(None),
                None => return Field::Absent,
            }
        }
        if at.is_unknown() { Field::Unknown(Some(at)) } else { Field::Present(at, at) }
    }

    /// What the text says of a setting, whatever may beat it; none where chance decides.
    pub fn stated(&self, path: &[&str]) -> Option<&'a Value> {
        path.iter().try_fold(self.value, |at, key| lookup(at, key)?.ok())
    }

    /// Whether a variable of the environment beats what the text says: `KUBERNETES_PRIVILEGED`.
    fn is_given_to_register(&self, path: &[&str]) -> bool {
        !self.environment.is_empty() && self.has_variable(&variable(path))
    }

    /// Whether the chart hands a variable to `register`.
    pub(super) fn has_variable(&self, name: &str) -> bool {
        self.environment.contains(&name)
    }

    /// Names of all variables that the chart hands to `register`.
    pub(super) fn variables(&self) -> impl Iterator<Item = &'a str> + '_ {
        self.environment.iter().copied()
    }

    /// Whether its jobs are run by an executor that reads `[runners.kubernetes]`, as far as is known.
    pub fn may_be_kubernetes(&self) -> bool {
        matches!(self.executor, Executor::Kubernetes | Executor::Unknown)
    }

    /// Whether its jobs are run by an executor that reads `[runners.docker]`, as far as is known.
    pub fn may_be_docker(&self) -> bool {
        matches!(self.executor, Executor::Docker | Executor::Unknown)
    }

    /// A setting that is a boolean.
    pub fn flag(&self, path: &[&str]) -> Field<'a, bool> {
        self.field(path).and_then(Value::as_bool)
    }

    /// A setting that is a string.
    pub fn text(&self, path: &[&str]) -> Field<'a, &'a str> {
        self.field(path).and_then(Value::as_str)
    }

    /// Whether containers of a kind run privileged: the container's own security context beats the
    /// setting for all.
    pub fn privileged(&self, container: Container) -> Field<'a, bool> {
        let (own, all): (&[&str], &[&str]) = match self.executor {
            Executor::Kubernetes => {
                (&["kubernetes", container.security_context_key(), "privileged"], &["kubernetes", "privileged"])
            }
            Executor::Docker if container == Container::Service => {
                (&["docker", "services_privileged"], &["docker", "privileged"])
            }
            Executor::Docker => (&["docker", "privileged"], &["docker", "privileged"]),
            Executor::Other | Executor::Unknown => return Field::Unknown(None),
        };
        match self.flag(own) {
            Field::Absent => self.flag(all),
            // Nothing is known to be absent, but what is said is said.
            Field::Unknown(None) => match self.flag(all) {
                Field::Present(true, value) => Field::Present(true, value),
                _ => Field::Unknown(None),
            },
            found => found,
        }
    }

    /// Whether job pods run under a runtime of their own (sysbox, Kata), or are patched, so that what
    /// they may do is not known from the other settings.
    pub fn is_sandboxed(&self) -> bool {
        let paths: [&[&str]; 3] =
            [&["kubernetes", "runtime_class_name"], &["kubernetes", "pod_spec"], &["docker", "runtime"]];
        paths.iter().any(|path| !matches!(self.field(path), Field::Absent))
    }

    /// The memory limit of a kind of container, or of the whole pod.
    pub fn memory_limit(&self, container: Container) -> Field<'a, &'a str> {
        let mut unknown = false;
        for path in [["kubernetes", container.memory_limit_key()], ["kubernetes", "pod_memory_limit"]] {
            match self.text(&path) {
                Field::Present("", _) | Field::Absent => {}
                // Nothing is known to be absent, but what is said is said.
                Field::Unknown(None) => unknown = true,
                found => return found,
            }
        }
        match self.field(&["kubernetes", "pod_spec"]) {
            Field::Absent if !unknown => Field::Absent,
            _ => Field::Unknown(None),
        }
    }

    /// The volume that mounts the node's container socket, if one does.
    pub fn host_socket(&self) -> Option<&'a Value> {
        let is_socket = |path: &str| path.ends_with("/docker.sock");
        if let Field::Present(volumes, _) = self.field(&["kubernetes", "volumes", "host_path"]) {
            let path = |volume| ["host_path", "mount_path"].iter().find_map(|key| lookup(volume, key)?.ok());
            let on_node = |volume| path(volume).filter(|value: &&Value| value.as_str().is_some_and(is_socket));
            if let Some(socket) = volumes.items().find_map(on_node) {
                return Some(socket);
            }
        }
        let Field::Present(volumes, _) = self.field(&["docker", "volumes"]) else { return None };
        volumes.items().find(|volume| volume.as_str().and_then(|text| text.split(':').next()).is_some_and(is_socket))
    }
}

impl<'a, T> Field<'a, T> {
    /// Narrows a present value; what cannot be narrowed has the wrong shape.
    pub fn and_then<U>(self, narrow: impl FnOnce(T) -> Option<U>) -> Field<'a, U> {
        match self {
            Self::Absent => Field::Absent,
            Self::Present(value, at) => match narrow(value) {
                Some(value) => Field::Present(value, at),
                None => Field::WrongShape(at),
            },
            Self::WrongShape(at) => Field::WrongShape(at),
            Self::Unknown(at) => Field::Unknown(at),
        }
    }
}

/// The variable that `register` reads for a setting: `CACHE_S3_SERVER_ADDRESS` for `cache.s3.ServerAddress`.
fn variable(path: &[&str]) -> String {
    let mut name = path.join("_");
    for at in (1..name.len()).rev() {
        let is_upper = |at: usize| name.as_bytes().get(at).is_some_and(u8::is_ascii_uppercase);
        let is_lower = |at: usize| name.as_bytes().get(at).is_some_and(u8::is_ascii_lowercase);
        if is_upper(at) && is_lower(at - 1) {
            name.insert(at, '_');
        }
    }
    name.to_ascii_uppercase()
}

/// An entry of a table as BurntSushi/toml finds it: by its exact name, else whatever its case. Where
/// several differ from it in case only, chance decides: an error with one of them.
pub(super) fn lookup<'a>(table: &'a Value, key: &str) -> Option<Result<&'a Value, &'a Value>> {
    if let Some(value) = table.get(key) {
        return Some(Ok(value));
    }
    let mut alike = table.entries().filter(|(name, _)| name.eq_ignore_ascii_case(key)).map(|(_, value)| value);
    let first = alike.next()?;
    Some(if alike.next().is_some() { Err(first) } else { Ok(first) })
}
