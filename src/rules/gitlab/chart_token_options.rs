//! Options of a registration beside a token for which the server keeps them.

use semver::Version;

use crate::diagnostic::Severity;
use crate::rule::Checker;
use crate::values::Value;
use crate::view::{Part, Stack};

/// What only a registration token takes.
const OPTIONS: [&str; 5] = ["tags", "runUntagged", "locked", "protected", "maximumTimeout"];

pub(crate) fn check(stack: &Stack<'_>, checker: &mut Checker<'_>) {
    for part in stack.gitlab_charts().filter(|part| !part.is_older_than(&Version::new(0, 53, 0))) {
        let Some((token, is_sure)) = token(part) else { continue };
        for option in OPTIONS {
            let Some(value) = part.values.at(&["runners", option]).filter(|value| is_set(option, value)) else {
                continue;
            };
            report(part, option, value, (token, is_sure), checker);
        }
    }
}

fn report(part: &Part<'_>, option: &str, value: &Value, token: (&Value, bool), checker: &mut Checker<'_>) {
    let path = part.shown(&format!("runners.{option}"));
    let (token, is_sure) = token;
    let kind = if is_sure { "the authentication token" } else { "an authentication token (`glrt-…`)" };
    let fails = option == "maximumTimeout";
    let effect = if fails { "makes the registration fail" } else { "has no effect" };
    let message = format!("`{path}` {effect} with {kind}: the server keeps the settings of such a runner");
    let mut finding = checker.report_first_key(value.history(), message);
    // A token is not to be shown.
    let secret = token.origin.node.filter(|_| !is_sure);
    finding.related(secret, "the token is in this Secret").help("set it in GitLab, and remove it here");
    if !is_sure {
        finding.diagnostic.lower_to(Severity::Info);
    } else if !fails {
        finding.diagnostic.lower_to(Severity::Warning);
    }
}

/// What gives the token, and whether it surely is an authentication token; none for another one.
fn token<'a>(part: &Part<'a>) -> Option<(&'a Value, bool)> {
    let given = |path: &[&str]| part.values.at(path).filter(|value| !value.is_empty());
    let text = |value: &'a Value| Some((value, value.as_str()?));
    let keys = [given(&["runnerToken"]), given(&["runnerRegistrationToken"])];
    if let Some((value, text)) = keys.into_iter().flatten().find_map(text) {
        return if value.is_unknown() { None } else { text.starts_with("glrt-").then_some((value, true)) };
    }
    given(&["runners", "secret"]).map(|secret| (secret, false))
}

/// Whether the templates hand the option on.
fn is_set(option: &str, value: &Value) -> bool {
    let is_zero = value.as_f64() == Some(0.0) || value.as_bool() == Some(false);
    !(value.holds_nothing() || option == "maximumTimeout" && is_zero)
}
