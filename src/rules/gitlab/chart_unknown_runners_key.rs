//! A value under `runners` that no version of the chart reads.

use crate::diagnostic::Severity;
use crate::knowledge::{Chart, live_runners_keys};
use crate::rule::Checker;
use crate::view::{Part, RunnersValue, Stack, nearest_key};

/// Tables of a runner in TOML that people write as values.
const TABLES: [&str; 8] =
    ["kubernetes", "docker", "machine", "autoscaler", "environment", "feature_flags", "featureFlags", "custom"];

pub(crate) fn check(stack: &Stack<'_>, checker: &mut Checker<'_>) {
    for part in stack.gitlab_charts() {
        let is_wrapped = stack.is_marked && !part.prefix.is_empty();
        for found in stack.unread_runners_values(part, None, checker.trees()) {
            let is_known = found.key.is_some() || part.may_read(&found) || is_switch(&found);
            // Templates of a chart around it may read more of the block.
            if !is_known && (!is_wrapped || what_was_meant(&found).is_some()) {
                report(part, &found, is_wrapped, checker);
            }
        }
    }
}

fn report(part: &Part<'_>, found: &RunnersValue<'_>, is_wrapped: bool, checker: &mut Checker<'_>) {
    let path = part.shown(&format!("runners.{}", found.path));
    let mut finding =
        checker.report_first_key(found.value.history(), format!("`{path}` has no effect: the chart does not read it"));
    finding.help(what_was_meant(found).unwrap_or_else(|| {
        "remove it; settings of the runner go into the text of `runners.config`, as TOML".to_owned()
    }));
    if part.may_have_more_keys() && what_was_meant(found).is_none() {
        finding.diagnostic.lower_to(Severity::Info);
    } else if is_wrapped || part.may_have_more_keys() {
        finding.diagnostic.lower_to(Severity::Warning);
    }
}

/// Whether it may be the condition of a chart around it.
fn is_switch(found: &RunnersValue<'_>) -> bool {
    found.value.as_bool().is_some() && matches!(found.path.as_str(), "enabled" | "install" | "create" | "deploy")
}

fn what_was_meant(found: &RunnersValue<'_>) -> Option<String> {
    let name = found.path.as_str();
    if TABLES.contains(&name) {
        return Some("write it as TOML into the text of `runners.config`: nothing else reaches the runner".to_owned());
    }
    if let Some(near) = nearest_key(name, live_runners_keys()) {
        return Some(format!("did you mean `runners.{near}`?"));
    }
    let top = Chart::GitlabRunner.keys()?.at(name)?;
    Some(format!("the chart reads `{}` at the top of its values, for the pod of the runner itself", top.path))
}
