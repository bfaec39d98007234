//! Annotations of pods, wherever their templates hang.

use super::{Home, Pod, PodRole, PodShape};
use crate::values::Value;

/// Where else than in their template the annotations of runner pods come from: in values (chart 0.14.0
/// and later), and in the object that the chart makes of them.
const OF_RUNNERS: [&[&str]; 2] =
    [&["resourceMeta", "ephemeralRunner", "annotations"], &["spec", "ephemeralRunnerMetadata", "annotations"]];

impl<'a> Pod<'a> {
    /// Values from the top to the annotations of the pod's template, as far as they exist.
    pub fn trail_of_annotations(&self) -> Vec<&'a Value> {
        if self.role == PodRole::Job {
            return std::iter::once(self.spec).chain(self.annotations()).collect();
        }
        self.home.trail(&self.path_of_annotations())
    }

    /// The maps of annotations that reach the pod.
    pub fn annotations(&self) -> Vec<&'a Value> {
        if self.role == PodRole::Job {
            return self.spec.get("pod_annotations").into_iter().collect();
        }
        let Some(home) = self.home.value() else { return Vec::new() };
        let further = OF_RUNNERS.iter().filter(|_| self.role == PodRole::Runner);
        let further = further.filter_map(|path| home.at(path));
        home.at(&self.path_of_annotations()).into_iter().chain(further).filter(|map| !map.is_null()).collect()
    }

    /// An annotation of the pod; null is the same as absent.
    pub fn annotation(&self, key: &str) -> Option<&'a Value> {
        self.annotations().into_iter().find_map(|map| map.get(key)).filter(|value| !value.is_null())
    }

    /// Whether it is itself a pod, or the object of a single one, rather than a template: controllers write on those.
    pub fn is_live(&self) -> bool {
        matches!(&self.home, Home::Object(object) if matches!(object.kind, "Pod" | "EphemeralRunner"))
    }

    fn path_of_annotations(&self) -> Vec<&'static str> {
        if self.shape == PodShape::ChartValues {
            return vec!["podAnnotations"];
        }
        let template = self.path.split_last().map_or(self.path, |(_, template)| template);
        [template, &["metadata", "annotations"]].concat()
    }
}
