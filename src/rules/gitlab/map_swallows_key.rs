//! A setting that a map before it took for one of its entries.

use crate::diagnostic::Severity;
use crate::rule::Checker;
use crate::view::{Outcome, RunnerConfig};

pub(crate) fn check(config: &RunnerConfig<'_>, checker: &mut Checker<'_>) {
    for found in config.decoded(checker.trees()) {
        let Outcome::Swallowed { setting, is_sure } = found.outcome else { continue };
        let (name, map) = (found.name(checker.trees()), found.of);
        let Some(home) = setting.parent() else { continue };
        let table = found.table(checker.trees());
        let message = format!("`{name}` is an entry of `{}` here, and not the setting of {}", map.name, home.header());
        let mut finding = checker.report_key(found.at, message);
        finding.related(table, "everything up to the next header is an entry of this table").fault_in_config(config);
        if is_sure {
            finding.help(format!("move it to {}: before the headers of the tables within", home.header()));
        } else {
            finding.diagnostic.lower_to(Severity::Info);
            finding
                .help(format!("put the key in quotes if it is meant as an entry, else move it to {}", home.header()));
        }
    }
}
