//! Service accounts, and what is bound to them.

use super::{Fleet, Object};
use crate::knowledge::Chart;
use crate::values::Value;

impl<'a> Fleet<'a> {
    /// A service account in view; a namespace that is not known may be any.
    pub fn service_account(&self, name: &str, namespace: Option<&str>) -> Option<&'a Object<'a>> {
        let is_it = |object: &&Object<'_>| {
            (object.group(), object.kind, object.name) == ("", "ServiceAccount", name)
                && may_be_same_namespace(object.namespace, namespace)
        };
        self.objects.iter().find(is_it)
    }

    /// Whether some binding in view may give a service account rights in its own namespace.
    pub fn may_be_bound(&self, name: &str, namespace: Option<&str>) -> bool {
        let bindings = self.objects.iter().filter(|object| object.group() == "rbac.authorization.k8s.io");
        let here = bindings.filter(|object| match object.kind {
            "ClusterRoleBinding" => true,
            "RoleBinding" => may_be_same_namespace(object.namespace, namespace),
            _ => false,
        });
        let mut subjects = here.filter_map(|binding| binding.value.get("subjects"));
        subjects.any(|subjects| {
            subjects.is_unknown() || subjects.items().any(|subject| is_account(subject, name, namespace))
        })
    }

    /// The namespaces of the Roles that GitLab Runner's chart rendered in the release of an object; none where it
    /// gives rights in the whole cluster.
    pub fn rendered_roles(&self, of: &Object<'a>) -> Vec<&'a str> {
        let release = |object: &Object<'a>| {
            let is_known = object.chart().is_some_and(|chart| chart.chart == Chart::GitlabRunner);
            object.label("release").filter(|_| is_known)
        };
        let Some(own) = release(of) else { return Vec::new() };
        let here = || self.objects.iter().filter(|object| release(object) == Some(own));
        if here().any(|object| object.kind.starts_with("ClusterRole")) {
            return Vec::new();
        }
        here().filter(|object| object.kind == "Role").filter_map(|object| object.namespace).collect()
    }

    /// Whether a binding in view, beside those that GitLab Runner's chart makes, may give its account rights in a
    /// namespace; an account or a namespace that is not known may be any.
    pub fn may_be_granted_more(&self, account: Option<&str>, namespace: Option<&str>) -> bool {
        let is_own = |object: &Object<'_>| object.chart().is_some_and(|chart| chart.chart == Chart::GitlabRunner);
        let mut bindings = self.objects.iter().filter(|object| match object.kind {
            "ClusterRoleBinding" => !is_own(object),
            "RoleBinding" => !is_own(object) && may_be_same_namespace(object.namespace, namespace),
            _ => false,
        });
        let is_it = |subject: &Value| {
            let is_one = subject.get("kind").and_then(Value::as_str) == Some("ServiceAccount");
            account.map_or(is_one, |name| is_account(subject, name, None))
        };
        bindings.any(|binding| {
            let subjects = binding.value.get("subjects");
            subjects.is_some_and(|subjects| subjects.is_unknown() || subjects.items().any(is_it))
        })
    }
}

fn is_account(subject: &Value, name: &str, namespace: Option<&str>) -> bool {
    let text = |key: &str| subject.get(key).and_then(Value::as_str);
    if subject.is_unknown() || subject.get("name").is_some_and(Value::is_unknown) {
        return true;
    }
    let called = text("name").unwrap_or_default();
    match text("kind") {
        Some("ServiceAccount") => called == name && may_be_same_namespace(text("namespace"), namespace),
        Some("Group") => match called.strip_prefix("system:serviceaccounts:") {
            Some(of) => may_be_same_namespace(Some(of), namespace),
            None => matches!(called, "system:serviceaccounts" | "system:authenticated"),
        },
        Some("User") => {
            let account = called.strip_prefix("system:serviceaccount:").and_then(|rest| rest.split_once(':'));
            account.is_some_and(|(of, account)| account == name && may_be_same_namespace(Some(of), namespace))
        }
        _ => false,
    }
}

/// Whether two namespaces may be the same; one that is not known may be any.
pub fn may_be_same_namespace(one: Option<&str>, other: Option<&str>) -> bool {
    one.zip(other).is_none_or(|(one, other)| one == other || super::is_templated(one) || super::is_templated(other))
}
