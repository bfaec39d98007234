//! A field of a listener template that the controller does not take over.

use crate::rule::Checker;
use crate::view::{Pod, PodRole};

const ACCOUNT_FIELDS: [&str; 3] = ["serviceAccountName", "serviceAccount", "automountServiceAccountToken"];

pub(crate) fn check(pod: &Pod<'_>, checker: &mut Checker<'_>) {
    for field in ACCOUNT_FIELDS.into_iter().filter(|_| pod.role == PodRole::Listener) {
        let Some(value) = pod.spec.get(field).filter(|value| !value.is_empty() && value.as_bool() != Some(true)) else {
            continue;
        };
        let message = format!("`{field}` has no effect here: the listener keeps the service account made for it");
        let mut finding = checker.report_first_key(value.history(), message);
        finding.fault_in(pod, field).help(format!(
            "remove it; what the generated account is to carry goes to `{}` (chart 0.14.0)",
            pod.home.called("resourceMeta.listenerServiceAccount")
        ));
    }
}
