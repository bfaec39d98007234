//! What the experimental chart makes of a runner pod: its daemon and hooks have settings of their own.

use super::maker::Maker;
use super::tls::Tls;
use super::{append_new, hooks, is_named, put};
use crate::values::{Data, Map, Value};
use crate::view::{ContainerMode, Home};

const SOCKET: &str = "unix:///var/run/docker.sock";
const HOOKS: &str = "/home/runner/k8s/index.js";

#[cfg(test)]
mod tests;

/// What the chart goes by.
pub(super) struct Expansion<'a> {
    mode: ContainerMode,
    make: Maker<'a>,
    /// The block `runner` of its values.
    runner: &'a Value,
    /// The claim of the work volume.
    claim: Option<&'a Value>,
    tls: Option<Tls<'a>>,
    /// Whether the user writes of the daemon.
    has_daemon: bool,
}

impl<'a> Expansion<'a> {
    /// None where the chart refuses the values, or where they cannot be known.
    pub(super) fn of(home: &Home<'a>, mode: ContainerMode, cause: &'a Value) -> Option<Self> {
        let Home::Values(_, part) = home else { return None };
        let runner = part.values.get("runner")?;
        let is_map = |path: &[&str]| runner.at(path).is_none_or(|value| value.is_null() || value.as_map().is_some());
        let blocks: [&[&str]; 4] = [&["container"], &["dind"], &["dind", "container"], &["kubernetesMode"]];
        blocks.iter().all(|path| is_map(path)).then_some(Self {
            mode,
            make: Maker::of(cause),
            runner,
            claim: part.settings.at(&["containerMode", "kubernetesModeWorkVolumeClaim"]),
            tls: Tls::read(part.settings)?,
            has_daemon: runner.at(&["dind", "container"]).is_some_and(|daemon| !home.is_of_chart(daemon)),
        })
    }

    pub(super) fn spec(&self, written: &Value) -> Value {
        let mut spec = written.clone();
        let Data::Map(Map { entries, .. }) = &mut spec.data else { return spec };
        let items = |key: &str| written.get(key).into_iter().flat_map(Value::items).cloned().collect::<Vec<_>>();
        let is_dind = self.mode == ContainerMode::Dind;
        let externals = self.externals().filter(|_| is_dind);
        let daemon = is_dind.then(|| self.daemon());
        let init = externals.into_iter().chain(items("initContainers")).chain(daemon).collect();
        let expand = |item: Value| if is_named(&item, "runner") { self.container(item) } else { item };
        let containers = items("containers").into_iter().map(expand).collect();
        put(entries, "initContainers", init, self.make);
        put(entries, "containers", containers, self.make);
        put(entries, "volumes", self.volumes(items("volumes")), self.make);
        spec
    }

    fn at(&self, path: &[&str]) -> Option<&'a Value> {
        self.runner.at(path).filter(|value| !value.is_empty())
    }

    fn text(&self, path: &[&str], default: &str) -> String {
        self.at(path).and_then(Value::as_str).unwrap_or(default).to_owned()
    }

    /// The runner's container, with what the mode adds.
    fn container(&self, mut container: Value) -> Value {
        let (env, mounts) = match self.mode {
            ContainerMode::Dind => (self.docker_env(), vec![self.make.work(), self.socket_mount()]),
            ContainerMode::Kubernetes => self.hooks(),
            _ => (Vec::new(), Vec::new()),
        };
        append_new(&mut container, "env", env);
        append_at_new_paths(&mut container, mounts);
        if let Some(tls) = &self.tls {
            append_new(&mut container, "env", tls.env().to_vec());
            append_new(&mut container, "volumeMounts", vec![tls.folder_mount()]);
        }
        container
    }

    fn docker_env(&self) -> Vec<Value> {
        let seconds = self.at(&["dind", "waitForDockerInSeconds"]).and_then(Value::as_f64).unwrap_or(120.0);
        vec![
            self.make.env("DOCKER_HOST", &self.socket()),
            self.make.env("RUNNER_WAIT_FOR_DOCKER_IN_SECONDS", &format!("{}", seconds.trunc())),
        ]
    }

    fn hooks(&self) -> (Vec<Value>, Vec<Value>) {
        let make = self.make;
        let script = self.text(&["kubernetesMode", "hookPath"], HOOKS);
        let mut env = hooks(make, &script);
        let mut mounts = vec![make.work()];
        if self.runner.at(&["kubernetesMode", "requireJobContainer"]).and_then(Value::as_bool) == Some(false) {
            env.pop();
            env.push(make.env("ACTIONS_RUNNER_REQUIRE_JOB_CONTAINER", "false"));
        }
        if self.extension().is_some() {
            let template = format!("{}/hook-template.yaml", folder_of(&script));
            let is_said = items_of(self.at(&["env"])).any(|item| is_named(&item, crate::view::hooks::TEMPLATE));
            if !is_said {
                env.push(make.env(crate::view::hooks::TEMPLATE, &template));
            }
            mounts.push(make.map([
                ("name", make.text("hook-extension")),
                ("mountPath", make.text(&template)),
                ("subPath", make.text("extension")),
                ("readOnly", make.flag(true)),
            ]));
        }
        (env, mounts)
    }

    /// What is laid over job pods, by the ConfigMap's name or as it is.
    fn extension(&self) -> Option<&'a Value> {
        let own = |key| self.at(&["kubernetesMode", key]);
        own("extensionRef").or_else(|| self.at(&["kubernetesMode", "extension", "yaml"]))
    }

    fn socket(&self) -> String {
        self.text(&["dind", "dockerSock"], SOCKET)
    }

    fn socket_mount(&self) -> Value {
        let socket = self.socket();
        self.make.mount("dind-sock", folder_of(socket.trim_start_matches("unix://")))
    }

    fn copies_externals(&self) -> bool {
        self.runner.at(&["dind", "copyRunnerExternals"]).is_some_and(|flag| flag.as_bool() != Some(false))
    }

    /// Copies what jobs need to where the daemon can mount it, from the official image, whatever the runner's is.
    fn externals(&self) -> Option<Value> {
        let make = self.make;
        self.copies_externals().then(|| {
            make.map([
                ("name", make.text("init-dind-externals")),
                ("image", make.text("ghcr.io/actions/actions-runner:latest")),
                ("command", make.words(&["cp", "-r", "/home/runner/externals/.", "/home/runner/tmpDir/"])),
                ("volumeMounts", make.list([make.mount("dind-externals", "/home/runner/tmpDir")])),
            ])
        })
    }

    /// The daemon: what is written of it, over what the chart says.
    fn daemon(&self) -> Value {
        let make = self.make;
        let written = self.at(&["dind", "container"]);
        let own = |key: &str, default: Value| {
            written.and_then(|written| written.get(key)).filter(|value| !value.is_empty()).cloned().unwrap_or(default)
        };
        let group = self.text(&["dind", "dockerGroupId"], "123");
        let host = format!("--host={}", self.socket());
        let externals = self.copies_externals().then(|| make.mount("dind-externals", "/home/runner/externals"));
        let more = |key: &str| items_of(written.and_then(|written| written.get(key)));
        let env = [make.env("DOCKER_GROUP_GID", &group)].into_iter().chain(more("env"));
        let mounts = [make.work(), self.socket_mount()].into_iter().chain(more("volumeMounts")).chain(externals);
        let mut daemon = make.map([
            ("name", own("name", make.text("dind"))),
            ("image", own("image", make.text("docker:dind"))),
            ("args", own("args", make.words(&["dockerd", &host, "--group=$(DOCKER_GROUP_GID)"]))),
            ("env", make.list(env)),
            ("securityContext", own("securityContext", make.map([("privileged", make.flag(true))]))),
            ("restartPolicy", make.text("Always")),
            ("startupProbe", own("startupProbe", make.docker_probe())),
            ("volumeMounts", make.list(mounts)),
        ]);
        if let (Data::Map(Map { entries, .. }), Some(written)) = (&mut daemon.data, written) {
            for (key, value) in written.entries() {
                entries.entry(key.to_owned()).or_insert_with(|| value.clone());
            }
            if self.has_daemon {
                daemon.origin = written.origin;
            }
        }
        daemon
    }

    /// Where there is any volume, the chart adds those of the mode `dind` in every other mode than `kubernetes`.
    fn volumes(&self, written: Vec<Value>) -> Vec<Value> {
        let make = self.make;
        let mut all = Vec::new();
        if self.mode == ContainerMode::Kubernetes {
            all.push(make.claimed("work", self.claim));
            all.extend(self.extension().map(|extension| self.extension_volume(extension)));
            all.extend(self.tls.iter().map(Tls::volume));
        } else if self.mode == ContainerMode::Dind || self.tls.is_some() || !written.is_empty() {
            all.extend(["work", "dind-sock"].map(|name| make.empty_dir(name)));
            all.extend(self.tls.iter().map(Tls::volume));
            all.extend(self.copies_externals().then(|| make.empty_dir("dind-externals")));
        }
        all.extend(written);
        all
    }

    fn extension_volume(&self, extension: &Value) -> Value {
        let make = self.make;
        let said = self.at(&["kubernetesMode", "extensionRef"]);
        let named = self.at(&["kubernetesMode", "extension", "metadata", "name"]);
        let unnamed = || Maker::of(extension).text("${name}-hook-extension");
        let name = said.or(named).cloned().unwrap_or_else(unnamed);
        make.map([("name", make.text("hook-extension")), ("configMap", make.map([("name", name)]))])
    }
}

fn items_of(list: Option<&Value>) -> impl Iterator<Item = Value> {
    list.into_iter().flat_map(Value::items).cloned()
}

/// Appends the mounts whose paths a list of the container does not have.
fn append_at_new_paths(container: &mut Value, mounts: Vec<Value>) {
    let path = |mount: &Value| mount.get("mountPath").and_then(Value::as_str).map(str::to_owned);
    let held: Vec<_> = container.get("volumeMounts").into_iter().flat_map(Value::items).filter_map(path).collect();
    let mut new: Vec<_> =
        mounts.into_iter().filter(|mount| path(mount).is_none_or(|path| !held.contains(&path))).collect();
    let (Data::Map(Map { entries, .. }), Some(first)) = (&mut container.data, new.first()) else { return };
    let list = entries.entry("volumeMounts".to_owned()).or_insert_with(|| Value::new(Data::Null, first.origin));
    if list.is_null() {
        *list = Value::new(Data::List(Vec::new()), first.origin);
    }
    if let Data::List(items) = &mut list.data {
        items.append(&mut new);
    }
}

fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or(".", |(folder, _)| if folder.is_empty() { "/" } else { folder })
}
