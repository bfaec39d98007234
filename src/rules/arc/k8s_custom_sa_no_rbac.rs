//! A runner whose jobs get pods of their own has a service account that the chart gives no rights.

use std::borrow::Cow;

use crate::diagnostic::Severity;
use crate::rule::Checker;
use crate::values::Value;
use crate::view::{ContainerMode, Field, Fleet, ScaleSet, hooks};

pub(crate) fn check(fleet: &Fleet<'_>, checker: &mut Checker<'_>) {
    for set in fleet.scale_sets().into_iter().filter(starts_pods) {
        let path = ["template", "spec", "serviceAccountName"];
        let (account, places) = match Field::of(set.at(&path), Value::as_str) {
            Field::Absent | Field::Present("", _) => {
                let Some((account, hooks)) = account_without_rights(&set) else { continue };
                (Cow::Owned(account), vec![hooks])
            }
            Field::Present(account, place) => {
                (Cow::Borrowed(account), [place].into_iter().chain(set.trail(&path).into_iter().rev()).collect())
            }
            Field::WrongShape(_) | Field::Unknown(_) => continue,
        };
        let (account, namespace) = (account.as_ref(), set.home.namespace());
        if is_of_chart(&set, account) || fleet.may_be_bound(account, namespace) {
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
        let otherwise = match account.ends_with(WITHOUT_RIGHTS) {
            true => "set `containerMode.type`, with which the chart makes one that is",
            false => "leave the account to the chart",
        };
        let mut finding = checker.report_first(places, message);
        finding
            .related(in_view.and_then(|object| object.value.origin.node), "the account")
            .fault_in_set(&set, "template.spec.serviceAccountName")
            .help(format!(
                "bind it to a Role for `pods`, `pods/exec`, `pods/log`, `jobs` and `secrets`, or {otherwise}"
            ));
        if in_view.is_none() {
            // Its bindings may stand where it stands.
            finding.diagnostic.lower_to(Severity::Info);
        }
    }
}

const WITHOUT_RIGHTS: &str = "-gha-rs-no-permission";

/// The account that the chart makes where the values name none and set the hooks without a mode, and the hooks.
fn account_without_rights<'a>(set: &ScaleSet<'a>) -> Option<(String, &'a Value)> {
    let is_known = set.is_values() && !set.home.is_partial() && !set.home.is_experimental();
    if !is_known || set.container_mode() != ContainerMode::Unset {
        return None;
    }
    let name = set.name().known()?.replace('_', "-");
    Some((format!("{name}{WITHOUT_RIGHTS}"), set.runner_pod()?.runner()?.env_value(hooks::SCRIPT).value()?))
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
