//! Docker daemons of a pod, the sockets they listen on, and where paths of containers lie.

use super::{Field, Pod, PodContainer};
use crate::values::Value;

/// Where a path of a container lies.
#[derive(Debug, Clone, PartialEq)]
pub enum Place<'a> {
    /// In the container alone.
    Inside,
    /// In a volume of the pod.
    Volume {
        /// Name of the volume.
        volume: &'a str,
        /// Path in the volume.
        path: String,
    },
    /// Mounts are templated.
    Unknown,
}

/// The Unix sockets that a daemon listens on, each with the value that says so.
#[derive(Debug, Clone, Default)]
pub struct Sockets<'a> {
    /// Paths in the daemon's container.
    pub paths: Vec<(&'a str, &'a Value)>,
    /// Whether it may listen elsewhere too: on TCP, or on what cannot be known.
    pub may_be_more: bool,
}

const DEFAULT: &str = "/var/run/docker.sock";

impl<'a> Pod<'a> {
    /// The containers that surely run a Docker daemon as long as the pod runs; ask the rendered pod.
    pub fn docker_daemons(&self) -> Vec<PodContainer<'a>> {
        let is_daemon = |container: &PodContainer<'_>| container.keeps_running() && container.runs_dockerd();
        self.containers().into_iter().filter(is_daemon).collect()
    }

    /// The daemons beside the runner.
    pub fn docker_side_cars(&self) -> Vec<PodContainer<'a>> {
        self.docker_daemons().into_iter().filter(|daemon| !daemon.is_runner()).collect()
    }

    /// Whether a container that is no known daemon stays beside the runner and mounts the volume, so that
    /// it may put a socket there.
    pub fn is_served(&self, volume: &str) -> bool {
        let mounts = |container: &PodContainer<'_>| {
            let mut mounts = container.get("volumeMounts").into_iter().flat_map(Value::items);
            mounts.any(|mount| mount.get("name").and_then(Value::as_str) == Some(volume))
        };
        let beside = |container: &PodContainer<'_>| {
            container.keeps_running() && !container.is_runner() && !container.runs_dockerd()
        };
        self.containers()
            .iter()
            .any(|container| beside(container) && (container.has_unknown_mounts() || mounts(container)))
    }

    /// Whether a volume is surely empty when the pod starts and seen by it alone.
    pub fn is_scratch(&self, volume: &str) -> bool {
        self.volume(volume).is_some_and(|volume| volume.get("emptyDir").is_some())
    }

    /// A volume by its name.
    pub fn volume(&self, name: &str) -> Option<&'a Value> {
        let mut volumes = self.spec.get("volumes").into_iter().flat_map(Value::items);
        volumes.find(|volume| volume.get("name").and_then(Value::as_str) == Some(name))
    }
}

impl<'a> PodContainer<'a> {
    /// `DOCKER_HOST`.
    pub fn docker_host(&self) -> Field<'a, &'a str> {
        self.env_value("DOCKER_HOST")
    }

    /// The mount that a path lies under: that with the longest `mountPath`.
    pub fn mount_over(&self, path: &str) -> Option<&'a Value> {
        let path = tidy(path);
        let mounts = self.get("volumeMounts").into_iter().flat_map(Value::items);
        let under = mounts.filter_map(|mount| {
            let folder = tidy(mount.get("mountPath")?.as_str()?);
            rest(&path, &folder).is_some().then_some((folder.len(), mount))
        });
        under.max_by_key(|(length, _)| *length).map(|(_, mount)| mount)
    }

    /// Where a path lies.
    pub fn place_of(&self, path: &str) -> Place<'a> {
        if self.has_unknown_mounts() {
            return Place::Unknown;
        }
        let Some(mount) = self.mount_over(path) else { return Place::Inside };
        let text = |key| mount.get(key).and_then(Value::as_str);
        let (Some(volume), Some(folder), None) = (text("name"), text("mountPath"), mount.get("subPathExpr")) else {
            return Place::Unknown;
        };
        let (path, folder) = (tidy(path), tidy(folder));
        let parts = [text("subPath").unwrap_or_default(), rest(&path, &folder).unwrap_or_default()];
        let parts = parts.map(|part| part.trim_matches('/'));
        let parts: Vec<_> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        Place::Volume { volume, path: parts.join("/") }
    }

    /// Whether there may be mounts that cannot be known.
    pub fn has_unknown_mounts(&self) -> bool {
        let unknown = |mount: &Value| {
            let text = |key| mount.get(key).filter(|value: &&Value| !value.is_unknown()).and_then(Value::as_str);
            text("name").is_none() || text("mountPath").is_none()
        };
        self.get("volumeMounts").is_some_and(|mounts| mounts.as_list().is_none_or(|items| items.iter().any(unknown)))
    }

    /// The sockets of a container that runs a daemon.
    pub fn docker_sockets(&self) -> Sockets<'a> {
        let hosts = self.hosts();
        let mut sockets = Sockets::default();
        for (host, place) in &hosts {
            match host.strip_prefix("unix://").filter(|path| path.starts_with('/') && !path.contains('$')) {
                Some(path) => sockets.paths.push((path, place)),
                None => sockets.may_be_more = true,
            }
        }
        let first = self.words().next();
        let by_entry_point =
            first.is_none_or(|word| word.starts_with('-')) || first.is_some_and(|word| word.contains("entrypoint"));
        if self.is_rootless() {
            sockets.may_be_more |= hosts.is_empty() || by_entry_point;
        } else if by_entry_point {
            self.add_host_of_entry_point(&mut sockets);
        } else if hosts.is_empty() {
            sockets.paths.push((DEFAULT, self.value));
        }
        sockets.may_be_more |= self.has_unknown_options() || self.is_configured_elsewhere();
        sockets
    }

    /// The entry point of the official image listens where the daemon's own `DOCKER_HOST` says, and on TCP.
    fn add_host_of_entry_point(&self, sockets: &mut Sockets<'a>) {
        match self.docker_host() {
            Field::Present(host, value) if host.starts_with("unix://") => {
                sockets.paths.push((host.trim_start_matches("unix://"), value));
            }
            Field::Unknown(_) | Field::WrongShape(_) => sockets.may_be_more = true,
            Field::Present(..) | Field::Absent => sockets.paths.push((DEFAULT, self.value)),
        }
    }

    /// Whether its daemon runs without root, which moves the default socket.
    pub fn is_rootless(&self) -> bool {
        let image = self.image_ref().is_some_and(|image| {
            image.tag.is_some_and(|tag| tag.contains("rootless")) || image.name().contains("rootless")
        });
        image || self.words().any(|word| word.contains("rootless"))
    }

    /// Whether a file may say where the daemon listens.
    fn is_configured_elsewhere(&self) -> bool {
        let mounts = self.get("volumeMounts").into_iter().flat_map(Value::items);
        let mut paths = mounts.filter_map(|mount| mount.get("mountPath")?.as_str());
        paths.any(|path| path.starts_with("/etc/docker")) || self.words().any(|word| word.contains("--config-file"))
    }

    /// What `--host` and `-H` say on the command line, scripts included.
    fn hosts(&self) -> Vec<(&'a str, &'a Value)> {
        let lists = [self.command().known(), self.args().known()];
        let words = lists.into_iter().flatten().flatten().filter_map(|value| Some((value.as_str()?, value)));
        let mut tokens = words.flat_map(|(text, value)| text.split_whitespace().map(move |token| (token, value)));
        let mut hosts = Vec::new();
        while let Some((token, value)) = tokens.next() {
            let said = match token.strip_prefix("--host").or_else(|| token.strip_prefix("-H")) {
                Some("") => tokens.next(),
                Some(rest) => Some((rest.strip_prefix('=').unwrap_or(rest), value)),
                None => None,
            };
            hosts.extend(said.map(|(host, value)| (host.trim_matches(['"', '\'', ';']), value)));
        }
        hosts
    }
}

/// A path without doubled and trailing slashes; `/var/run` is a link to `/run` in the images at hand.
fn tidy(path: &str) -> String {
    let parts: Vec<_> = path.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
    match parts.as_slice() {
        ["var", "run", rest @ ..] => ["run"].iter().chain(rest).map(|part| format!("/{part}")).collect(),
        parts => parts.iter().map(|part| format!("/{part}")).collect(),
    }
}

/// What is left of a path under a folder; both tidy.
fn rest<'p>(path: &'p str, folder: &str) -> Option<&'p str> {
    path.strip_prefix(folder).filter(|rest| rest.is_empty() || rest.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::ContainerKind;
    use crate::view::tests::value;

    fn in_container<T>(fields: &str, look: impl FnOnce(&PodContainer<'_>) -> T) -> T {
        let item = value(&format!("{{name: a, {fields}}}"));
        look(&PodContainer::of_item(ContainerKind::Main, &item).unwrap())
    }

    /// Paths, with a `+` where there may be more.
    fn sockets(fields: &str) -> String {
        in_container(fields, |container| {
            let sockets = container.docker_sockets();
            let paths: Vec<_> = sockets.paths.iter().map(|(path, _)| *path).collect();
            paths.join(" ") + if sockets.may_be_more { "+" } else { "" }
        })
    }

    #[test]
    fn daemons_listen_where_they_are_told() {
        let said = |args: &str| sockets(&format!("image: 'docker:dind', args: [{args}]"));
        assert_eq!(said("dockerd, '--host=unix:///run/docker/docker.sock'"), "/run/docker/docker.sock");
        assert_eq!(said("dockerd, -H, 'unix:///a.sock', --host, 'tcp://0.0.0.0:2375'"), "/a.sock+");
        assert_eq!(said("dockerd, '--host=unix://$(SOCKET)'"), "+");
        assert_eq!(said("dockerd, '--mtu=1400'"), "/var/run/docker.sock");
        assert_eq!(said("'--mtu=1400'"), "/var/run/docker.sock");
        assert_eq!(said("sh, -c, 'exec dockerd --host unix:///b.sock'"), "/b.sock");
        assert_eq!(sockets("image: 'docker:dind'"), "/var/run/docker.sock");
        assert_eq!(sockets("image: 'docker:dind', env: [{name: DOCKER_HOST, value: 'unix:///c.sock'}]"), "/c.sock");
        assert_eq!(sockets("image: 'docker:dind-rootless'"), "+");
        assert_eq!(sockets("image: 'docker:dind-rootless', args: [dockerd, '-H=unix:///d.sock']"), "/d.sock");
        let mounts = "volumeMounts: [{name: a, mountPath: /etc/docker}]";
        assert_eq!(sockets(&format!("image: 'docker:dind', {mounts}")), "/var/run/docker.sock+");
    }

    #[test]
    fn a_path_lies_in_the_volume_of_the_longest_mount() {
        let mounts = "volumeMounts: [{name: a, mountPath: /}, {name: b, mountPath: /var/run/, subPath: s}, \
                      {name: c, mountPath: /var/running}]";
        let place = |path: &str| {
            in_container(mounts, |container| match container.place_of(path) {
                Place::Volume { volume, path } => format!("{volume}:{path}"),
                other => format!("{other:?}"),
            })
        };
        assert_eq!(place("/run/docker.sock"), "b:s/docker.sock");
        assert_eq!(place("/var/running"), "c:");
        assert_eq!(place("/home/runner//_work"), "a:home/runner/_work");
        in_container("image: a", |container| assert_eq!(container.place_of("/a"), Place::Inside));
        in_container("volumeMounts: '{{ .mounts }}'", |container| assert_eq!(container.place_of("/a"), Place::Unknown));
    }
}
