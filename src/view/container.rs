//! Containers of a pod.

use super::{Field, Image, Pod, is_templated};
use crate::values::Value;

/// Where in a pod a container stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ContainerKind {
    /// In `containers`.
    Main,
    /// In `initContainers`.
    Init,
    /// In the legacy `sidecarContainers`.
    Sidecar,
    /// The legacy runner spec itself, which carries the runner's container fields.
    RunnerSpec,
}

/// A container of a pod.
#[derive(Debug, Clone, Copy)]
pub struct PodContainer<'a> {
    /// Where it stands.
    pub kind: ContainerKind,
    /// Its name; empty where there is none.
    pub name: &'a str,
    /// The item, or the legacy runner spec.
    pub value: &'a Value,
    /// Legacy runner settings that apply where the item says nothing.
    pub fallback: Option<&'a Value>,
}

impl<'a> PodContainer<'a> {
    /// A container of a list; none for an item that is no map.
    pub fn of_item(kind: ContainerKind, value: &'a Value) -> Option<Self> {
        value.as_map()?;
        let name = value.get("name").and_then(Value::as_str).unwrap_or_default();
        Some(Self { kind, name, value, fallback: None })
    }

    /// A field of the container; null is the same as absent.
    pub fn get(&self, key: &str) -> Option<&'a Value> {
        let written = |value: &'a Value| value.get(key).filter(|found| !found.is_null());
        written(self.value).or_else(|| written(self.fallback?))
    }

    /// Whether the controllers take it for the runner.
    pub fn is_runner(&self) -> bool {
        self.name == "runner" && matches!(self.kind, ContainerKind::Main | ContainerKind::RunnerSpec)
    }

    /// `image`, as text.
    pub fn image(&self) -> Field<'a, &'a str> {
        let read = |value: &'a Value| value.as_str();
        // Of all that a legacy runner sets beside its containers only the image wins over the item's.
        let of_settings = self.fallback.and_then(|settings| settings.get("image")).filter(|image| !image.is_empty());
        match Field::of(of_settings.or_else(|| self.get("image")), read) {
            // An empty string is no image to Kubernetes.
            Field::Present("", _) => Field::Absent,
            field => field,
        }
    }

    /// `image`, cut into parts; none where it is absent or cannot be known.
    pub fn image_ref(&self) -> Option<Image<'a>> {
        Image::parse(self.image().known()?)
    }

    /// A list field with at least one item; an empty list is the same as none.
    fn list(&self, key: &str) -> Field<'a, &'a [Value]> {
        match Field::of(self.get(key), Value::as_list) {
            Field::Present([], _) => Field::Absent,
            field => field,
        }
    }

    /// `command`.
    pub fn command(&self) -> Field<'a, &'a [Value]> {
        self.list("command")
    }

    /// `args`.
    pub fn args(&self) -> Field<'a, &'a [Value]> {
        self.list("args")
    }

    /// The first words of what is run: `command`, then `args`.
    pub fn words(&self) -> impl Iterator<Item = &'a str> {
        let lists = [self.command().known(), self.args().known()];
        lists.into_iter().flatten().flatten().filter_map(Value::as_str)
    }

    /// Whether some word may be an option that is not known; a value of a known option is none.
    pub fn has_unknown_options(&self) -> bool {
        let mut is_value = false;
        let mut tokens = self.words().flat_map(str::split_whitespace);
        tokens.any(|token| {
            let (option, value) = token.split_once('=').map_or((token, None), |(option, value)| (option, Some(value)));
            let is_free = !std::mem::replace(&mut is_value, option.starts_with('-') && value.is_none());
            is_free && is_templated(option)
        })
    }

    /// An item of `env`.
    pub fn env(&self, name: &str) -> Option<&'a Value> {
        let env = self.get("env")?.as_list()?;
        env.iter().rev().find(|item| item.get("name").and_then(Value::as_str) == Some(name))
    }

    /// The plain value of an item of `env`; what `envFrom` or a templated item may bring is not known.
    pub fn env_value(&self, name: &str) -> Field<'a, &'a str> {
        let unnamed = |item: &Value| item.as_map().is_none() || item.get("name").is_some_and(Value::is_unknown);
        let unreadable = |env: &Value| env.as_list().is_none_or(|env| env.iter().any(unnamed));
        let elsewhere = || {
            let env = self.get("env").filter(|env| unreadable(env));
            env.or_else(|| self.get("envFrom").filter(|from| !from.is_empty()))
        };
        match self.env(name) {
            None => elsewhere().map_or(Field::Absent, |from| Field::Unknown(Some(from))),
            Some(item) => match item.get("value") {
                None => Field::Unknown(Some(item)),
                value => Field::of(value, Value::as_str),
            },
        }
    }

    /// `securityContext.privileged`.
    pub fn privileged(&self) -> Field<'a, bool> {
        let context = self.get("securityContext");
        if let Some(context) = context.filter(|context| context.is_unknown()) {
            return Field::Unknown(Some(context));
        }
        Field::of(context.and_then(|context| context.get("privileged")), Value::as_bool)
    }

    /// `resources.KIND`, as `requests`.
    pub fn resources(&self, kind: &str) -> Option<&'a Value> {
        self.get("resources")?.get(kind)
    }

    /// Places to point at for something in this container of `pod`, the nearest first: what is given,
    /// then the item, its list, and on to the top.
    pub fn places(&self, pod: &Pod<'a>, nearest: impl IntoIterator<Item = &'a Value>) -> Vec<&'a Value> {
        let mut places: Vec<_> = nearest.into_iter().chain([self.value]).collect();
        places.extend(pod.trail(&["containers"]).into_iter().rev());
        places
    }

    /// Whether variables may come from somewhere that is not in view: all of a ConfigMap, or templates.
    pub fn may_inherit_env(&self) -> bool {
        let is_unknown = |item: &Value| item.is_unknown() || item.get("name").is_some_and(Value::is_unknown);
        self.get("envFrom").is_some_and(|sources| !sources.is_empty())
            || self.get("env").is_some_and(|env| env.is_unknown() || env.items().any(is_unknown))
    }

    /// Whether it runs the official image of the runner, or a mirror of it.
    pub fn is_official_runner(&self) -> bool {
        let is_official = |path: &str| path == "actions/actions-runner" || path.ends_with("/actions/actions-runner");
        self.image_ref().is_some_and(|image| is_official(image.repository))
    }

    /// Whether it runs as long as the pod does; init containers do so only where they are told to, or may be.
    pub fn keeps_running(&self) -> bool {
        let is_told = |policy: &Value| policy.is_unknown() || policy.as_str() == Some("Always");
        self.kind != ContainerKind::Init || self.get("restartPolicy").is_some_and(is_told)
    }

    /// Whether it surely runs a Docker daemon.
    pub fn runs_dockerd(&self) -> bool {
        let words: Vec<_> = self.words().collect();
        match words.first() {
            // The image's own entry point starts the daemon.
            None => self.has_dind_image(),
            Some(first) if first.starts_with('-') => self.command().is_absent() && self.has_dind_image(),
            Some(_) => words.iter().any(|word| starts_dockerd(word)),
        }
    }

    /// Whether the image is one of Docker-in-Docker.
    pub(super) fn has_dind_image(&self) -> bool {
        let is_dind = |image: Image<'_>| {
            let tagged = image.name().ends_with("docker") && image.tag.is_some_and(|tag| tag.contains("dind"));
            tagged || image.name().ends_with("docker-dind")
        };
        self.image_ref().is_some_and(is_dind)
    }
}

/// Whether a word of a command line, or a command of a script in it, is the daemon.
fn starts_dockerd(word: &str) -> bool {
    let commands = word.split(['\n', ';', '&', '|', '(', ')']);
    commands.into_iter().any(|command| {
        let is_said_first =
            |word: &&str| matches!(*word, "exec" | "sudo" | "nohup" | "do" | "then") || word.contains('=');
        let program = command.split_whitespace().find(|word| !is_said_first(word));
        let name = program.and_then(|program| program.rsplit('/').next());
        matches!(name, Some("dockerd" | "dockerd-entrypoint.sh" | "dockerd-rootless.sh"))
    })
}

#[cfg(test)]
mod tests {
    use super::{ContainerKind, PodContainer, starts_dockerd};
    use crate::view::tests::value;

    #[test]
    fn options_may_hide_in_templates() {
        let unknown = |args: &str| {
            let item = value(&format!("{{name: a, args: [{args}]}}"));
            PodContainer::of_item(ContainerKind::Main, &item).unwrap().has_unknown_options()
        };
        assert!(unknown("dockerd, '${FLAGS}'"));
        assert!(unknown("sh, -c, 'dockerd --mtu=1400 {{ .Values.flags }}'"));
        assert!(!unknown("dockerd, '--group=$(GROUP)', --mtu, '${MTU}'"));
    }

    #[test]
    fn the_daemon_is_a_command_and_not_a_word() {
        for script in ["dockerd", "/usr/local/bin/dockerd-entrypoint.sh", "update-ca-certificates && exec dockerd -H x"]
        {
            assert!(starts_dockerd(script), "{script}");
        }
        for script in ["dockerd.log", "until pgrep dockerd; do sleep 1; done", "docker", "tail -f /var/log/dockerd", ""]
        {
            assert!(!starts_dockerd(script), "{script}");
        }
    }
}
