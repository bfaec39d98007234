//! Hooks of one's own take the place of the hook that unregisters the runner.

use crate::diagnostic::Severity;
use crate::rule::Checker;
use crate::values::{Data, Value};
use crate::view::{GitlabChart, Stack};

pub(crate) fn check(stack: &Stack<'_>, checker: &mut Checker<'_>) {
    // Older charts do not read the hooks.
    for chart in GitlabChart::of_stack(stack).iter().filter(|chart| !chart.is_older_than(66, 0)) {
        let Some(hooks) = chart.users(&["deploymentLifecycle"]).filter(|hooks| !hooks.is_empty()) else { continue };
        if chart.is_on(&["unregisterRunners"]) != Some(true) || may_unregister(hooks) {
            continue;
        }
        let asked = chart.users(&["unregisterRunners"]);
        let mut finding = checker.report_first_key(
            hooks.history(),
            "these hooks replace the one that unregisters the runner: its managers stay listed in GitLab",
        );
        finding
            .related(asked.and_then(|value| value.origin.node), "asked for here")
            .fault_in_chart(chart, "deploymentLifecycle")
            .help(
                "let your `preStop` also run `/entrypoint unregister --all-runners`, or set `unregisterRunners: false`",
            );
        if asked.is_none() {
            finding.diagnostic.lower_to(Severity::Info);
        }
    }
}

/// Whether some text in it says so, or cannot be known.
fn may_unregister(value: &Value) -> bool {
    match &value.data {
        Data::String(text) => value.is_unknown() || text.contains("unregister"),
        Data::List(items) => items.iter().any(may_unregister),
        Data::Map(map) => map.entries.values().any(may_unregister),
        _ => false,
    }
}
