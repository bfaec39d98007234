//! A runner whose jobs get pods of their own has a service account that the chart gives no rights.

use crate::diagnostic::Severity;
use crate::rule::Checker;
use crate::values::Value;
use crate::view::{ContainerMode, Field, Fleet, ScaleSet, hooks};

pub(crate) fn check(fleet: &Fleet<'_>, checker: &mut Checker<'_>) {
    for set in fleet.scale_sets().into_iter().filter(starts_pods) {
        let path = ["template", "spec", "serviceAccountName"];
        let Field::Present(account, place) = Field::of(set.at(&path), Value::as_str) else { continue };
        let namespace = set.home.namespace();
        if account.is_empty() || is_of_chart(&set, account) || fleet.may_be_bound(account, namespace) {
            continue;
        }
        // Every namespace has an account `default`.
        let is_one = account != "default" || namespace.is_some();
        let in_view = fleet.service_account(account, namespace).filter(|_| is_one);
        let message = match in_view {
            Some(_) => format!("service account `{account}` is bound to no Role: the hooks cannot make pods for jobs"),
            None => {
                format!("with the service account `{account}` the chart makes no Role and RoleBinding for the hooks")
            }
        };
        let mut finding = checker.report_first([place].into_iter().chain(set.trail(&path).into_iter().rev()), message);
        finding
            .related(in_view.and_then(|object| object.value.origin.node), "the account")
            .fault_in_set(&set, "template.spec.serviceAccountName")
            .help("bind it to a Role for `pods`, `pods/exec`, `pods/log`, `jobs` and `secrets`, or leave the account to the chart");
        if in_view.is_none() {
            // Its bindings may stand where it stands.
            finding.diagnostic.lower_to(Severity::Info);
        }
    }
}

/// Whether hooks surely start pods for jobs, with or without a work volume.
fn starts_pods(set: &ScaleSet<'_>) -> bool {
    if matches!(set.container_mode(), ContainerMode::Kubernetes | ContainerMode::KubernetesNoVolume) {
        return true;
    }
    let runner = set.runner_pod().and_then(|pod| pod.runner());
    runner.is_some_and(|runner| runner.env_value(hooks::SCRIPT).known().is_some_and(|script| script.contains("k8s")))
}

/// Whether it is the account that the chart makes, with its Role, for a set that it has rendered.
fn is_of_chart(set: &ScaleSet<'_>, account: &str) -> bool {
    !set.is_values() && account.ends_with("-kube-mode")
}
