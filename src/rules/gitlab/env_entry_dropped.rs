//! Items of `environment` that set nothing.

use crate::rule::Checker;
use crate::view::RunnerConfig;

pub(crate) fn check(config: &RunnerConfig<'_>, checker: &mut Checker<'_>) {
    for item in config.runners(checker.trees()).iter().flat_map(|runner| runner.environment_items()) {
        let Some(text) = item.as_str().filter(|text| is_dropped(text)) else { continue };
        if item.is_unknown() {
            continue;
        }
        // What follows the name may be a secret.
        let name = text.split([':', ' ', '\t']).next().unwrap_or_default();
        checker
            .report_value(item, format!("this item has no `=`, so that jobs do not get the variable `{name}`"))
            .fault_in_config(config)
            .help(format!("write `\"{name}=…\"`: the runner drops every item of another form, and does not say so"));
    }
}

/// A `$` is left for whatever fills the text in.
fn is_dropped(text: &str) -> bool {
    !text.trim().is_empty() && !text.contains(['=', '$'])
}
