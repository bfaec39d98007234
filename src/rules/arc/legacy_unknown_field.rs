//! A field that a legacy resource does not have: the API server drops it.

use crate::knowledge::legacy_resource::{self, Holds, Shape};
use crate::rule::Checker;
use crate::values::Value;
use crate::view::{Object, is_templated};

pub(crate) fn check(object: &Object<'_>, checker: &mut Checker<'_>) {
    let Some(kind) = legacy_resource::of_kind(object.kind).filter(|_| object.group() == legacy_resource::GROUP) else {
        return;
    };
    judge(object, kind, (object.value, kind, ""), checker);
}

fn judge(object: &Object<'_>, kind: Shape, (value, shape, path): (&Value, Shape, &str), checker: &mut Checker<'_>) {
    for (key, held) in value.entries() {
        let below = if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
        match shape.field(key) {
            Some(Holds::Anything) => {}
            Some(Holds::Map(shape)) => judge(object, kind, (held, shape, &below), checker),
            Some(Holds::List(shape)) => {
                for (number, item) in held.items().enumerate() {
                    judge(object, kind, (item, shape, &format!("{below}[{number}]")), checker);
                }
            }
            None if is_no_field(key) || held.is_null() => {}
            // A habit from other autoscalers, whose loss does no harm.
            None if key == "apiVersion" && path.ends_with("scaleTargetRef") => {}
            // What Kubernetes may have added is no field of these resources; what they have elsewhere is misplaced.
            None if shape.is_open() && kind.homes_of(key).is_empty() => {}
            None => report(object, (kind, shape), (key, &below), held, checker),
        }
    }
}

/// Whether a key is a template, or for a tool that reads the file before the API server does.
fn is_no_field(key: &str) -> bool {
    is_templated(key) || key.starts_with("x-") || key.starts_with('$')
}

fn report(
    object: &Object<'_>,
    (kind, shape): (Shape, Shape),
    (key, path): (&str, &str),
    value: &Value,
    checker: &mut Checker<'_>,
) {
    let Some(at) = value.origin.node else { return };
    let (has, help) = advice(kind, shape, key);
    let has = has.map_or_else(|| "has no such field".to_owned(), |place| format!("has {place}"));
    let message = format!("the API server drops `{path}`: {} {has}", object.kind);
    checker.report_key(at, message).help(help);
}

/// What the resource has in its place, and what to do.
fn advice(kind: Shape, shape: Shape, key: &str) -> (Option<String>, String) {
    if let Some(near) = shape.nearest(key) {
        return (Some(format!("`{near}`")), format!("write `{near}`"));
    }
    let homes = kind.homes_of(key);
    let is_of_items = |home: &&String| home.ends_with("[]");
    let is_of_pods = || {
        legacy_resource::of_kind("RunnerSet")
            .is_some_and(|set| set.homes_of(key).iter().any(|home| home == "spec.template.spec"))
    };
    if let Some(home) = homes.iter().find(|home| !is_of_items(home)) {
        (Some(format!("it in `{home}`")), format!("move it to `{home}`"))
    } else if is_of_pods() {
        (None, "delete it; only a RunnerSet passes all fields of a pod on".to_owned())
    } else if let Some(home) = homes.first() {
        (Some(format!("it in `{home}`")), format!("move it into an item of `{}`", home.trim_end_matches("[]")))
    } else if let Some((other, home)) = legacy_resource::kinds_with(key).first() {
        (None, format!("a {other} has it, in `{home}`"))
    } else {
        (None, "delete it, or look its name up in the resource's reference".to_owned())
    }
}
