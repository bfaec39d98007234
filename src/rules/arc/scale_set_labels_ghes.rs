//! Labels of a scale set, which not every server takes, and none after the set was created.

use crate::rule::Checker;
use crate::view::ScaleSet;

pub(crate) fn check(set: &ScaleSet<'_>, checker: &mut Checker<'_>) {
    // Charts before 0.14.0 do not read the key at all.
    let labels = set.at(&["scaleSetLabels"]).filter(|_| set.is_values() && !set.chart_is_before(0, 14, 0));
    let Some(labels) = labels.filter(|labels| !labels.is_empty() && !labels.is_unknown()) else { return };
    checker
        .report_first_key(
            labels.history(),
            format!(
                "`{}` are sent only when the scale set is created, and not every server takes them",
                set.home.called("scaleSetLabels")
            ),
        )
        .help("look on the server whether the set has its labels; after a change delete and install it anew");
}
