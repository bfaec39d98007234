//! Something else where a table of any keys is due: it becomes nothing.

use crate::rule::Checker;
use crate::view::{Outcome, RunnerConfig};

pub(crate) fn check(config: &RunnerConfig<'_>, checker: &mut Checker<'_>) {
    for found in config.decoded(checker.trees()) {
        let Outcome::NoMap(is) = found.outcome else { continue };
        let name = found.name(checker.trees());
        let message = format!("`{name}` must be {}, and is {is}: the runner ignores it silently", found.of.holds);
        // Tolerations are written as in a pod, of key, operator, value and effect.
        let entry = if found.of.name == "node_tolerations" { "\"key=value\" = \"Effect\"" } else { "\"key\" = …" };
        let help = format!("write a table: {} with one `{entry}` a line", found.of.header());
        checker.report(found.at, message).fault_in_config(config).help(help);
    }
}
