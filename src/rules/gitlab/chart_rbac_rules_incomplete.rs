//! Rules of one's own leave out rights that the manager needs for jobs.

use crate::diagnostic::Severity;
use crate::knowledge::Chart;
use crate::rule::{Checker, Finding};
use crate::syntax::Trees;
use crate::values::Value;
use crate::view::{Field, Fleet, GitlabChart, Lacking, Object, Release, Right, RunnerConfig};

/// With it scripts are run by `exec` rather than by attaching to their pod.
const LEGACY: &str = "FF_USE_LEGACY_KUBERNETES_EXECUTION_STRATEGY";

pub(crate) fn check(fleet: &Fleet<'_>, checker: &mut Checker<'_>) {
    let releases = Release::of_objects(fleet.objects);
    for chart in fleet.stacks.iter().flat_map(GitlabChart::of_stack).filter(makes_role) {
        let Some(rules) = chart.value(&["rbac", "rules"]).filter(|rules| !rules.is_empty()) else { continue };
        let may_be_more = ["RoleBinding", "ClusterRoleBinding"].iter().any(|kind| chart.may_add(kind))
            || chart.may_be_set_elsewhere("rbac", &releases)
            || fleet.may_be_granted_more(chart.account().as_deref(), None);
        let legacy = legacy(chart.configs(fleet), checker.trees());
        if !may_be_more && let Some(mut finding) = report(rules, legacy, checker) {
            finding.fault_in_chart(&chart, "rbac.rules");
        }
    }
    for role in fleet.objects.iter().filter(|object| is_of_chart(object)) {
        let Some(rules) = role.value.get("rules").filter(|_| !fleet.may_be_granted_more(None, role.namespace)) else {
            continue;
        };
        let legacy = legacy(fleet.runner_configs.iter(), checker.trees());
        if let Some(mut finding) = report(rules, legacy, checker) {
            finding.fault_in_object(role, "rbac.rules");
        }
    }
}

fn report<'c, 'a>(rules: &Value, legacy: Field<'_, bool>, checker: &'c mut Checker<'a>) -> Option<Finding<'c, 'a>> {
    let lacking = Lacking::of_rules(rules, legacy)?;
    let (rights, what) = match (lacking.needed.as_slice(), lacking.of_use.as_slice()) {
        ([], []) => return None,
        ([], of_use) => (of_use, "which the manager uses for some jobs"),
        (needed, _) => (needed, "without which no job runs"),
    };
    let message = format!("these rules take the place of the chart's own and leave out {}, {what}", names(rights));
    let mut finding = checker.report_value(rules, message);
    finding
        .help("add what is missing, or drop `rbac.rules`: without them the chart allows everything in the core group");
    // Rules that give nothing for jobs leave that to another Role.
    if lacking.needed.is_empty() || lacking.is_all {
        finding.diagnostic.lower_to(Severity::Info);
    }
    Some(finding)
}

/// Such as "`create` and `get` on `pods`".
fn names(rights: &[Right]) -> String {
    let mut resources: Vec<&str> = rights.iter().map(|right| right.resource).collect();
    resources.dedup();
    let of = |resource: &&str| {
        let verbs = rights.iter().filter(|right| right.resource == *resource).map(|right| format!("`{}`", right.verb));
        format!("{} on `{resource}`", verbs.collect::<Vec<_>>().join(", "))
    };
    resources.iter().map(of).collect::<Vec<_>>().join("; ")
}

fn makes_role(chart: &GitlabChart<'_>) -> bool {
    chart.is_on(&["rbac", "create"]) == Some(true) && chart.is_kubernetes()
}

fn is_of_chart(object: &Object<'_>) -> bool {
    matches!(object.kind, "Role" | "ClusterRole")
        && object.chart().is_some_and(|chart| chart.chart == Chart::GitlabRunner)
}

/// Whether scripts are run by `exec`; not known where runners differ.
fn legacy<'a>(configs: impl Iterator<Item = &'a RunnerConfig<'a>>, trees: &Trees) -> Field<'a, bool> {
    let mut flags = configs.flat_map(|config| config.runners(trees)).map(|runner| runner.feature(LEGACY));
    let Some(first) = flags.next() else { return Field::Absent };
    let is_on = |flag: &Field<'_, bool>| match flag {
        Field::Absent | Field::Present(false, _) => Some(false),
        Field::Present(true, _) => Some(true),
        Field::WrongShape(_) | Field::Unknown(_) => None,
    };
    let same = flags.all(|flag| is_on(&flag).is_some() && is_on(&flag) == is_on(&first));
    if same { first } else { Field::Unknown(None) }
}
