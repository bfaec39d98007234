//! GitLab pipelines: jobs with what they inherit, as far as the file alone says it.

use std::cell::Cell;

use super::Field;
use crate::syntax::Trees;
use crate::text::Sources;
use crate::values::{Data, Value};

/// How many parents are asked for one keyword: `extends` may go in circles, or branch without end.
pub(super) const MAX_PARENTS: usize = 200;

/// Names of the file that a pipeline begins with.
const MAIN: [&str; 2] = [".gitlab-ci.yml", ".gitlab-ci.yaml"];

/// Keys at the top of a pipeline that are no jobs.
const GLOBAL: [&str; 12] = [
    "default",
    "include",
    "stages",
    "types",
    "variables",
    "workflow",
    "image",
    "services",
    "cache",
    "before_script",
    "after_script",
    "spec",
];

/// A `.gitlab-ci.yml`.
#[derive(Debug, Clone, Copy)]
pub struct Pipeline<'a> {
    pub(super) value: &'a Value,
    pub(super) trees: &'a Trees,
    /// Whether other files may add to it: it includes some, or is a file for others to include.
    pub(super) is_partial: bool,
}

/// A job, or with a name that begins with a dot a template for jobs.
#[derive(Debug, Clone, Copy)]
pub struct Job<'a> {
    /// Its key.
    pub name: &'a str,
    /// What it says itself.
    pub value: &'a Value,
    pub(super) pipeline: Pipeline<'a>,
}

/// A service of a job.
#[derive(Debug, Clone, Copy)]
pub struct Service<'a> {
    /// The image, as written.
    pub image: &'a str,
    /// The item: a string, or a map with `name`.
    pub value: &'a Value,
}

impl<'a> Pipeline<'a> {
    /// The lens on a document.
    pub fn new(value: &'a Value, trees: &'a Trees, sources: &Sources) -> Self {
        let tree = value.origin.node.and_then(|at| trees.get(at.tree));
        let name = tree.and_then(|tree| sources.get(tree.source)).map_or("", |source| &source.name);
        let is_main = name.rsplit('/').next().is_some_and(|name| MAIN.contains(&name));
        let includes = value.get("include").is_some_and(|include| !include.is_null());
        Self { value, trees, is_partial: includes || !is_main }
    }

    /// Jobs that run: neither templates nor triggers of other pipelines.
    pub fn jobs(self) -> impl Iterator<Item = Job<'a>> {
        let runs = |job: &Job<'a>| !job.is_hidden() && job.value.get("trigger").is_none();
        self.all().filter(runs)
    }

    /// Jobs and templates for jobs.
    pub fn all(self) -> impl Iterator<Item = Job<'a>> {
        let entries = self.value.entries().filter(|(name, value)| !GLOBAL.contains(name) && value.as_map().is_some());
        entries.map(move |(name, value)| Job { name, value, pipeline: self })
    }

    /// A job or template by name.
    pub fn job(self, name: &str) -> Option<Job<'a>> {
        let (name, value) = self.value.as_map()?.entries.get_key_value(name)?;
        value.as_map()?;
        Some(Job { name, value, pipeline: self })
    }

    /// Whether a value is put together elsewhere: `!reference`, or a variable of an include's inputs.
    pub(super) fn is_unknown(self, value: &Value) -> bool {
        let tag = value
            .origin
            .node
            .and_then(|at| self.trees.node(at))
            .and_then(|node| Some(node.tag()?.slice(&node.tree.text)));
        tag == Some("!reference") || value.as_str().is_some_and(|text| text.contains("$[["))
    }
}

impl<'a> Job<'a> {
    /// The pipeline that it is a part of.
    pub fn pipeline(self) -> Pipeline<'a> {
        self.pipeline
    }

    /// Whether it is a template: its name begins with a dot.
    pub fn is_hidden(self) -> bool {
        self.name.starts_with('.')
    }

    /// A keyword with all that is inherited: own, then `extends`, then the defaults.
    pub fn keyword(self, key: &str) -> Field<'a, &'a Value> {
        match self.extended(key, &Cell::new(MAX_PARENTS)) {
            Field::Absent => self.default(key),
            found => found,
        }
    }

    pub(super) fn extended(self, key: &str, left: &Cell<usize>) -> Field<'a, &'a Value> {
        if let Some(value) = self.value.get(key) {
            let unknown = self.pipeline.is_unknown(value);
            return if unknown { Field::Unknown(Some(value)) } else { Field::Present(value, value) };
        }
        self.of_parents(left, |parent| parent.extended(key, left))
    }

    /// What the jobs that it extends say, the last one first; unknown where one is not in the file.
    pub(super) fn of_parents(
        self,
        left: &Cell<usize>,
        ask: impl Fn(Self) -> Field<'a, &'a Value>,
    ) -> Field<'a, &'a Value> {
        let Some(extends) = self.value.get("extends") else { return Field::Absent };
        for name in parents(extends) {
            match self.pipeline.job(name) {
                Some(parent) if left.get() > 0 => {
                    left.set(left.get() - 1);
                    match ask(parent) {
                        Field::Absent => {}
                        found => return found,
                    }
                }
                _ => return Field::Unknown(Some(extends)),
            }
        }
        Field::Absent
    }

    pub(super) fn default(self, key: &str) -> Field<'a, &'a Value> {
        let inherits = match self.value.at(&["inherit", "default"]) {
            Some(Value { data: Data::Bool(inherits), .. }) => *inherits,
            Some(list) => list.items().any(|item| item.as_str() == Some(key)),
            None => true,
        };
        if !inherits {
            return Field::Absent;
        }
        let top = self.pipeline.value;
        match top.at(&["default", key]).or_else(|| top.get(key)) {
            Some(value) if self.pipeline.is_unknown(value) => Field::Unknown(Some(value)),
            Some(value) => Field::Present(value, value),
            None if self.pipeline.is_partial => Field::Unknown(None),
            None => Field::Absent,
        }
    }

    /// The services that are known; those put together elsewhere are left out.
    pub fn services(self) -> Vec<Service<'a>> {
        let Field::Present(list, _) = self.keyword("services") else { return Vec::new() };
        let service = |item: &'a Value| {
            let image = item.as_str().or_else(|| item.get("name")?.as_str())?;
            Some(Service { image, value: item })
        };
        list.items().filter(|item| !self.pipeline.is_unknown(item)).filter_map(service).collect()
    }

    /// Tags that a runner must have to take the job; none where they are not known.
    pub fn tags(self) -> Option<Vec<&'a str>> {
        match self.keyword("tags") {
            Field::Absent => Some(Vec::new()),
            Field::Present(list, _) => {
                let tag =
                    |item: &'a Value| item.as_str().filter(|tag| !tag.contains('$') && !self.pipeline.is_unknown(item));
                list.as_list()?.iter().map(tag).collect()
            }
            Field::WrongShape(_) | Field::Unknown(_) => None,
        }
    }
}

/// Names of the jobs that a job extends, the last one first: it wins.
pub(super) fn parents(extends: &Value) -> Vec<&str> {
    match &extends.data {
        Data::List(names) => names.iter().rev().filter_map(Value::as_str).collect(),
        _ => extends.as_str().into_iter().collect(),
    }
}
