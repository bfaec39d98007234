//! Feature flags that a later release will not have.

use crate::knowledge::FeatureFlag;
use crate::rule::Checker;
use crate::view::{FlagPlace, Fleet};

pub(crate) fn check(fleet: &Fleet<'_>, checker: &mut Checker<'_>) {
    for (flag, config) in fleet.flags(checker.trees(), checker.sources()) {
        let Some(known) = FeatureFlag::named(flag.name) else { continue };
        let Some(end) = known.deprecated else { continue };
        let end = end.strip_prefix("yes; ").map(|end| format!(": {end}")).unwrap_or_default();
        let message = format!("the feature flag `{}` is deprecated{end}", flag.name);
        let mut finding = match flag.place {
            FlagPlace::Environment => checker.report_value(flag.value, message),
            FlagPlace::Table | FlagPlace::Pipeline => checker.report_key_of(flag.value, message),
        };
        finding.help("see that jobs run without it, then take it out");
        if let Some(config) = config {
            finding.fault_in_config(config);
        }
    }
}
