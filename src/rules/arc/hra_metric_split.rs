//! One metric of an autoscaler became two list items: the second has no type.

use crate::rule::Checker;
use crate::values::Value;
use crate::view::{Autoscaler, Object};

pub(crate) fn check(object: &Object<'_>, checker: &mut Checker<'_>) {
    let Some(metrics) = Autoscaler::of_object(object).and_then(|scaler| scaler.spec.get("metrics")) else { return };
    let items: Vec<_> = metrics.items().filter(|item| item.as_map().is_some()).collect();
    for pair in items.windows(2) {
        let &[first, second] = pair else { continue };
        let (typed, rest) = match (is_typed(first), is_typed(second)) {
            (true, false) => (first, second),
            (false, true) => (second, first),
            _ => continue,
        };
        // A metric that says all for itself only lacks its type.
        let Some(key) = rest.entries().map(|(key, _)| key).find(|_| !shares_a_key(typed, rest)) else { continue };
        checker
            .report_value(typed, format!("the metric has no `{key}`: it is an item of its own, without a `type`"))
            .related(rest.origin.node, format!("`{key}` is here"))
            .help(format!("join both into one item: delete the dash before `{key}`"));
    }
}

fn is_typed(metric: &Value) -> bool {
    metric.get("type").is_some_and(|kind| !kind.is_null())
}

fn shares_a_key(a: &Value, b: &Value) -> bool {
    b.entries().any(|(key, _)| a.get(key).is_some())
}
