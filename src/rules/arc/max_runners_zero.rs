//! A scale set that may start no runner.

use crate::diagnostic::Severity;
use crate::rule::Checker;
use crate::values::Value;
use crate::view::ScaleSet;

pub(crate) fn check(set: &ScaleSet<'_>, checker: &mut Checker<'_>) {
    let count = |key: &str| set.at(&[key]).and_then(|value| Some((value, value.as_f64()?)));
    let is_kept = count("minRunners").is_some_and(|(_, min)| min > 0.0);
    let Some((zero, _)) = count("maxRunners").filter(|(_, max)| *max == 0.0 && !is_kept) else { return };
    let before = zero.past.iter().rev().map(|past| &past.value).find(|value| is_positive(value));
    let message = "`maxRunners` is 0, which is a limit and not the lack of one: no job ever gets a runner";
    let mut finding = checker.report_first(zero.history(), message);
    finding
        .related(before.and_then(|value| value.origin.node), "this limit is overridden")
        .fault_in_set(set, "maxRunners")
        .help("set the number of runners that may run at once; leave the key out for no limit");
    if before.is_some() {
        // Who takes a limit down to 0 probably parks the set.
        finding.diagnostic.lower_to(Severity::Info);
    }
}

fn is_positive(value: &Value) -> bool {
    value.as_f64().is_some_and(|number| number > 0.0)
}
