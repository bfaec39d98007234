//! A key that the runner no longer heeds.

use crate::rule::Checker;
use crate::view::{Outcome, RunnerConfig};

pub(crate) fn check(config: &RunnerConfig<'_>, checker: &mut Checker<'_>) {
    for found in config.decoded(checker.trees()) {
        let Outcome::Gone(until, instead) = found.outcome else { continue };
        let name = found.name(checker.trees());
        checker
            .report_key(found.at, format!("`{name}` is ignored since GitLab Runner {until}"))
            .fault_in_config(config)
            .help(help(instead));
    }
}

/// What took its place: keys, with their header where that is another one.
fn help(instead: &str) -> String {
    if instead.is_empty() {
        return "remove it: nothing took its place".to_owned();
    }
    let quoted = |key: &str| match key.rsplit_once("] ") {
        Some((header, key)) => format!("`{key}` in `{header}]`"),
        None => format!("`{key}`"),
    };
    format!("use {}", instead.split(" + ").map(quoted).collect::<Vec<_>>().join(" and "))
}
