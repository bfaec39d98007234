//! A value under `runners.cache` that the chart does not read.

use crate::diagnostic::Severity;
use crate::rule::Checker;
use crate::view::{Part, RunnersValue, Stack};

pub(crate) fn check(stack: &Stack<'_>, checker: &mut Checker<'_>) {
    for part in stack.gitlab_charts() {
        for found in stack.unread_runners_values(part, Some("cache"), checker.trees()) {
            if !found.is_idle() {
                report(part, &found, checker);
            }
        }
    }
}

fn report(part: &Part<'_>, found: &RunnersValue<'_>, checker: &mut Checker<'_>) {
    let path = part.shown(&format!("runners.{}", found.path));
    let until = found.key.and_then(|key| key.until.as_ref());
    let is_read = part.may_read(found);
    let message = match until {
        Some(until) if is_read => format!("chart {until} gives up `{path}`, which this one still reads"),
        Some(until) => format!("`{path}` has no effect: of `cache` the chart reads only `secretName` since {until}"),
        None => format!("`{path}` has no effect: of `cache` the chart reads only `secretName`"),
    };
    let is_said = part.runner_template(checker.trees()).is_some_and(|template| found.is_said_by(&template));
    let mut finding = checker.report_first_key(found.value.history(), message);
    finding.help(help(found, is_said));
    if is_read || is_said {
        finding.diagnostic.lower_to(Severity::Info);
    } else if found.value.is_unknown() || found.key.is_none() && part.may_have_more_keys() {
        finding.diagnostic.lower_to(Severity::Warning);
    }
}

fn help(found: &RunnersValue<'_>, is_said: bool) -> String {
    match found.as_toml() {
        Some(_) if is_said => "remove it: `runners.config` says the same".to_owned(),
        Some((lines, table)) => format!("set `{}` in `{table}` of `runners.config`", lines.join("`, `")),
        None => "describe the cache in `[runners.cache]` of `runners.config`".to_owned(),
    }
}
