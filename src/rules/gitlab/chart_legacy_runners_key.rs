//! A value under `runners` that the chart once read.

use crate::diagnostic::Severity;
use crate::rule::Checker;
use crate::values::Value;
use crate::view::{Part, RunnersValue, Stack};

pub(crate) fn check(stack: &Stack<'_>, checker: &mut Checker<'_>) {
    for part in stack.gitlab_charts() {
        for found in stack.unread_runners_values(part, None, checker.trees()) {
            if found.key.is_some() && !found.is_idle() {
                report(stack, part, &found, checker);
            }
        }
    }
}

fn report(stack: &Stack<'_>, part: &Part<'_>, found: &RunnersValue<'_>, checker: &mut Checker<'_>) {
    let path = part.shown(&format!("runners.{}", found.path));
    let until = found.key.and_then(|key| key.until.as_ref());
    let is_read = part.may_read(found);
    let message = match until {
        Some(until) if is_read => format!("chart {until} gives up `{path}`, which this one still reads"),
        Some(until) => format!("`{path}` has no effect: the chart does not read it since {until}"),
        None => format!("`{path}` has no effect: the chart does not read it"),
    };
    let is_said = part.runner_template(checker.trees()).is_some_and(|template| found.is_said_by(&template))
        || found.path == "namespace" && jobs_namespace(stack, part) == found.value.as_str();
    let mut finding = checker.report_first_key(found.value.history(), message);
    finding.help(help(found, is_said));
    if is_read || is_said {
        finding.diagnostic.lower_to(Severity::Info);
    } else if found.value.is_unknown() {
        finding.diagnostic.lower_to(Severity::Warning);
    }
}

/// The namespace of jobs where the template says none.
fn jobs_namespace<'a>(stack: &Stack<'a>, part: &Part<'a>) -> Option<&'a str> {
    let said = part.values.at(&["runners", "jobNamespace"]).and_then(Value::as_str);
    said.filter(|name| !name.is_empty()).or(stack.namespace)
}

fn help(found: &RunnersValue<'_>, is_said: bool) -> String {
    match found.as_toml() {
        Some(_) if is_said => "remove it: it is so without it".to_owned(),
        Some((lines, table)) => {
            let lines: Vec<_> = lines.iter().map(|line| format!("`{line}`")).collect();
            format!("set {} in `{table}` of `runners.config`", lines.join(", "))
        }
        None => "set what the runner has for it in `runners.config`".to_owned(),
    }
}
