//! A key that the runner does not know and drops without a word.

use crate::diagnostic::Severity;
use crate::knowledge::runner_schema::newest;
use crate::rule::Checker;
use crate::view::{Outcome, RunnerConfig};

pub(crate) fn check(config: &RunnerConfig<'_>, checker: &mut Checker<'_>) {
    for found in config.decoded(checker.trees()) {
        let (name, place) = (found.name(checker.trees()), found.of.place());
        let (message, help) = match &found.outcome {
            Outcome::Unknown(near) => (
                format!("`{name}` is not known {place}: the runner ignores it silently"),
                near.map_or_else(
                    || format!("remove it: no release up to GitLab Runner {} knows such a key here", newest()),
                    |near| format!("did you mean `{near}`?"),
                ),
            ),
            Outcome::TooNew(since) => (
                format!(
                    "`{name}` is not known {place} before GitLab Runner {since}: the runner here ignores it silently"
                ),
                format!("run GitLab Runner {since} or later, or remove the key"),
            ),
            _ => continue,
        };
        let is_idle = matches!(found.outcome, Outcome::TooNew(_)) && found.is_zero(checker.trees());
        let mut finding = checker.report_key(found.at, message);
        finding.fault_in_config(config).help(help);
        if is_idle {
            finding.diagnostic.lower_to(Severity::Info);
        }
    }
}
