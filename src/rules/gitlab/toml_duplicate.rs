//! A key or table that stands twice in runner TOML.

use crate::rule::Checker;
use crate::view::{Outcome, RunnerConfig};

pub(crate) fn check(config: &RunnerConfig<'_>, checker: &mut Checker<'_>) {
    let Some(tree) = checker.trees().get(config.tree) else { return };
    for error in tree.errors.iter().filter(|error| error.duplicate) {
        let mut finding = checker.report_span(config.tree, error.span, &error.message);
        if let Some((span, message)) = &error.context {
            finding.related_span(tree, *span, message);
        }
        finding
            .fault_in_config(config)
            .help("the runner refuses the whole file: keep one of the two, with what both say");
    }
    for found in config.decoded(checker.trees()) {
        let Outcome::Twice(first) = found.outcome else { continue };
        let name = found.name(checker.trees());
        let message =
            format!("`{name}` is the setting `{}` again: chance decides which of the two counts", found.of.name);
        checker
            .report_key(found.at, message)
            .related(Some(first), "the first of the two")
            .fault_in_config(config)
            .help("letter case does not matter to the runner: keep one of the two");
    }
}
