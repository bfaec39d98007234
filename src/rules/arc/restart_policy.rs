//! A runner that has ended would be started again with the credentials of its only job.

use crate::rule::Checker;
use crate::values::Value;
use crate::view::{Field, ScaleSet};

pub(crate) fn check(set: &ScaleSet<'_>, checker: &mut Checker<'_>) {
    let path = ["template", "spec", "restartPolicy"];
    let Field::Present(policy, _) = Field::of(set.at(&path), Value::as_str) else { return };
    if policy.is_empty() || policy == "Never" {
        return;
    }
    let message = match policy {
        "Always" | "OnFailure" => format!(
            "`restartPolicy` of the runner pod is `{policy}`: a restarted runner has only the credentials of the job \
             that is over"
        ),
        _ => format!("`restartPolicy` of the runner pod is `{policy}`, which Kubernetes does not know"),
    };
    checker
        .report_first(set.trail(&path).into_iter().rev(), message)
        .fault_in_set(set, "template.spec.restartPolicy")
        .help("remove it, or set it to `Never`, as the chart does: the controller makes a new pod for every job");
}
