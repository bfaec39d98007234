//! What the Pod Security Standards refuse in a pod: only what surely is refused.

use super::{ContainerKind, Field, Pod, PodContainer};
use crate::values::Value;

/// A standard that a namespace can enforce; `privileged` refuses nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Standard {
    /// Keeps known ways to the node shut.
    Baseline,
    /// Asks for hardening, too.
    Restricted,
}

impl Standard {
    /// The label's word.
    pub fn of_label(word: &str) -> Option<Self> {
        match word {
            "baseline" => Some(Self::Baseline),
            "restricted" => Some(Self::Restricted),
            _ => None,
        }
    }
}

/// Something in a pod that is refused.
#[derive(Debug)]
pub struct Refused<'a> {
    /// Where it stands, else the container that lacks it.
    pub at: &'a Value,
    /// What it is, with the container that it is in.
    pub what: String,
}

/// Capabilities that may be added.
const BASELINE_CAPABILITIES: [&str; 13] = [
    "AUDIT_WRITE",
    "CHOWN",
    "DAC_OVERRIDE",
    "FOWNER",
    "FSETID",
    "KILL",
    "MKNOD",
    "NET_BIND_SERVICE",
    "SETFCAP",
    "SETGID",
    "SETPCAP",
    "SETUID",
    "SYS_CHROOT",
];
const RESTRICTED_CAPABILITIES: [&str; 1] = ["NET_BIND_SERVICE"];

/// The only volumes of the stricter standard.
const RESTRICTED_VOLUMES: [&str; 8] =
    ["configMap", "csi", "downwardAPI", "emptyDir", "ephemeral", "persistentVolumeClaim", "projected", "secret"];

impl<'a> Pod<'a> {
    /// What is written in the pod and refused, or made by the controller; where there is nothing of that kind, what the
    /// stricter standard misses.
    pub fn refused_by(&self, standard: Standard) -> Vec<Refused<'a>> {
        let mut found: Vec<_> = self.host_namespaces().collect();
        found.extend(self.refused_volumes(standard));
        for container in self.listed() {
            found.extend(in_container(&container, standard));
            found.extend(self.root(&container).filter(|_| standard == Standard::Restricted));
        }
        let made = |made: super::Generated<'a>| Refused { at: made.cause, what: privileged(made.name) };
        if self.legacy().is_some() {
            found.extend(self.generated().into_iter().map(made));
        }
        if found.is_empty() && standard == Standard::Restricted && self.legacy().is_none() && !self.is_windows() {
            found.extend(self.listed().iter().filter_map(|container| self.lacks(container)));
        }
        found
    }

    /// The containers; a legacy runner spec is none, as its security context is the pod's.
    fn listed(&self) -> Vec<PodContainer<'a>> {
        let mut containers = self.containers();
        containers.retain(|container| container.kind != ContainerKind::RunnerSpec);
        containers
    }

    fn host_namespaces(&self) -> impl Iterator<Item = Refused<'a>> {
        let spec = self.spec;
        ["hostNetwork", "hostPID", "hostIPC"].into_iter().filter_map(move |key| {
            let at = spec.get(key).filter(|value| value.as_bool() == Some(true))?;
            Some(Refused { at, what: format!("`{key}: true`") })
        })
    }

    fn refused_volumes(&self, standard: Standard) -> impl Iterator<Item = Refused<'a>> {
        let volumes = self.spec.get("volumes").into_iter().flat_map(Value::items);
        volumes.filter_map(move |volume| {
            let kind = |(key, value): &(&str, &Value)| *key != "name" && !value.is_null();
            let (kind, at) = volume.entries().find(kind)?;
            let is_refused = match standard {
                Standard::Baseline => kind == "hostPath",
                Standard::Restricted => !RESTRICTED_VOLUMES.contains(&kind) && at.as_map().is_some(),
            };
            let name = volume.get("name").and_then(Value::as_str).unwrap_or_default();
            is_refused.then(|| Refused { at, what: format!("volume `{name}` of kind `{kind}`") })
        })
    }

    fn root(&self, container: &PodContainer<'a>) -> Option<Refused<'a>> {
        match self.run_as_user(container) {
            Field::Present(0.0, at) => {
                Some(Refused { at, what: format!("`runAsUser: 0` of container `{}`", container.name) })
            }
            _ => None,
        }
    }

    /// What the stricter standard asks for and neither the container nor the pod says.
    fn lacks(&self, container: &PodContainer<'a>) -> Option<Refused<'a>> {
        let (own, shared) = (container.get("securityContext"), self.spec.get("securityContext"));
        let field = |context: Option<&'a Value>, path: &[&str]| match context {
            Some(context) if context.is_unknown() => Field::Unknown(Some(context)),
            context => Field::of(context.and_then(|context| context.at(path)), Some),
        };
        let either = |path: &[&str]| match field(own, path) {
            Field::Absent => field(shared, path),
            said => said,
        };
        let is = |field: Field<'a, &'a Value>, wanted: &dyn Fn(&Value) -> bool| match field {
            Field::Unknown(_) => true,
            field => field.known().is_some_and(wanted),
        };
        let drops_all = |drop: &Value| drop.items().any(|item| item.as_str() == Some("ALL") || item.is_unknown());
        let known_profile = |kind: &Value| matches!(kind.as_str(), Some("RuntimeDefault" | "Localhost"));
        // Root in a user namespace of its own is no root on the node.
        let is_apart = self.spec.get("hostUsers").and_then(Value::as_bool) == Some(false);
        let asked = [
            (
                "`allowPrivilegeEscalation: false`",
                is(field(own, &["allowPrivilegeEscalation"]), &|value| value.as_bool() == Some(false)),
            ),
            ("`capabilities.drop: [ALL]`", is(field(own, &["capabilities", "drop"]), &drops_all)),
            ("`runAsNonRoot: true`", is_apart || is(either(&["runAsNonRoot"]), &|value| value.as_bool() == Some(true))),
            ("a `seccompProfile`", is(either(&["seccompProfile", "type"]), &known_profile)),
        ];
        let missing: Vec<_> = asked.into_iter().filter(|(_, is_said)| !is_said).map(|(what, _)| what).collect();
        let what = format!("container `{}` without {}", container.name, missing.join(", "));
        (!missing.is_empty()).then(|| Refused { at: own.unwrap_or(container.value), what })
    }
}

fn in_container<'a>(container: &PodContainer<'a>, standard: Standard) -> Vec<Refused<'a>> {
    let name = container.name;
    let mut found = Vec::new();
    if let Field::Present(true, at) = container.privileged() {
        found.push(Refused { at, what: privileged(name) });
    }
    let allowed: &[&str] = match standard {
        Standard::Baseline => &BASELINE_CAPABILITIES,
        Standard::Restricted => &RESTRICTED_CAPABILITIES,
    };
    let context = container.get("securityContext");
    let added = context.and_then(|context| context.at(&["capabilities", "add"])).into_iter().flat_map(Value::items);
    let refused = added.filter(|item| !item.is_unknown()).filter_map(|item| Some((item, item.as_str()?)));
    found.extend(
        refused
            .filter(|(_, capability)| !allowed.contains(capability))
            .map(|(at, capability)| Refused { at, what: format!("capability `{capability}` of container `{name}`") }),
    );
    let ports = container.get("ports").into_iter().flat_map(Value::items).filter_map(|port| port.get("hostPort"));
    found.extend(
        ports
            .filter(|port| port.as_f64().is_some_and(|port| port > 0.0))
            .map(|at| Refused { at, what: format!("a `hostPort` of container `{name}`") }),
    );
    found
}

fn privileged(container: &str) -> String {
    format!("privileged container `{container}`")
}
