//! Rights of the manager in keys that the chart no longer reads.

use crate::diagnostic::Severity;
use crate::rule::Checker;
use crate::view::{GitlabChart, Stack};

pub(crate) fn check(stack: &Stack<'_>, checker: &mut Checker<'_>) {
    for chart in GitlabChart::of_stack(stack).iter().filter(|chart| !chart.is_older_than(53, 2)) {
        for key in ["resources", "verbs"] {
            let Some(value) = chart.users(&["rbac", key]).filter(|value| !value.is_empty()) else { continue };
            let path = chart.home.shown(&format!("rbac.{key}"));
            let is_role = chart.is_on(&["rbac", "create"]) == Some(true);
            let mut finding = checker.report_first_key(
                value.history(),
                format!("`{path}` has no effect: the chart reads it no longer, since 0.53.2"),
            );
            finding.fault_in_chart(chart, &format!("rbac.{key}")).help(match chart.is_on(&["rbac", "rules"]) {
                Some(true) => "remove it: `rbac.rules` says what the manager may do",
                _ => "say it in `rbac.rules`: without them the manager may do everything with all resources of the core group",
            });
            if !is_role {
                finding.diagnostic.lower_to(Severity::Info);
            }
        }
    }
}
