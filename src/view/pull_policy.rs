//! When images are pulled: what runners say, and what jobs ask for.

use super::{Executor, Field, Job, Pipeline, Runner};
use crate::values::Value;

/// What the runner knows, whatever the executor.
pub const PULL_POLICIES: [&str; 3] = ["always", "if-not-present", "never"];

/// `pull_policy` and `allowed_pull_policies` of a runner.
#[derive(Debug, Clone)]
pub struct PullPolicies<'a> {
    /// What it does by itself.
    pub own: Field<'a, Vec<&'a str>>,
    /// What it, and jobs, may do; without it `own`.
    pub allowed: Field<'a, Vec<&'a str>>,
}

impl<'a> Runner<'a> {
    /// The policies of its executor; none where that is not known or pulls no images.
    pub fn pull_policies(&self) -> Option<PullPolicies<'a>> {
        let section = match self.executor {
            Executor::Kubernetes => "kubernetes",
            Executor::Docker => "docker",
            Executor::Other | Executor::Unknown => return None,
        };
        let of = |key: &str| known(self.field(&[section, key]));
        Some(PullPolicies { own: of("pull_policy"), allowed: of("allowed_pull_policies") })
    }

    /// Everything that is written as a policy.
    pub fn written_pull_policies(&self) -> Vec<&'a Value> {
        let sections = [("kubernetes", self.may_be_kubernetes()), ("docker", self.may_be_docker())];
        let read = sections.into_iter().filter(|(_, is_read)| *is_read);
        let keys = read.flat_map(|(section, _)| ["pull_policy", "allowed_pull_policies"].map(|key| [section, key]));
        keys.filter_map(|path| self.field(&path).known()).flat_map(one_or_more).collect()
    }
}

impl<'a> Pipeline<'a> {
    /// Everything that is written as a policy.
    pub fn written_pull_policies(self) -> Vec<&'a Value> {
        let tops = [Some(self.value), self.value.get("default")].into_iter().flatten();
        let holders = tops.chain(self.all().map(|job| job.value));
        let images = holders.flat_map(|holder| {
            let services = holder.get("services").into_iter().flat_map(Value::items);
            holder.get("image").into_iter().chain(services)
        });
        let policies = images.filter_map(|image| image.get("pull_policy")).flat_map(one_or_more);
        policies.filter(|policy| !self.is_unknown(policy)).collect()
    }
}

impl<'a> Job<'a> {
    /// The policies that its image and its services ask for, where they are known.
    pub fn pull_policies(self) -> Vec<(Vec<&'a str>, &'a Value)> {
        let image = self.keyword("image").known();
        let services = self.services().into_iter().map(|service| service.value);
        let asked = image.into_iter().chain(services).filter_map(|image| image.get("pull_policy"));
        let known = asked.filter_map(|policy| match known(Field::of(Some(policy), Some)) {
            Field::Present(policies, at) => Some((policies, at)),
            _ => None,
        });
        known.collect()
    }
}

fn one_or_more(value: &Value) -> impl Iterator<Item = &Value> {
    let one = value.as_str().map(|_| value);
    one.into_iter().chain(value.items())
}

/// The policies of a string or list; unknown where one of them is, or is misspelt, so that it is not what was meant.
fn known<'a>(field: Field<'a, &'a Value>) -> Field<'a, Vec<&'a str>> {
    let Field::Present(value, at) = field else { return field.and_then(|_| None) };
    if value.is_empty() {
        return Field::Absent;
    }
    let policy = |item: &'a Value| item.as_str().filter(|text| PULL_POLICIES.contains(text));
    let policies: Option<Vec<&str>> = one_or_more(value).map(policy).collect();
    match policies {
        Some(policies) => Field::Present(policies, at),
        None => Field::Unknown(Some(at)),
    }
}
