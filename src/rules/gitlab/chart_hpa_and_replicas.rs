//! A number of managers that an autoscaler takes the place of.

use crate::diagnostic::Severity;
use crate::rule::Checker;
use crate::view::{Field, GitlabChart, Stack};

pub(crate) fn check(stack: &Stack<'_>, checker: &mut Checker<'_>) {
    for chart in GitlabChart::of_stack(stack) {
        let Some(hpa) = chart.value(&["hpa"]).filter(|hpa| hpa.as_map().is_some() && !hpa.is_empty()) else { continue };
        let Some(replicas) = chart.users(&["replicas"]).filter(|replicas| !replicas.is_unknown()) else { continue };
        let path = chart.home.shown("replicas");
        let mut finding = checker.report_first_key(
            replicas.history(),
            format!("`{path}` has no effect: with `hpa` the chart leaves it out"),
        );
        finding
            .related(hpa.origin.node, "the autoscaler")
            .fault_in_chart(&chart, "replicas")
            .help("remove it, or say it as `hpa.minReplicas`");
        if let Field::Present(least, _) = chart.number(&["hpa", "minReplicas"])
            && replicas.as_f64() == Some(least)
        {
            finding.diagnostic.lower_to(Severity::Info);
        }
    }
}
