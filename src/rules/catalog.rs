// GENERATED from `rules/` by `cargo test --test catalog`: do not edit.
//! Every rule: its page as constants, and its function.

use crate::diagnostic::Severity;
use crate::rule::{Category, Check, Meta, Rule};

/// Sorted by id.
pub(super) static RULES: &[Rule] = &[
    Rule {
        meta: Meta {
            id: "meta/duplicate-key",
            severity: Severity::Error,
            category: Category::Correctness,
            summary: "A key stands twice in one mapping, and only the last one counts.",
            inputs: &["values", "manifest", "pipeline", "workflow", "node-pool", "config"],
            since: "0.1.0",
            on_by_default: true,
            options: &[],
            page: include_str!("../../rules/meta/duplicate-key.md"),
        },
        check: Check::Engine,
    },
    Rule {
        meta: Meta {
            id: "meta/internal-error",
            severity: Severity::Error,
            category: Category::Reliability,
            summary: "A rule failed on an input, which is a fault of runnerlint itself.",
            inputs: &["values", "manifest", "runner-config", "pipeline", "workflow", "node-pool", "config"],
            since: "0.1.0",
            on_by_default: true,
            options: &[],
            page: include_str!("../../rules/meta/internal-error.md"),
        },
        check: Check::Engine,
    },
    Rule {
        meta: Meta {
            id: "meta/invalid-config",
            severity: Severity::Error,
            category: Category::Correctness,
            summary: "The configuration has an unknown key, rule or value.",
            inputs: &["config"],
            since: "0.1.0",
            on_by_default: true,
            options: &[],
            page: include_str!("../../rules/meta/invalid-config.md"),
        },
        check: Check::Engine,
    },
    Rule {
        meta: Meta {
            id: "meta/syntax-error",
            severity: Severity::Error,
            category: Category::Correctness,
            summary: "A file cannot be read as the YAML or TOML that it is meant to be.",
            inputs: &["values", "manifest", "pipeline", "workflow", "node-pool", "config"],
            since: "0.1.0",
            on_by_default: true,
            options: &[],
            page: include_str!("../../rules/meta/syntax-error.md"),
        },
        check: Check::Engine,
    },
    Rule {
        meta: Meta {
            id: "meta/unknown-suppression",
            severity: Severity::Error,
            category: Category::Correctness,
            summary: "A suppression names a rule that does not exist.",
            inputs: &["values", "manifest", "runner-config", "pipeline", "workflow", "node-pool", "config"],
            since: "0.1.0",
            on_by_default: true,
            options: &[],
            page: include_str!("../../rules/meta/unknown-suppression.md"),
        },
        check: Check::Engine,
    },
    Rule {
        meta: Meta {
            id: "meta/unreadable-file",
            severity: Severity::Error,
            category: Category::Reliability,
            summary: "A file that belongs to the project cannot be read.",
            inputs: &["values", "manifest", "runner-config", "pipeline", "workflow", "node-pool", "config"],
            since: "0.1.0",
            on_by_default: true,
            options: &[],
            page: include_str!("../../rules/meta/unreadable-file.md"),
        },
        check: Check::Engine,
    },
    Rule {
        meta: Meta {
            id: "meta/unused-suppression",
            severity: Severity::Warning,
            category: Category::Correctness,
            summary: "A suppression silences nothing.",
            inputs: &["values", "manifest", "runner-config", "pipeline", "workflow", "node-pool", "config"],
            since: "0.1.0",
            on_by_default: true,
            options: &[],
            page: include_str!("../../rules/meta/unused-suppression.md"),
        },
        check: Check::Engine,
    },
];
