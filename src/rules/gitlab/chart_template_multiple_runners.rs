//! A template with more runners than one, or none.

use crate::rule::Checker;
use crate::syntax::NodeRef;
use crate::values::Value;
use crate::view::{RunnerConfig, is_conditional};

pub(crate) fn check(config: &RunnerConfig<'_>, checker: &mut Checker<'_>) {
    if !config.is_chart_template(checker.trees(), checker.sources()) {
        return;
    }
    let runners = config.runners(checker.trees());
    let is_sure = |at: NodeRef| checker.trees().node(at).is_some_and(|node| !is_conditional(node));
    let second = runners.get(1).map(|runner| runner.value);
    if let Some(second) = second.filter(|second| second.origin.node.is_some_and(is_sure)) {
        checker
            .report_value(
                second,
                format!("{} `[[runners]]` in one template: registration takes exactly one", runners.len()),
            )
            .related(runners.first().and_then(|first| first.value.origin.node), "the first one")
            .fault_in_config(config)
            .help("install a release of the chart for each runner: the pod tries to register 30 times, and gives up");
    } else if runners.is_empty() && is_surely_without(config, checker) {
        let Some(host) = config.host(checker.trees()) else { return };
        checker
            .report_key(host, "no `[[runners]]` in the template: registration takes exactly one")
            .fault_in_config(config)
            .help("put the settings under `[[runners]]`: the pod tries to register 30 times, and gives up");
    }
}

/// Whether a text that can be read whole has no runner, in whatever form.
fn is_surely_without(config: &RunnerConfig<'_>, checker: &Checker<'_>) -> bool {
    let Some(tree) = checker.trees().get(config.tree) else { return false };
    let is_empty = |value: &Value| value.entries().next().is_none();
    tree.statements.is_empty()
        && tree.masked.is_empty()
        && tree.errors.is_empty()
        && !tree.text.trim().is_empty()
        && (is_empty(config.values) || config.globals().count() == config.values.entries().count())
}
