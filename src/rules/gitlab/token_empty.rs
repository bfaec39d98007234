//! A runner without a token, which is never asked for jobs.

use crate::rule::Checker;
use crate::view::{Field, Home, RunnerConfig, is_conditional};

pub(crate) fn check(config: &RunnerConfig<'_>, checker: &mut Checker<'_>) {
    let (trees, sources) = (checker.trees(), checker.sources());
    // A template for `register` has none on purpose.
    if !matches!(config.home, Home::File) || config.is_template(trees, sources) {
        return;
    }
    for runner in config.runners(trees) {
        let Field::Present("", value) = runner.text(&["token"]) else { continue };
        let node = value.origin.node.and_then(|at| trees.node(at));
        if node.is_none_or(is_conditional) {
            continue;
        }
        checker
            .report_value(value, "the token is empty: this runner never asks for jobs")
            .help("write the token of the runner (`glrt-…`), or let `gitlab-runner register` write it");
    }
}
