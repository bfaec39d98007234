//! A runner that is registered with a registration token.

use crate::rule::Checker;
use crate::values::Value;
use crate::view::Stack;

pub(crate) fn check(stack: &Stack<'_>, checker: &mut Checker<'_>) {
    for part in stack.gitlab_charts() {
        let Some(token) = part.values.get("runnerRegistrationToken") else { continue };
        if !token.as_str().is_some_and(|text| !text.is_empty() && !text.starts_with("glrt-")) {
            continue;
        }
        let is_set = |key: &str| part.values.get(key).and_then(Value::as_str).is_some_and(|text| !text.is_empty());
        if is_set("runnerToken") {
            continue;
        }
        checker
            .report_first_key(
                token.history(),
                format!(
                    "`{}` is deprecated: GitLab gives up registration tokens",
                    part.shown("runnerRegistrationToken")
                ),
            )
            .help(format!(
                "create the runner in GitLab, and give its token (`glrt-…`) in `{}` or in the Secret of `{}`",
                part.shown("runnerToken"),
                part.shown("runners.secret")
            ));
    }
}
