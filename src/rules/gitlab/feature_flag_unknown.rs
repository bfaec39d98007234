//! Feature flags that no runner knows.

use crate::diagnostic::Severity;
use crate::knowledge::FeatureFlag;
use crate::rule::Checker;
use crate::view::{FlagPlace, FlagSetting, Fleet, RunnerConfig, nearest_key};

pub(crate) fn check(fleet: &Fleet<'_>, checker: &mut Checker<'_>) {
    let is_complete = FeatureFlag::known_until().is_some_and(|until| checker.facts().as_of <= until);
    for (flag, config) in fleet.flags(checker.trees(), checker.sources()) {
        let near = nearest_key(flag.name, FeatureFlag::live().map(|flag| flag.name));
        // A runner newer than the table may have it; a setting that the table swallowed is reported as that.
        let is_excused =
            |config: &RunnerConfig<'_>| config.is_ahead() || config.is_swallowed(flag.value, checker.trees());
        if FeatureFlag::named(flag.name).is_some() || !is_meant_as_flag(flag, near) || config.is_some_and(is_excused) {
            continue;
        }
        let mut finding = match flag.place {
            FlagPlace::Environment => checker.report_value(flag.value, message(flag)),
            FlagPlace::Table | FlagPlace::Pipeline => checker.report_key_of(flag.value, message(flag)),
        };
        finding.help(match near {
            Some(near) => {
                format!("write `{near}`: the runner ignores a flag that it does not know, and does not say so")
            }
            None => "take it out: the runner ignores a flag that it does not know, and does not say so".to_owned(),
        });
        // A release after the table may have brought it.
        if near.is_none() && flag.name.starts_with("FF_") && !is_complete {
            finding.diagnostic.lower_to(Severity::Info);
        }
        if let Some(config) = config {
            finding.fault_in_config(config);
        }
    }
}

/// Variables may be called as anybody likes: of those only slips of the pen are flags.
fn is_meant_as_flag(flag: FlagSetting<'_>, near: Option<&str>) -> bool {
    flag.place == FlagPlace::Table || near.is_some()
}

fn message(flag: FlagSetting<'_>) -> String {
    format!("no runner has a feature flag `{}`", flag.name)
}
