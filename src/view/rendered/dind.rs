//! What the mode `dind` adds; how runner and daemon meet differs between versions of the chart.

use semver::Version;

use super::maker::Maker;
use crate::values::Value;

/// How the runner reaches the daemon.
#[derive(Clone, Copy)]
enum Link {
    /// Over TCP, with certificates in a shared volume.
    Tls,
    /// Over a socket in a shared folder.
    Socket(&'static str),
}

pub(super) struct Docker<'a> {
    make: Maker<'a>,
    link: Link,
    /// Whether the daemon is an init container that keeps running (on Kubernetes 1.29 and newer).
    pub(super) is_native: bool,
}

impl<'a> Docker<'a> {
    pub(super) fn of(version: &Version, make: Maker<'a>) -> Self {
        let is_before = |minor, patch| *version < Version::new(0, minor, patch);
        let link = match () {
            () if is_before(6, 1) => Link::Tls,
            () if is_before(9, 0) => Link::Socket("/run/docker"),
            () => Link::Socket("/var/run"),
        };
        Self { make, link, is_native: !is_before(12, 0) }
    }

    /// Copies what jobs need of the runner's image to where the daemon can mount it. Without a runner it has
    /// a name and nothing else.
    pub(super) fn externals(&self, runner: Option<&Value>) -> Value {
        let make = self.make;
        let name = ("name", make.text("init-dind-externals"));
        let Some(runner) = runner else { return make.map([name]) };
        let image = runner.get("image").map(|image| ("image", image.clone()));
        let start = [name].into_iter().chain(image);
        make.map(start.chain([
            ("command", make.words(&["cp"])),
            ("args", make.words(&["-r", "/home/runner/externals/.", "/home/runner/tmpDir/"])),
            ("volumeMounts", make.list([make.mount("dind-externals", "/home/runner/tmpDir")])),
        ]))
    }

    /// The daemon.
    pub(super) fn daemon(&self) -> Value {
        let make = self.make;
        let mut entries = vec![("name", make.text("dind")), ("image", make.text("docker:dind"))];
        if let Link::Socket(folder) = self.link {
            let host = format!("--host=unix://{folder}/docker.sock");
            entries.push(("args", make.words(&["dockerd", &host, "--group=$(DOCKER_GROUP_GID)"])));
            entries.push(("env", make.list([make.env("DOCKER_GROUP_GID", "123")])));
        }
        entries.push(("securityContext", make.map([("privileged", make.flag(true))])));
        if self.is_native {
            entries.push(("restartPolicy", make.text("Always")));
            entries.push(("startupProbe", make.docker_probe()));
        }
        let externals = make.mount("dind-externals", "/home/runner/externals");
        entries.push(("volumeMounts", make.list([make.work(), self.link_mount(), externals])));
        make.map(entries)
    }

    /// Variables of the runner.
    pub(super) fn env(&self) -> Vec<Value> {
        let make = self.make;
        let mut env = match self.link {
            Link::Tls => vec![
                make.env("DOCKER_HOST", "tcp://localhost:2376"),
                make.env("DOCKER_TLS_VERIFY", "1"),
                make.env("DOCKER_CERT_PATH", "/certs/client"),
            ],
            Link::Socket(folder) => vec![make.env("DOCKER_HOST", &format!("unix://{folder}/docker.sock"))],
        };
        env.push(make.env("RUNNER_WAIT_FOR_DOCKER_IN_SECONDS", "120"));
        env
    }

    /// Mounts of the runner.
    pub(super) fn runner_mounts(&self) -> Vec<Value> {
        vec![self.make.work(), self.link_mount()]
    }

    fn link_mount(&self) -> Value {
        match self.link {
            Link::Tls => self.make.mount("dind-cert", "/certs/client"),
            Link::Socket(folder) => self.make.mount("dind-sock", folder),
        }
    }

    /// Volumes, the work volume aside.
    pub(super) fn volumes(&self) -> Vec<Value> {
        let link = match self.link {
            Link::Tls => "dind-cert",
            Link::Socket(_) => "dind-sock",
        };
        vec![self.make.empty_dir(link), self.make.empty_dir("dind-externals")]
    }
}
