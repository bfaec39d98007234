//! Metrics of an autoscaler in a form that the API of the chart's object no longer has.

use crate::rule::Checker;
use crate::view::{GitlabChart, Stack};

/// Fields of a metric's source in `autoscaling/v2beta1`, and what says the same in `v2`.
const OLD: [(&str, &str); 7] = [
    ("metricName", "metric.name"),
    ("metricSelector", "metric.selector"),
    ("selector", "metric.selector"),
    ("targetAverageValue", "target: {type: AverageValue, averageValue: …}"),
    ("targetAverageUtilization", "target: {type: Utilization, averageUtilization: …}"),
    ("targetValue", "target: {type: Value, value: …}"),
    ("averageValue", "target: {type: AverageValue, averageValue: …}"),
];

pub(crate) fn check(stack: &Stack<'_>, checker: &mut Checker<'_>) {
    // Of charts so old it is not known which API they write.
    for chart in GitlabChart::of_stack(stack).iter().filter(|chart| !chart.is_older_than(53, 0)) {
        let metrics = chart.value(&["hpa", "metrics"]).into_iter().flat_map(|metrics| metrics.items());
        for (index, metric) in metrics.enumerate() {
            let fields = metric.entries().filter(|(key, _)| *key != "type").flat_map(|(_, source)| source.entries());
            let mut old = fields.filter_map(|(name, value)| {
                let (_, new) = OLD.iter().find(|(old, _)| *old == name)?;
                Some((name, *new, value))
            });
            let Some((name, new, value)) = old.next() else { continue };
            let rest = old.map(|(name, new, _)| format!(", and `{new}` for `{name}`")).collect::<String>();
            checker
                .report_key_of(
                    value,
                    format!("`{name}` is of `autoscaling/v2beta1`: the API server refuses it in the chart's `autoscaling/v2` object"),
                )
                .fault_in_chart(chart, &format!("hpa.metrics[{index}]"))
                .help(format!("write `{new}`{rest}"));
        }
    }
}
