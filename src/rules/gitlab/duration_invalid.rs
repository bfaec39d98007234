//! A duration that Go does not read.

use crate::rule::Checker;
use crate::view::{Outcome, RunnerConfig};

pub(crate) fn check(config: &RunnerConfig<'_>, checker: &mut Checker<'_>) {
    for found in config.decoded(checker.trees()) {
        let Outcome::NoDuration(meant) = &found.outcome else { continue };
        let trees = checker.trees();
        let text = trees.node(found.at).map_or("", |node| node.text());
        let help = match meant {
            Some(meant) => format!("write `\"{meant}\"`"),
            None => "write numbers with `h`, `m`, `s` or `ms` and no space: `\"1h30m\"`".to_owned(),
        };
        checker
            .report(
                found.at,
                format!("`{text}` is no duration for `{}`: the runner refuses the whole file", found.name(trees)),
            )
            .fault_in_config(config)
            .help(help);
    }
}
