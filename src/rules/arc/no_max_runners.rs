//! A scale set without a limit.

use crate::rule::Checker;
use crate::view::ScaleSet;

pub(crate) fn check(set: &ScaleSet<'_>, checker: &mut Checker<'_>) {
    let Some(settings) = set.settings.as_map() else { return };
    // Who writes a null has thought about it.
    let is_nulled = settings.deleted.iter().any(|deleted| deleted.key == "maxRunners");
    if is_nulled || set.home.is_partial() || settings.entries.contains_key("maxRunners") {
        return;
    }
    let places = set.home.users_first(set.trail(&["maxRunners"]).into_iter().rev().collect());
    checker
        .report_first(places, "`maxRunners` is not set: the scale set grows up to 2147483647 runners")
        .fault_in_set(set, "maxRunners")
        .help("set `maxRunners` to what the cluster can take");
}
