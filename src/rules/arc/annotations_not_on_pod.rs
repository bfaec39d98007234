//! Annotations that are meant for pods and stay on other objects.

use crate::rule::Checker;
use crate::values::Value;
use crate::view::{Home, ScaleSet};

/// Domains whose annotations are read from pods alone.
const OF_PODS: [&str; 5] =
    ["karpenter.sh", "cluster-autoscaler.kubernetes.io", "sidecar.istio.io", "iam.amazonaws.com", "linkerd.io"];

pub(crate) fn check(set: &ScaleSet<'_>, checker: &mut Checker<'_>) {
    for (place, annotations) in places(set) {
        let listener = place == "resourceMeta.autoscalingListener.annotations";
        let (pod, whose, template) = match listener {
            true => (set.listener_pod(), "the listener's pod", "listenerTemplate"),
            false => (set.runner_pod(), "runner pods", "template"),
        };
        for (key, value) in annotations.entries().filter(|(key, _)| is_of_pods(key)) {
            if value.is_null() || pod.as_ref().is_some_and(|pod| pod.annotation(key).is_some()) {
                continue;
            }
            let message = format!("`{key}` under `{}` never reaches {whose}", set.home.shown(&place));
            checker
                .report_first_key(value.history(), message)
                .fault_in_set(set, key)
                .help(format!("move it to `{}`", set.home.shown(&format!("{template}.metadata.annotations"))));
        }
    }
}

/// The maps of annotations that go to other objects than pods, each with its path.
fn places<'a>(set: &ScaleSet<'a>) -> Vec<(String, &'a Value)> {
    if let Home::Object(object) = &set.home {
        let found = object.value.at(&["metadata", "annotations"]);
        return found.map(|found| ("metadata.annotations".to_owned(), found)).into_iter().collect();
    }
    let mut found = Vec::new();
    found.extend(set.at(&["annotations"]).map(|found| ("annotations".to_owned(), found)));
    let others = set.at(&["resourceMeta"]).into_iter().flat_map(Value::entries);
    for (name, block) in others.filter(|(name, _)| *name != "ephemeralRunner") {
        let path = format!("resourceMeta.{name}.annotations");
        found.extend(block.get("annotations").map(|found| (path, found)));
    }
    found
}

fn is_of_pods(key: &str) -> bool {
    let domain = key.split_once('/').map_or("", |(domain, _)| domain);
    let below = |of: &&str| domain.strip_suffix(*of).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'));
    OF_PODS.iter().any(below)
}
