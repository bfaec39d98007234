//! A key that the runner knows, in a table where it does not.

use crate::knowledge::runner_schema::Key;
use crate::rule::Checker;
use crate::view::{Outcome, RunnerConfig};

pub(crate) fn check(config: &RunnerConfig<'_>, checker: &mut Checker<'_>) {
    for found in config.decoded(checker.trees()) {
        let Outcome::Elsewhere(homes) = &found.outcome else { continue };
        let (name, place) = (found.name(checker.trees()), found.of.place());
        let is_around = |home: &&Key| found.of.enclosing().any(|table| std::ptr::eq(table, *home));
        let help = match homes.as_slice() {
            [home, ..] if is_around(home) => {
                format!("move it to {}: before the headers of the tables within", home.header())
            }
            homes => {
                let headers: Vec<_> = homes.iter().map(|home| home.header()).collect();
                format!("it is a key of {}: move it there, or remove it", headers.join(" and of "))
            }
        };
        let table = found.table(checker.trees());
        checker
            .report_key(found.at, format!("`{name}` is not known {place}: the runner ignores it silently"))
            .related(table, "it belongs to this table")
            .fault_in_config(config)
            .help(help);
    }
}
