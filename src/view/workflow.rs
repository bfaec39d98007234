//! GitHub workflows: jobs, what they ask of runners, and their steps.

use super::is_templated;
use crate::syntax::{Place, Trees};
use crate::values::Value;

/// A workflow.
#[derive(Debug, Clone, Copy)]
pub struct Workflow<'a> {
    value: &'a Value,
    trees: &'a Trees,
}

/// A job of a workflow that runs on a runner of its own.
#[derive(Debug, Clone, Copy)]
pub struct WorkflowJob<'a> {
    /// Its key.
    pub name: &'a str,
    /// What it says.
    pub value: &'a Value,
    workflow: Workflow<'a>,
}

/// What a job asks for: a runner that has all the labels.
#[derive(Debug, Clone)]
pub struct RunsOn<'a> {
    /// `runs-on`.
    pub value: &'a Value,
    /// The labels, as written; empty where any runner of the group will do.
    pub labels: Vec<&'a str>,
    /// The group of runners.
    pub group: Option<&'a str>,
}

/// A step of a job.
#[derive(Debug, Clone, Copy)]
pub struct Step<'a> {
    /// The item.
    pub value: &'a Value,
    trees: &'a Trees,
}

/// An action of a repository, as a step uses it.
#[derive(Debug, Clone, Copy)]
pub struct Action<'a> {
    /// `owner/name`.
    pub name: &'a str,
    /// `uses`.
    pub value: &'a Value,
    /// The branch, tag or commit.
    reference: &'a str,
    trees: &'a Trees,
}

impl<'a> Workflow<'a> {
    /// The lens on a document.
    pub fn new(value: &'a Value, trees: &'a Trees) -> Self {
        Self { value, trees }
    }

    /// Jobs with steps of their own: neither calls of reusable workflows nor jobs that are switched off.
    pub fn jobs(self) -> impl Iterator<Item = WorkflowJob<'a>> {
        let jobs = self.value.get("jobs").into_iter().flat_map(Value::entries);
        jobs.filter(|(_, job)| job.get("uses").is_none() && !is_off(job)).map(move |(name, value)| WorkflowJob {
            name,
            value,
            workflow: self,
        })
    }
}

impl<'a> WorkflowJob<'a> {
    /// What it asks for; none where that is not known, or nothing.
    pub fn runs_on(self) -> Option<RunsOn<'a>> {
        let value = self.value.get("runs-on")?;
        let (wanted, group) = match value.as_map() {
            Some(map) => (map.entries.get("labels"), map.entries.get("group")),
            None => (Some(value), None),
        };
        let group = match group {
            Some(group) => Some(known(group)?),
            None => None,
        };
        let labels = match wanted {
            Some(list) if list.as_list().is_some() => list.items().map(known).collect::<Option<Vec<_>>>()?,
            Some(one) => vec![known(one)?],
            None => Vec::new(),
        };
        let asks = group.is_some() || !labels.is_empty();
        asks.then_some(RunsOn { value, labels, group })
    }

    /// `container`; none where the job runs beside the runner. An expression may be either.
    pub fn container(self) -> Option<&'a Value> {
        self.value.get("container").filter(|container| !container.is_empty())
    }

    /// `services` with at least one in it.
    pub fn services(self) -> Option<&'a Value> {
        self.value.get("services").filter(|services| !services.is_empty())
    }

    /// The steps that are not switched off.
    pub fn steps(self) -> impl Iterator<Item = Step<'a>> {
        let steps = self.value.get("steps").into_iter().flat_map(Value::items).filter(|step| !is_off(step));
        steps.map(move |value| Step { value, trees: self.workflow.trees })
    }

    /// A variable that the workflow, the job, its container or one of its steps sets.
    pub fn sets_variable(self, name: &str) -> bool {
        let steps = self.value.get("steps").into_iter().flat_map(Value::items);
        let holders = [self.workflow.value, self.value].into_iter().chain(self.container()).chain(steps);
        holders.filter_map(|holder| holder.get("env")).any(|env| env.get(name).is_some() || env.as_str().is_some())
    }
}

impl<'a> Step<'a> {
    /// The action of a repository that it uses; none for local ones and for images.
    pub fn action(self) -> Option<Action<'a>> {
        let value = self.value.get("uses")?;
        let (path, reference) = value.as_str()?.split_once('@')?;
        let (owner, rest) = path.split_once('/')?;
        let end = owner.len() + 1 + rest.find('/').unwrap_or(rest.len());
        let name =
            path.get(..end).filter(|_| !owner.is_empty() && owner != "." && owner != ".." && owner != "docker:")?;
        Some(Action { name, value, reference, trees: self.trees })
    }

    /// `run`.
    pub fn script(self) -> Option<(&'a str, &'a Value)> {
        let run = self.value.get("run")?;
        Some((run.as_str()?, run))
    }
}

impl Action<'_> {
    /// The major version: of the tag, or of the comment after a pinned commit.
    pub fn major(self) -> Option<u64> {
        if let Some(major) = major(self.reference) {
            return Some(major);
        }
        let is_commit = self.reference.len() == 40 && self.reference.bytes().all(|byte| byte.is_ascii_hexdigit());
        let node = self.trees.node(self.value.origin.node.filter(|_| is_commit)?)?;
        let mut comments = node.comments().filter(|comment| comment.place == Place::EndOfLine);
        let text = comments.next()?.span.slice(&node.tree.text);
        text.split_whitespace().find_map(|word| major(word.rsplit(['@', '=', '#']).next()?))
    }
}

/// The major version that a tag says: `v5`, `v4.2.1`, `5.0.0`.
fn major(tag: &str) -> Option<u64> {
    let number = tag.strip_prefix('v').unwrap_or(tag);
    let is_version = number.split('.').all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()));
    number.split('.').next().filter(|_| is_version && (tag != number || number.contains('.')))?.parse().ok()
}

/// A text without expressions.
fn known(value: &Value) -> Option<&str> {
    value.as_str().filter(|text| !text.is_empty() && !is_templated(text))
}

/// Whether a job or step never runs.
fn is_off(value: &Value) -> bool {
    let condition = value.get("if");
    let text = condition.and_then(Value::as_str).unwrap_or_default();
    let bare: String = text.chars().filter(|c| !matches!(c, '$' | '{' | '}' | ' ')).collect();
    condition.and_then(Value::as_bool) == Some(false) || bare == "false"
}

#[cfg(test)]
mod tests {
    use super::major;

    #[test]
    fn majors_of_tags() {
        assert_eq!(["v5", "v4.2.1", "5.0.0", "v10"].map(major), [Some(5), Some(4), Some(5), Some(10)]);
        for tag in ["main", "v5-beta", "releases", "5", "v", "v5.", "", "08eba0b27e820071cde6df949e0beb9ba4906955"] {
            assert_eq!(major(tag), None, "{tag}");
        }
    }
}
