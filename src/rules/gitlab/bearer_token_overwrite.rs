//! Jobs that choose with whose rights their pods are made.

use crate::diagnostic::Severity;
use crate::rule::Checker;
use crate::view::{Executor, Field, RunnerConfig};

/// Gates that hold what a job may ask for, whether all of it is as good as the rights of others, and what it is.
const GATES: [(&str, bool, &str); 6] = [
    ("namespace_overwrite_allowed", true, "namespace"),
    ("service_account_overwrite_allowed", true, "service account"),
    ("pod_labels_overwrite_allowed", false, "labels"),
    ("pod_annotations_overwrite_allowed", false, "annotations"),
    ("node_selector_overwrite_allowed", false, "node selector"),
    ("node_tolerations_overwrite_allowed", false, "tolerations"),
];

/// Expressions that match everything.
const ALL: [&str; 8] = [".*", ".+", ".", "^.*", "^.+", ".*$", "^.*$", "^.+$"];

pub(crate) fn check(config: &RunnerConfig<'_>, checker: &mut Checker<'_>) {
    for runner in config.runners(checker.trees()) {
        if runner.executor != Executor::Kubernetes {
            continue;
        }
        if let Field::Present(true, value) = runner.flag(&["kubernetes", "bearer_token_overwrite_allowed"]) {
            checker
                .report_value(value, "a job may bring a token of its own, with which the manager then makes its pods")
                .fault_in_config(config)
                .help("drop it, and let jobs choose among accounts by `service_account_overwrite_allowed`");
        }
        for (key, is_right, what) in GATES {
            let Field::Present(pattern, value) = runner.text(&["kubernetes", key]) else { continue };
            if !ALL.contains(&pattern) {
                continue;
            }
            let mut finding = checker.report_value(value, format!("`{pattern}` lets a job choose any {what}"));
            finding
                .fault_in_config(config)
                .help("write an expression for those that jobs are to choose from, such as `^ci-.*$`");
            if !is_right {
                finding.diagnostic.lower_to(Severity::Info);
            }
        }
    }
}
