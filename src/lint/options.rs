//! What the command line says about judging; it wins over every configuration.

use std::sync::Arc;

use jiff::civil::Date;

use crate::project::{ConfigId, Project};
use crate::rule::{Facts, Meta};
use crate::rules;

/// How to judge.
#[derive(Debug, Clone)]
pub struct Options {
    /// Today, for runs that say no other day.
    pub today: Date,
    /// `--as-of`.
    pub as_of: Option<Date>,
    /// `--kube-version`.
    pub kube_version: Option<(u32, u32)>,
    /// `--gitlab-runner-version`.
    pub gitlab_runner_version: Option<(u32, u32)>,
    /// `--node-pools`.
    pub node_pools_closed: Option<bool>,
    /// `--select` and `--ignore`.
    pub selection: Selection,
}

impl Options {
    /// Whether the selection lets a rule speak; an unknown one could not.
    pub fn is_asked_for(&self, rule: &str) -> bool {
        rules::find(rule).is_none_or(|rule| self.selection.verdict(&rule.meta) != Verdict::Off)
    }

    /// Facts of the run for what a configuration governs.
    pub(super) fn facts(&self, project: &Project, config: Option<ConfigId>) -> Facts {
        let file = config.and_then(|id| project.config(id));
        let config = file.map(|file| &file.config);
        let basis = file.map_or(&project.basis, |file| &file.basis);
        Facts {
            as_of: self.as_of.or_else(|| config?.as_of).or(basis.as_of).unwrap_or(self.today),
            kube_version: self.kube_version.or_else(|| config?.kube_version),
            releases: Arc::clone(&basis.releases),
        }
    }
}

/// Rules by id, family or category.
#[derive(Debug, Clone, Default)]
pub struct Selection {
    /// Only these; empty: no limit.
    pub select: Vec<String>,
    /// Not these.
    pub ignore: Vec<String>,
}

/// What a selection says of a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    /// It must not speak.
    Off,
    /// It was asked for.
    On,
    /// Nothing was said.
    Unsaid,
}

/// What tells that an input was not judged is not lost by choosing among the rules.
const ALWAYS: [&str; 4] = ["meta/syntax-error", "meta/unreadable-file", "meta/invalid-config", "meta/internal-error"];

impl Selection {
    /// Both lists speak; the narrower word wins, `--ignore` among equals.
    pub(super) fn verdict(&self, meta: &Meta) -> Verdict {
        let (selected, ignored) = (narrowest(&self.select, meta), narrowest(&self.ignore, meta));
        match (selected, ignored) {
            (Some(selected), ignored) if ignored.is_none_or(|ignored| ignored > selected) => Verdict::On,
            (None, None) if self.select.is_empty() || ALWAYS.contains(&meta.id) => Verdict::Unsaid,
            _ => Verdict::Off,
        }
    }
}

/// How narrow the narrowest word is that means the rule: id, family, category.
fn narrowest(words: &[String], meta: &Meta) -> Option<usize> {
    let names = [meta.id, meta.family(), meta.category.as_str()];
    names.iter().position(|name| words.iter().any(|word| word == name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Severity;
    use crate::rule::Category;

    fn meta(id: &'static str) -> Meta {
        Meta {
            id,
            severity: Severity::Error,
            category: Category::Security,
            summary: "",
            inputs: &[],
            since: "0.1.0",
            on_by_default: true,
            options: &[],
            page: "",
        }
    }

    fn verdict(select: &[&str], ignore: &[&str], id: &'static str) -> Verdict {
        let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
        Selection { select: words(select), ignore: words(ignore) }.verdict(&meta(id))
    }

    #[test]
    fn the_narrower_word_wins() {
        assert_eq!(verdict(&[], &[], "arc/a"), Verdict::Unsaid);
        assert_eq!(verdict(&["arc"], &[], "arc/a"), Verdict::On);
        assert_eq!(verdict(&["arc"], &[], "helm/a"), Verdict::Off);
        assert_eq!(verdict(&["arc"], &["arc/a"], "arc/a"), Verdict::Off);
        assert_eq!(verdict(&["arc/a"], &["arc"], "arc/a"), Verdict::On);
        assert_eq!(verdict(&["security"], &["arc"], "arc/a"), Verdict::Off);
        assert_eq!(verdict(&["arc"], &["arc"], "arc/a"), Verdict::Off);
    }

    #[test]
    fn what_was_not_judged_is_said_all_the_same() {
        assert_eq!(verdict(&["arc"], &[], "meta/syntax-error"), Verdict::Unsaid);
        assert_eq!(verdict(&["arc"], &[], "meta/unused-suppression"), Verdict::Off);
        assert_eq!(verdict(&["arc"], &["meta"], "meta/syntax-error"), Verdict::Off);
    }
}
