//! Values are written for the other schema of a scale set's chart.

use crate::knowledge::{Chart, ChartKey};
use crate::rule::Checker;
use crate::values::Value;
use crate::view::{Part, Stack};

pub(crate) fn check(stack: &Stack<'_>, checker: &mut Checker<'_>) {
    for part in &stack.parts {
        let foreign = part.other_schema();
        // Where the runner itself is described, most is lost.
        let worst = foreign.iter().find(|(key, _)| matches!(key.name(), "template" | "runner")).or(foreign.first());
        if let Some((key, value)) = worst {
            report(part, &foreign, key, value, checker);
        }
    }
}

fn report(
    part: &Part<'_>,
    foreign: &[(&'static ChartKey, &Value)],
    worst: &ChartKey,
    value: &Value,
    checker: &mut Checker<'_>,
) {
    let (chart, other) = match part.chart.chart {
        Chart::GhaRunnerScaleSetExperimental => (part.chart.chart, Chart::GhaRunnerScaleSet),
        chart => (chart, Chart::GhaRunnerScaleSetExperimental),
    };
    let others = match foreign.len() {
        0 | 1 => String::new(),
        2 => " (and 1 more key)".to_owned(),
        count => format!(" (and {} more keys)", count - 1),
    };
    let message = format!(
        "`{}`{others} is written for `{}`: chart `{}` does not read it",
        part.shown(worst.path),
        other.name(),
        chart.name()
    );
    let mut finding = checker.report_key_of(value, message);
    let mut moves = Vec::new();
    for (key, value) in foreign {
        let to = key.instead.map(|instead| part.shown(instead)).unwrap_or_default();
        moves.push(format!("`{}` is `{to}`", key.path));
        if key.path != worst.path {
            finding.related(value.origin.node, format!("here it is `{to}`"));
        }
    }
    finding.help(format!("name the chart `{}`, or use the keys of this one: {}", other.name(), moves.join(", ")));
}
