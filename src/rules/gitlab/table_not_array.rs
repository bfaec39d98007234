//! One table where an array of tables is due, or the reverse.

use crate::rule::Checker;
use crate::view::{Outcome, RunnerConfig};

pub(crate) fn check(config: &RunnerConfig<'_>, checker: &mut Checker<'_>) {
    for found in config.decoded(checker.trees()) {
        let is = match found.outcome {
            Outcome::TableForTables => "one table",
            Outcome::TablesForTable => "an array of tables",
            _ => continue,
        };
        let name = found.of.dotted();
        let message = format!("`{name}` must be {}, and is {is}: the runner refuses the whole file", found.of.holds);
        let help = format!("write {}", found.of.header());
        checker.report_key(found.at, message).fault_in_config(config).help(help);
    }
}
