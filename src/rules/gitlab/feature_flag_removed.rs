//! Feature flags that the runner no longer has.

use crate::knowledge::FeatureFlag;
use crate::knowledge::gitlab_version::Minor;
use crate::rule::Checker;
use crate::view::{FlagPlace, Fleet, RunnerConfig};

pub(crate) fn check(fleet: &Fleet<'_>, checker: &mut Checker<'_>) {
    for (flag, config) in fleet.flags(checker.trees(), checker.sources()) {
        let Some(known) = FeatureFlag::named(flag.name) else { continue };
        let Some(removed) = known.removed.map(Minor::from) else { continue };
        if config.and_then(RunnerConfig::version).is_some_and(|in_force| in_force.version < removed) {
            continue;
        }
        let message = format!("the feature flag `{}` is gone since Runner {removed} and has no effect", flag.name);
        let mut finding = match flag.place {
            FlagPlace::Environment => checker.report_value(flag.value, message),
            FlagPlace::Table | FlagPlace::Pipeline => checker.report_key_of(flag.value, message),
        };
        finding.help(match known.instead {
            Some("always on") => "take it out: what it did is always on".to_owned(),
            Some(instead) if instead.starts_with("see ") => format!("take it out; {instead}"),
            Some(instead) => format!("use `{instead}`"),
            None => "take it out".to_owned(),
        });
        if let Some(config) = config {
            finding.fault_in_config(config);
        }
    }
}
