//! The proxy of a scale set does not reach the Docker daemon beside the runner.

use crate::rule::Checker;
use crate::values::Value;
use crate::view::{ContainerMode, Field, PodContainer, ScaleSet};

pub(crate) fn check(set: &ScaleSet<'_>, checker: &mut Checker<'_>) {
    let Some(proxy) = set.at(&["proxy"]).filter(|proxy| is_set(proxy)) else { return };
    let Some(pod) = set.runner_pod() else { return };
    let Some(rendered) = pod.rendered() else { return };
    let seen = rendered.pod();
    for daemon in seen.docker_side_cars().iter().filter(|daemon| !may_have_a_proxy(daemon)) {
        let message = format!("`proxy` does not reach `{}`: the daemon pulls images without it", daemon.name);
        let settings = rendered.daemon_settings().filter(|_| pod.mode_to_expand() == ContainerMode::Dind);
        let help = match (settings, pod.mode_to_expand()) {
            (Some(settings), _) => {
                format!("give `{settings}.env` the variables `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY`")
            }
            (None, ContainerMode::Dind) => {
                "unset `containerMode`, write the whole expanded form out, and give its `dind` the variables \
                 `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY`"
                    .to_owned()
            }
            _ => "give the container the variables `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY`".to_owned(),
        };
        let places = [daemon.value].into_iter().chain(pod.trail_of_mode().into_iter().rev());
        checker
            .report_first(places, message)
            .related(proxy.origin.node, "only the controller, the listener and the runner get it")
            .fault_in(&pod, daemon.name)
            .help(help);
    }
}

/// Whether a proxy is surely set.
fn is_set(proxy: &Value) -> bool {
    let is_known = |kind: &&str| {
        let url = Field::of(proxy.at(&[kind, "url"]), Value::as_str).known();
        url.is_some_and(|url| !url.is_empty())
    };
    ["http", "https"].iter().any(is_known)
}

/// Whether the daemon has a proxy of its own or a mirror to pull from, or may have.
fn may_have_a_proxy(daemon: &PodContainer<'_>) -> bool {
    let names = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"];
    let flags = ["proxy", "registry-mirror", "config-file"];
    names.iter().any(|name| !daemon.env_value(name).is_absent())
        || daemon.words().any(|word| flags.iter().any(|flag| word.contains(flag)))
        || daemon.has_unknown_options()
        || daemon.mount_over("/etc/docker/daemon.json").is_some()
        || daemon.has_unknown_mounts()
}
