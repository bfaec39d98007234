//! Fewer runners are allowed than shall be kept.

use crate::rule::Checker;
use crate::values::Value;
use crate::view::Fleet;

pub(crate) fn check(fleet: &Fleet<'_>, checker: &mut Checker<'_>) {
    for set in &fleet.scale_sets() {
        let effect = if set.is_values() { "the chart does not render" } else { "runners wait above the cap" };
        let pair = Pair::of(set.settings, "minRunners", "maxRunners").filter(Pair::is_upside_down);
        if let Some(pair) = pair {
            pair.report(effect, checker).fault_in_set(set, "maxRunners");
        }
    }
    let autoscalers = fleet.objects.iter().filter(|object| object.kind == "HorizontalRunnerAutoscaler");
    for spec in autoscalers.filter_map(|object| object.value.get("spec")) {
        let pair = Pair::of(spec, "minReplicas", "maxReplicas").filter(Pair::is_upside_down);
        if let Some(pair) = pair {
            pair.report("no number of runners is within both", checker);
        }
    }
}

/// Two limits, each with its key.
struct Pair<'a> {
    least: (&'static str, &'a Value, f64),
    most: (&'static str, &'a Value, f64),
}

impl<'a> Pair<'a> {
    /// The pair, where both are numbers.
    fn of(settings: &'a Value, least: &'static str, most: &'static str) -> Option<Self> {
        let limit = |key| settings.get(key).and_then(|value| Some((key, value, value.as_f64()?)));
        Some(Self { least: limit(least)?, most: limit(most)? })
    }

    fn is_upside_down(&self) -> bool {
        self.least.2 > self.most.2
    }

    /// Reports at the one that was set last.
    fn report<'f, 'c>(&self, effect: &str, checker: &'f mut Checker<'c>) -> crate::rule::Finding<'f, 'c> {
        let ((least, low, min), (most, high, max)) = (self.least, self.most);
        let is_later = high.origin.layer > low.origin.layer;
        let (at, other, key) = if is_later { (high, low, least) } else { (low, high, most) };
        let message = format!("`{least}` is {min} and `{most}` is {max}: {effect}");
        let mut finding = checker.report_first(at.history().chain([other]), message);
        finding
            .related(other.origin.node, format!("`{key}` is set here"))
            .help(format!("raise `{most}` to {min} at least, or lower `{least}`"));
        finding
    }
}
