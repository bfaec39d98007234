//! A count of runners in quotes, which the chart leaves out.

use crate::rule::Checker;
use crate::view::ScaleSet;

/// The counts, with what happens without them.
const COUNTS: [(&str, &str); 2] =
    [("minRunners", "no runner waits for jobs"), ("maxRunners", "the set grows without a limit")];

pub(crate) fn check(set: &ScaleSet<'_>, checker: &mut Checker<'_>) {
    // In an object the API server refuses a string aloud.
    for (key, effect) in COUNTS.into_iter().filter(|_| set.is_values()) {
        let Some(count) = set.at(&[key]) else { continue };
        let is_number = |text: &&str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let Some(text) = count.as_str().filter(is_number) else { continue };
        let message = format!("`{key}` is the text `\"{text}\"`, and the chart passes only numbers on: {effect}");
        checker
            .report_first(count.history(), message)
            .help(format!("write `{key}: {text}` without quotes; among flags `--set` instead of `--set-string`"));
    }
}
