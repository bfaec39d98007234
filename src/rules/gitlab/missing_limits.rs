//! Containers of job pods without a memory limit.

use crate::rule::Checker;
use crate::view::{Container, Executor, Field, Runner, RunnerConfig};

pub(crate) fn check(config: &RunnerConfig<'_>, checker: &mut Checker<'_>) {
    for runner in config.runners(checker.trees()) {
        let missing = missing(&runner);
        if runner.executor != Executor::Kubernetes || missing.is_empty() {
            continue;
        }
        let at = match runner.field(&["kubernetes"]) {
            Field::Present(table, _) => table,
            _ => runner.value,
        };
        let names = missing.iter().map(|container| container.name()).collect::<Vec<_>>().join(", ");
        let keys = missing.iter().map(|container| format!("`{}`", container.memory_limit_key())).collect::<Vec<_>>();
        // The text may be the chart's own: then what is missing belongs where the user's would stand.
        let trail = config.home.trail(&["runners", "config"]).into_iter().rev();
        checker
            .report_first(
                std::iter::once(at).chain(trail),
                format!("no memory limit for these containers of a job's pod: {names}"),
            )
            .fault_in_config(config)
            .help(format!("set {}: without one, a job can take the memory of its whole node", keys.join(", ")));
    }
}

fn missing(runner: &Runner<'_>) -> Vec<Container> {
    let is_missing = |container: &Container| matches!(runner.memory_limit(*container), Field::Absent);
    Container::ALL.into_iter().filter(is_missing).collect()
}
