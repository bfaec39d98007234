//! LimitRanges, and what of a pod they refuse.

use super::scheduling::milli;
use super::{Field, Object, Pod, PodContainer};
use crate::values::Value;

/// A limit of a namespace that a pod does not keep.
#[derive(Debug)]
pub struct Excess<'a, 'l> {
    /// The quantity that breaks it.
    pub at: &'a Value,
    /// Whose it is: a container's name; none: the pod's as a whole.
    pub container: Option<&'a str>,
    /// `limits.cpu`.
    pub what: String,
    /// The bound that it breaks.
    pub bound: &'l Value,
    /// `max`, `min`, `default`.
    pub kind: &'static str,
}

/// A LimitRange.
#[derive(Debug, Clone)]
pub struct LimitRange<'a> {
    /// The object.
    pub object: Object<'a>,
}

impl<'a> LimitRange<'a> {
    /// The LimitRange that an object is.
    pub fn of_object(object: &Object<'a>) -> Option<Self> {
        (object.kind == "LimitRange" && object.group().is_empty()).then(|| Self { object: object.clone() })
    }

    /// Whether it gives a container `limits` or `requests` of a resource where the container has none: what is
    /// not said, the API server takes from the next of these.
    pub fn gives(&self, kind: &str, resource: &str) -> bool {
        let keys: &[&str] =
            if kind == "limits" { &["default", "max"] } else { &["defaultRequest", "default", "max", "min"] };
        let mut items = self.object.value.at(&["spec", "limits"]).into_iter().flat_map(Value::items);
        items.any(|item| {
            let is_said = |key: &&str| item.at(&[key, resource]).is_some_and(|amount| !amount.is_null());
            let of_containers = match Field::of(item.get("type"), Value::as_str) {
                Field::Present(kind, _) => kind == "Container",
                Field::Unknown(_) => true,
                Field::Absent | Field::WrongShape(_) => false,
            };
            of_containers && keys.iter().any(is_said)
        })
    }

    /// What it refuses in a pod, as the admission controller compares it after it has put in the defaults.
    pub fn excesses<'p>(&self, pod: &Pod<'p>) -> Vec<Excess<'p, 'a>> {
        let mut found = Vec::new();
        for item in self.object.value.at(&["spec", "limits"]).into_iter().flat_map(Value::items) {
            match item.get("type").and_then(Value::as_str) {
                Some("Container") => {
                    for container in pod.containers() {
                        found.extend(of_container(&container, item));
                    }
                }
                Some("Pod") => found.extend(of_pod(pod, item)),
                _ => {}
            }
        }
        found
    }
}

fn of_container<'p, 'a>(container: &PodContainer<'p>, item: &'a Value) -> Vec<Excess<'p, 'a>> {
    let mut found = Vec::new();
    let mut look = |key: &'static str, kind: &str, refuses: &dyn Fn(i128, i128) -> bool| {
        for (resource, bound) in item.get(key).into_iter().flat_map(Value::entries) {
            let Some(at) = container.resources(kind).and_then(|values| values.get(resource)) else { continue };
            if key == "default" && container.resources("limits").and_then(|limits| limits.get(resource)).is_some() {
                continue;
            }
            let is_refused = milli(at).zip(milli(bound)).is_some_and(|(value, bound)| refuses(value, bound));
            if is_refused {
                let what = format!("{kind}.{resource}");
                found.push(Excess { at, container: Some(container.name), what, bound, kind: key });
            }
        }
    };
    look("max", "limits", &|value, bound| value > bound);
    look("max", "requests", &|value, bound| value > bound);
    look("min", "requests", &|value, bound| value < bound);
    look("min", "limits", &|value, bound| value < bound);
    // A container without a limit gets the default one, which no request may exceed.
    look("default", "requests", &|value, bound| value > bound);
    found
}

/// The largest of the limits that together exceed what a pod may have.
fn of_pod<'p, 'a>(pod: &Pod<'p>, item: &'a Value) -> Vec<Excess<'p, 'a>> {
    let mut found = Vec::new();
    let containers = pod.containers();
    for (resource, bound) in item.get("max").into_iter().flat_map(Value::entries) {
        for kind in ["limits", "requests"] {
            let of = |container: &PodContainer<'p>| {
                let at = container.resources(kind)?.get(resource)?;
                Some((milli(at)?, at))
            };
            let long_lived = containers.iter().filter(|container| runs_on(container));
            let values: Vec<_> = long_lived.filter_map(of).collect();
            let sum: i128 = values.iter().map(|(value, _)| value).sum();
            let largest = values.into_iter().max_by_key(|(value, _)| *value);
            let (Some((_, at)), Some(limit)) = (largest, milli(bound)) else { continue };
            if sum > limit {
                found.push(Excess { at, container: None, what: format!("{kind}.{resource}"), bound, kind: "max" });
                break;
            }
        }
    }
    found
}

/// Whether it runs as long as the pod: init containers do only where they are always restarted.
fn runs_on(container: &PodContainer<'_>) -> bool {
    container.kind != super::ContainerKind::Init
        || container.get("restartPolicy").and_then(Value::as_str) == Some("Always")
}

#[cfg(test)]
mod tests {
    use super::LimitRange;
    use crate::view::Object;
    use crate::view::tests::value;

    #[test]
    fn what_is_not_said_comes_from_the_next() {
        let gives = |item: &str, kind: &str, resource: &str| {
            let limits = format!("limits: [{{type: Container, {item}}}]");
            let range = value(&format!("{{apiVersion: v1, kind: LimitRange, spec: {{{limits}}}}}"));
            let objects = Object::all(&range);
            objects.iter().find_map(LimitRange::of_object).unwrap().gives(kind, resource)
        };
        assert!(gives("default: {memory: 4Gi}", "limits", "memory"));
        assert!(gives("max: {memory: 4Gi}", "limits", "memory"));
        assert!(gives("max: {memory: 4Gi}", "requests", "memory"));
        assert!(gives("min: {cpu: 1}", "requests", "cpu"));
        assert!(!gives("min: {cpu: 1}", "limits", "cpu"));
        assert!(!gives("defaultRequest: {memory: 1Gi}", "limits", "memory"));
        assert!(!gives("default: {memory: 4Gi}", "limits", "cpu"));
    }
}
