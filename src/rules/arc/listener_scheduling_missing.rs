//! A listener without the scheduling that its controller needs.

use crate::knowledge::Chart;
use crate::rule::Checker;
use crate::values::Value;
use crate::view::{Fleet, Pod, PodRole};

/// Labels that say nothing about which pool a pod is meant for.
const OF_ALL_NODES: [&str; 2] = ["kubernetes.io/os", "kubernetes.io/arch"];

pub(crate) fn check(fleet: &Fleet<'_>, checker: &mut Checker<'_>) {
    let is_of_scale_sets =
        |pod: &Pod<'_>| pod.chart().is_none_or(|chart| chart.chart.as_labelled() == Chart::GhaRunnerScaleSetController);
    let controllers = fleet.pods().into_iter().filter(|pod| pod.role == PodRole::Controller && is_of_scale_sets(pod));
    // A controller that runs anywhere shows that the listener can.
    let needs: Option<Vec<_>> = controllers.map(|pod| need(pod.spec)).collect();
    let Some(&(key, need)) = needs.as_ref().and_then(|needs| needs.first()) else { return };
    for set in fleet.scale_sets().iter().filter(|set| !set.home.is_partial()) {
        let listener = set.at(&["listenerTemplate"]);
        let spec = listener.and_then(|listener| listener.get("spec"));
        let is_open = [listener, spec].into_iter().flatten().any(Value::is_unknown);
        let placed = |key: &&str| spec.and_then(|spec| spec.get(key)).is_some_and(|value| !value.is_empty());
        if is_open || ["tolerations", "nodeSelector", "affinity", "nodeName"].iter().any(placed) {
            continue;
        }
        let places = set.home.users_first(set.trail(&["listenerTemplate", "spec"]).into_iter().rev().collect());
        let message = format!(
            "the controller has `{key}` and the listener has no scheduling of its own: it gets none from there"
        );
        checker
            .report_first(places, message)
            .related(need.origin.node, format!("the `{key}` of the controller"))
            .fault_in_set(set, "listenerTemplate.spec")
            .help(format!(
                "if all nodes are tainted, repeat `tolerations` and `nodeSelector` in `{}`, beside `containers: [{{name: listener}}]`",
                set.home.called("listenerTemplate.spec")
            ));
    }
}

/// What a controller asks of its node, if anything.
fn need(spec: &Value) -> Option<(&'static str, &Value)> {
    let found = |key: &'static str| Some((key, spec.get(key).filter(|value| !value.is_empty())?));
    let is_choice = |labels: &Value| labels.entries().any(|(key, _)| !OF_ALL_NODES.contains(&key));
    found("tolerations").or_else(|| found("nodeSelector").filter(|(_, labels)| is_choice(labels)))
}
