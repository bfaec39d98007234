//! A scale set does not name its controller's service account, and is rendered where nobody can look it up.

use crate::diagnostic::Severity;
use crate::rule::Checker;
use crate::values::Value;
use crate::view::{Deployer, Field, Fleet, Home, Release, ScaleSet};

const KEY: &str = "controllerServiceAccount";

pub(crate) fn check(fleet: &Fleet<'_>, checker: &mut Checker<'_>) {
    let releases = Release::of_objects(fleet.objects);
    let is_judged = |set: &&ScaleSet<'_>| set.is_values() && !set.home.is_partial() && !set.home.is_experimental();
    for set in fleet.scale_sets().iter().filter(is_judged) {
        let Some(lacking) = lacking(set) else { continue };
        let Home::Values(stack, part) = &set.home else { continue };
        let installing = |release: &&Release<'_>| release.installs(stack, part);
        let by_argo = releases.iter().filter(installing).find(|release| release.by == Deployer::ArgoCd);
        // These look the account up; which values they take, a ConfigMap may say.
        let may_look_up = |release: &Release<'_>| {
            matches!(release.by, Deployer::Flux | Deployer::K3s) && release.chart == Some(part.chart.chart)
        };
        let is_set_elsewhere = by_argo.is_some_and(|release| release.may_set_beside(stack, KEY));
        if is_set_elsewhere || by_argo.is_none() && releases.iter().any(may_look_up) {
            continue;
        }
        let who = if by_argo.is_some() { "Argo CD renders" } else { "Argo CD and `helm template` render" };
        let message =
            format!("{lacking} not set: {who} the chart without a cluster in which it could look the controller up");
        let places = set.trail(&[KEY]).into_iter().rev().collect();
        let mut finding = checker.report_first(set.home.users_first(places), message);
        finding.help(help(fleet));
        match by_argo {
            Some(release) => {
                finding.related(release.value().and_then(|value| value.origin.node), "installed by this application");
            }
            None => {
                finding.diagnostic.lower_to(Severity::Info);
            }
        }
    }
}

/// The keys that are surely not set, as the beginning of a sentence; none where all are or may be.
fn lacking(set: &ScaleSet<'_>) -> Option<String> {
    if set.at(&[KEY]).is_some_and(|account| account.as_map().is_none()) {
        return None;
    }
    let is_absent = |key: &&str| match Field::of(set.at(&[KEY, key]), Value::as_str) {
        Field::Absent | Field::Present("", _) => true,
        Field::Present(..) | Field::WrongShape(_) | Field::Unknown(_) => false,
    };
    let keys: Vec<_> = ["name", "namespace"].into_iter().filter(is_absent).collect();
    match keys.as_slice() {
        [] => None,
        [key] => Some(format!("`{KEY}.{key}` is")),
        _ => Some(format!("`{KEY}.name` and `.namespace` are")),
    }
}

/// Names the account of the only controller in view.
fn help(fleet: &Fleet<'_>) -> String {
    if let [controller] = fleet.controllers().as_slice()
        && let (Some(name), Some(namespace)) = (&controller.account, controller.namespace)
    {
        return format!("set `{KEY}: {{name: {name}, namespace: {namespace}}}`, the account of the controller in view");
    }
    format!("set `{KEY}.name` and `{KEY}.namespace` to the account that the controller runs under")
}
