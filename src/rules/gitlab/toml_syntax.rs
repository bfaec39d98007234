//! Runner TOML that does not parse.

use crate::rule::Checker;
use crate::view::RunnerConfig;

pub(crate) fn check(config: &RunnerConfig<'_>, checker: &mut Checker<'_>) {
    let Some(tree) = checker.trees().get(config.tree) else { return };
    for error in tree.errors.iter().filter(|error| !error.duplicate) {
        let mut finding = checker.report_span(config.tree, error.span, format!("no valid TOML: {}", error.message));
        if let Some((span, message)) = &error.context {
            finding.related_span(tree, *span, message);
        }
        finding.fault_in_config(config).help("the runner refuses the whole file: correct this line");
    }
}
