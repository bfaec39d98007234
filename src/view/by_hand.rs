//! Classic runners that a workload registers itself, without ARC.

use super::{ContainerKind, Field, Object, PodContainer};
use crate::values::Value;

/// Variables by which images of runners are commonly told their labels.
const VARIABLES: [&str; 3] = ["RUNNER_LABELS", "LABELS", "RUNNER_LABEL"];

/// Runners of a workload.
pub(super) struct ByHand<'a> {
    /// The labels that they are given; none where they are not known.
    pub(super) labels: Option<Vec<&'a str>>,
}

impl<'a> ByHand<'a> {
    /// The runners that an object's pods are.
    pub(super) fn of_object(object: &Object<'a>) -> Option<Self> {
        let spec = match object.kind {
            "Pod" => object.value.get("spec"),
            "Deployment" | "StatefulSet" | "DaemonSet" | "ReplicaSet" | "Job" => {
                object.value.at(&["spec", "template", "spec"])
            }
            _ => None,
        };
        let items = spec?.get("containers").into_iter().flat_map(Value::items);
        items.filter_map(|item| PodContainer::of_item(ContainerKind::Main, item)).find_map(|it| Self::of_container(&it))
    }

    fn of_container(container: &PodContainer<'a>) -> Option<Self> {
        let script = container.words().find(|word| word.contains("config.sh"));
        let set = |name| Some(container.env_value(name)).filter(|field| !field.is_absent()).map(Field::known);
        let by_variable = VARIABLES.into_iter().find_map(set);
        let is_image = container.image_ref().is_none_or(|image| image.repository.contains("runner"));
        if script.is_none() && !(is_image && by_variable.is_some()) {
            return None;
        }
        // A shell puts its own words for variables.
        let by_option = script.and_then(option_of).map(|text| Some(text).filter(|text| !text.contains('$')));
        let said: Option<Vec<_>> = [by_variable, by_option].into_iter().flatten().collect();
        let split = |texts: Vec<&'a str>| texts.into_iter().flat_map(|text| text.split(',').map(str::trim)).collect();
        Some(Self { labels: said.map(split) })
    }
}

/// What follows `--labels` in a script.
fn option_of(script: &str) -> Option<&str> {
    let (_, rest) = script.split_once("--labels")?;
    let rest = rest.trim_start_matches(['=', ' ']);
    match rest.chars().next()? {
        quote @ ('"' | '\'') => rest.split(quote).nth(1),
        _ => rest.split_whitespace().next(),
    }
}

#[cfg(test)]
mod tests {
    use super::{ByHand, Object, option_of};
    use crate::view::tests::value;

    #[test]
    fn options_are_read_out_of_scripts() {
        for (script, labels) in [
            ("./config.sh --labels a,b --ephemeral", Some("a,b")),
            ("./config.sh --labels=a", Some("a")),
            ("./config.sh --labels \"a, b\" \\\n --replace", Some("a, b")),
            ("./config.sh --unattended", None),
        ] {
            assert_eq!(option_of(script), labels, "{script}");
        }
    }

    #[test]
    fn workloads_may_register_runners() {
        let labels = |container: &str| {
            let spec = format!("template: {{spec: {{containers: [{{name: a, {container}}}]}}}}");
            let object = value(&format!("{{apiVersion: apps/v1, kind: Deployment, spec: {{{spec}}}}}"));
            let objects = Object::all(&object);
            let found = objects.iter().find_map(ByHand::of_object)?;
            Some(found.labels.map(|labels| labels.join(" ")))
        };
        let known = |text: &str| Some(Some(text.to_owned()));
        let variable = |image: &str, text: &str| labels(&format!("image: {image}, env: [{{name: LABELS, {text}}}]"));
        assert_eq!(variable("acme/github-runner:3", "value: \"gpu, linux\""), known("gpu linux"));
        assert_eq!(variable("acme/github-runner:3", "valueFrom: {}"), Some(None));
        assert_eq!(variable("acme/web:3", "value: gpu"), None);
        assert_eq!(labels("command: [bash, -c, \"./config.sh --labels gpu\"]"), known("gpu"));
        assert_eq!(labels("command: [bash, -c, \"./config.sh --labels $GPU\"]"), Some(None));
        assert_eq!(labels("command: [bash, -c, ./run.sh]"), None);
    }
}
