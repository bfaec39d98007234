//! The work volume of hooks belongs to root, and the runner is not root.

use crate::diagnostic::Severity;
use crate::rule::Checker;
use crate::values::Value;
use crate::view::{Field, Pod, PodContainer, PodRole, hooks};

pub(crate) fn check(pod: &Pod<'_>, checker: &mut Checker<'_>) {
    let is_asked = pod.role == PodRole::Runner && pod.legacy().is_none() && !pod.is_windows();
    let Some(rendered) = pod.rendered().filter(|_| is_asked) else { return };
    let rendered = rendered.pod();
    let Some(runner) = rendered.runner().filter(|runner| runner.shares_work_volume()) else { return };
    let Some(claim) = rendered.work_claim().filter(|claim| is_of_one_node(claim)) else { return };
    let class = Field::of(claim.get("storageClassName"), Value::as_str);
    let gives_access = match class {
        Field::Present(name, _) => is_open_to_all(name),
        Field::Absent => false,
        Field::WrongShape(_) | Field::Unknown(_) => true,
    };
    if gives_access || pod.home.is_partial() || runner.image_ref().is_none() || may_write(&rendered, &runner) {
        return;
    }
    let message = "the pod sets no `fsGroup`: its new work volume belongs to root, and the runner, which is not root, \
                   cannot write to it";
    let places = pod.trail(&["securityContext"]).into_iter().rev().collect();
    let mut finding = checker.report_first(pod.home.users_first(places), message);
    finding.related(claim.origin.node, "the volume is claimed here").fault_in(pod, "securityContext.fsGroup").help(
        format!(
            "set `{}` to `1001`, the group of the runner, or `123`, that of Docker",
            pod.home.called("template.spec.securityContext.fsGroup")
        ),
    );
    if !runner.is_official_runner() || class.is_absent() {
        // Another image may run as root, and the cluster's default class may be open to all.
        finding.diagnostic.lower_to(Severity::Info);
    }
}

/// Whether a claim is of a kind of volume to which the kubelet applies `fsGroup`.
fn is_of_one_node(claim: &Value) -> bool {
    hooks::access_modes(claim).known().is_some_and(|modes| modes.iter().all(|mode| mode.starts_with("ReadWriteOnce")))
}

/// Whether a storage class is named after a driver that makes volumes which anyone may write to.
fn is_open_to_all(class: &str) -> bool {
    let class = class.to_ascii_lowercase();
    ["local", "hostpath", "host-path", "nfs", "smb", "cifs", "azurefile", "efs"].iter().any(|word| class.contains(word))
}

/// Whether something gives the runner access, or may do so.
fn may_write(pod: &Pod<'_>, runner: &PodContainer<'_>) -> bool {
    let context = pod.spec.get("securityContext");
    let sets_group =
        |context: &Value| context.is_unknown() || context.get("fsGroup").is_some_and(|group| !group.is_null());
    // On a container it has no effect, which is a fault of its own.
    if [context, runner.get("securityContext")].into_iter().flatten().any(sets_group) {
        return true;
    }
    let may_be_root = matches!(pod.run_as_user(runner), Field::Present(0.0, _) | Field::Unknown(_));
    let mounts_work = |container: &PodContainer<'_>| {
        let mut mounts = container.get("volumeMounts").into_iter().flat_map(Value::items);
        mounts.any(|mount| mount.get("name").and_then(Value::as_str) == Some("work"))
    };
    let containers = pod.containers();
    let mut others = containers.iter().filter(|container| !container.is_runner());
    let changes_rights =
        |word: &str| ["chown", "chmod", "sudo", "setfacl"].iter().any(|command| word.contains(command));
    may_be_root || others.any(mounts_work) || runner.words().any(changes_rights)
}
