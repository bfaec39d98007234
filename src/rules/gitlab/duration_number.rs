//! A number where a duration is due: it counts nanoseconds.

use crate::rule::Checker;
use crate::view::{Outcome, RunnerConfig};

pub(crate) fn check(config: &RunnerConfig<'_>, checker: &mut Checker<'_>) {
    for found in config.decoded(checker.trees()) {
        let Outcome::Nanoseconds(number) = found.outcome else { continue };
        let name = found.name(checker.trees());
        checker
            .report(found.at, format!("`{name} = {number}` means {number} nanoseconds: no time at all"))
            .fault_in_config(config)
            .help(format!("write the unit, in quotes: `\"{number}s\"` for seconds"));
    }
}
