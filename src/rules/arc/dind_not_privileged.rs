//! A Docker daemon runs beside the runner without the rights that it needs.

use crate::diagnostic::Severity;
use crate::rule::Checker;
use crate::values::Value;
use crate::view::{ContainerKind, ContainerMode, Field, Pod, PodContainer, PodRole, is_templated};

pub(crate) fn check(pod: &Pod<'_>, checker: &mut Checker<'_>) {
    if pod.role != PodRole::Runner || has_own_runtime(pod) {
        return;
    }
    let Some(rendered) = pod.rendered() else { return };
    for container in rendered.pod().containers().iter().filter(|container| runs_daemon(pod, container)) {
        let rootless = container.is_rootless();
        let place = match container.privileged() {
            Field::Absent => container.value,
            Field::Present(false, value) => value,
            _ => continue,
        };
        let contexts = [container.get("securityContext"), pod.spec.get("securityContext")];
        if rootless && contexts.into_iter().flatten().any(|context| context.get("seccompProfile").is_some()) {
            continue;
        }
        let message = format!("container `{}` runs a Docker daemon but is not privileged", container.name);
        let mut places = vec![place, container.value];
        places.extend(pod.trail(&[]).into_iter().rev());
        let mut finding = checker.report_first(places, message);
        finding
            .fault_in(pod, container.name)
            .help("set `securityContext.privileged: true`, or use a rootless daemon or a sandboxed `runtimeClassName`");
        if rootless {
            finding.diagnostic.lower_to(Severity::Warning);
        }
    }
}

/// Runtimes such as sysbox and Kata let a daemon run without privileges.
fn has_own_runtime(pod: &Pod<'_>) -> bool {
    pod.spec.get("runtimeClassName").is_some_and(|class| !class.is_null() && class.as_str() != Some("runc"))
}

fn runs_daemon(pod: &Pod<'_>, container: &PodContainer<'_>) -> bool {
    // The legacy controller makes its own side-car privileged.
    // The chart throws its `dind` away, and this may be it.
    let may_be_ignored = pod.mode_to_expand() == ContainerMode::Dind && is_templated(container.name);
    let controlled = pod.legacy().is_some() && (container.is_runner() || container.name == "docker");
    let listed = container.kind != ContainerKind::RunnerSpec;
    listed && !controlled && !may_be_ignored && !has_capabilities(container) && container.runs_dockerd()
}

/// Whether it is given rights one by one, which may be enough in a namespace of its own.
fn has_capabilities(container: &PodContainer<'_>) -> bool {
    let added = container.get("securityContext").and_then(|context| context.at(&["capabilities", "add"]));
    let may_do =
        |name: &Value| name.is_unknown() || matches!(name.as_str(), Some("ALL" | "SYS_ADMIN" | "CAP_SYS_ADMIN"));
    added.is_some_and(|added| added.is_unknown() || added.items().any(may_do))
}
