//! Variables of a pipeline's jobs, as far as its file says them.

use std::cell::Cell;

use super::pipeline::{MAX_PARENTS, parents};
use super::{Field, Job, Pipeline, Service};
use crate::values::{Data, Value};

/// How deep variables may stand in each other's values.
const MAX_DEPTH: usize = 10;

/// A variable that a file sets for a job or for one of its services.
#[derive(Debug, Clone)]
pub struct JobVariable<'a> {
    /// Its name.
    pub name: &'a str,
    /// Where its text stands.
    pub value: &'a Value,
    /// The text with other variables put in; none where it cannot be known.
    pub text: Option<String>,
}

impl<'a> Pipeline<'a> {
    /// Whether a text of the file that is no variable's name has the word in it: a script that uses it.
    pub fn mentions(self, word: &str) -> bool {
        self.has_text(|text| has_word(text, word))
    }

    /// Whether some text of the file is such a one.
    pub fn has_text(self, is_such: impl Fn(&str) -> bool) -> bool {
        has_text(self.value, &is_such)
    }

    /// Whether its variables reach other pipelines: of files that include it or are included, or that its jobs start.
    pub fn is_shared(self) -> bool {
        self.is_partial || self.all().any(|job| job.value.get("trigger").is_some())
    }

    /// Whether some rule or matrix of the file sets a variable.
    fn varies(self, name: &str) -> bool {
        let rules = |holder: &'a Value| holder.get("rules").is_some_and(|rules| sets(rules, name));
        let matrix = |job: Job<'a>| job.value.at(&["parallel", "matrix"]).is_some_and(|matrix| sets(matrix, name));
        self.value.get("workflow").is_some_and(rules) || self.all().any(|job| rules(job.value) || matrix(job))
    }

    /// A variable's text, with the place where it stands; a number's as it was written.
    fn text(self, value: &'a Value) -> Option<(&'a str, &'a Value)> {
        match &value.data {
            Data::String(text) => Some((text, value)),
            Data::Int(_) | Data::Float(_) => Some((self.trees.node(value.origin.node?)?.raw(), value)),
            Data::Map(_) => value.get("value").filter(|inner| inner.as_map().is_none()).and_then(|it| self.text(it)),
            _ => None,
        }
    }
}

impl<'a> Job<'a> {
    /// A variable's text, as far as the file says it: the job's own, then of what it extends, then of
    /// the pipeline.
    pub fn variable(self, name: &str) -> Field<'a, &'a str> {
        match self.found(name) {
            Field::Present(_, value) if self.pipeline.is_unknown(value) || self.varies(name) => {
                Field::Unknown(Some(value))
            }
            Field::Present(_, value) => match self.pipeline.text(value) {
                Some((text, at)) => Field::Present(text, at),
                None => Field::WrongShape(value),
            },
            Field::Absent if self.varies(name) => Field::Unknown(None),
            Field::Absent => Field::Absent,
            Field::WrongShape(at) => Field::WrongShape(at),
            Field::Unknown(at) => Field::Unknown(at),
        }
    }

    /// [`Job::variable`] with other variables put in.
    pub fn expanded(self, name: &str) -> Field<'a, String> {
        match self.variable(name) {
            Field::Present(text, at) => match self.expand(text) {
                Some(text) => Field::Present(text, at),
                None => Field::Unknown(Some(at)),
            },
            Field::Absent => Field::Absent,
            Field::WrongShape(at) => Field::WrongShape(at),
            Field::Unknown(at) => Field::Unknown(at),
        }
    }

    /// All variables that the file sets for the job.
    pub fn variables(self) -> Vec<JobVariable<'a>> {
        let mut names = Vec::new();
        self.names(&mut names, &Cell::new(MAX_PARENTS));
        names.extend(self.pipeline.value.get("variables").into_iter().flat_map(Value::entries).map(|(name, _)| name));
        let mut found: Vec<JobVariable<'a>> = Vec::new();
        for name in names {
            if found.iter().any(|known| known.name == name) {
                continue;
            }
            let Field::Present(_, value) = self.found(name) else { continue };
            let Some((_, at)) = self.pipeline.text(value) else { continue };
            found.push(JobVariable { name, value: at, text: self.expanded(name).known() });
        }
        found
    }

    /// The variables that rules set for the job, or that are those of some jobs of its matrix.
    pub fn varied_variables(self) -> Vec<JobVariable<'a>> {
        let matrix = |parallel: &'a Value| parallel.get("matrix");
        let (rules, parallel) = (self.keyword("rules"), self.keyword("parallel"));
        let of_list = |list: &'a Value| {
            list.items().filter_map(|rule| rule.get("variables")).flat_map(Value::entries).collect::<Vec<_>>()
        };
        // What the workflow sets, the job's own variables beat, and `inherit` may keep away.
        let workflow = self.pipeline.value.at(&["workflow", "rules"]);
        let workflow = workflow.filter(|_| self.value.at(&["inherit", "variables"]).is_none()).map(of_list);
        let is_left = |(name, _): &(&str, &Value)| self.extended_variable(name, &Cell::new(MAX_PARENTS)).is_absent();
        let workflow = workflow.into_iter().flatten().filter(is_left);
        let of_rules = rules.known().map(of_list).into_iter().flatten().chain(workflow);
        let columns = parallel.known().and_then(matrix).into_iter().flat_map(Value::items).flat_map(Value::entries);
        let of_column = |(name, value): (&'a str, &'a Value)| -> Vec<(&'a str, &'a Value)> {
            match value.as_list() {
                Some(items) => items.iter().map(|item| (name, item)).collect(),
                None => vec![(name, value)],
            }
        };
        let variable = |(name, value): (&'a str, &'a Value)| {
            let (text, at) = self.pipeline.text(value).filter(|_| !self.pipeline.is_unknown(value))?;
            Some(JobVariable { name, value: at, text: self.expand(text) })
        };
        of_rules.chain(columns.flat_map(of_column)).filter_map(variable).collect()
    }

    /// Names of its own variables and of those that it extends.
    fn names(self, names: &mut Vec<&'a str>, left: &Cell<usize>) {
        names.extend(self.value.get("variables").into_iter().flat_map(Value::entries).map(|(name, _)| name));
        for parent in self.value.get("extends").into_iter().flat_map(parents) {
            if let Some(parent) = self.pipeline.job(parent).filter(|_| left.get() > 0) {
                left.set(left.get() - 1);
                parent.names(names, left);
            }
        }
    }

    /// Puts the job's variables into a text; none where one of them cannot be known.
    pub fn expand(self, text: &str) -> Option<String> {
        self.expand_to(text, MAX_DEPTH)
    }

    fn expand_to(self, text: &str, depth: usize) -> Option<String> {
        if ["$[[", "{{", "{%", "<%"].iter().any(|mark| text.contains(mark)) {
            return None;
        }
        let mut parts = text.split('$');
        let mut whole = parts.next().unwrap_or_default().to_owned();
        while let Some(part) = parts.next() {
            let (name, rest) = match part.strip_prefix('{') {
                Some(braced) => braced.split_once('}')?,
                None => part.split_at_checked(part.find(|c: char| !is_word(c)).unwrap_or(part.len()))?,
            };
            match (name, self.variable(name)) {
                // `$$` stands for a dollar sign.
                ("", _) if part.is_empty() => {
                    whole.push('$');
                    whole.push_str(parts.next().unwrap_or_default());
                }
                (_, Field::Present(value, _)) if depth > 0 => {
                    whole.push_str(&self.expand_to(value, depth - 1)?);
                    whole.push_str(rest);
                }
                _ => return None,
            }
        }
        Some(whole)
    }

    /// Whether rules or a matrix may set a variable for the job; those that are put together elsewhere may hold any of
    /// the file's.
    fn varies(self, name: &str) -> bool {
        let (rules, parallel) = (self.keyword("rules"), self.keyword("parallel"));
        let is_put_together = |list: &Value| list.items().any(|item| self.pipeline.is_unknown(item));
        let is_known = [rules, parallel].iter().all(|field| match field {
            Field::Absent | Field::Unknown(None) => true,
            Field::Present(list, _) => !is_put_together(list) && !list.get("matrix").is_some_and(is_put_together),
            Field::WrongShape(_) | Field::Unknown(Some(_)) => false,
        });
        let own = [rules.value(), parallel.value().and_then(|parallel| parallel.get("matrix"))];
        let workflow = self.pipeline.value.at(&["workflow", "rules"]);
        own.into_iter().chain([workflow]).flatten().any(|list| sets(list, name))
            || !is_known && self.pipeline.varies(name)
    }

    /// What sets a variable, before anything that varies.
    fn found(self, name: &str) -> Field<'a, &'a Value> {
        match self.extended_variable(name, &Cell::new(MAX_PARENTS)) {
            Field::Absent => self.global_variable(name),
            found => found,
        }
    }

    /// Unlike other keywords, the variables of parents are merged name by name.
    fn extended_variable(self, name: &str, left: &Cell<usize>) -> Field<'a, &'a Value> {
        match self.value.get("variables") {
            Some(own) if self.pipeline.is_unknown(own) => return Field::Unknown(Some(own)),
            own => {
                if let Some(value) = own.and_then(|own| own.get(name)) {
                    return Field::Present(value, value);
                }
            }
        }
        self.of_parents(left, |parent| parent.extended_variable(name, left))
    }

    fn global_variable(self, name: &str) -> Field<'a, &'a Value> {
        let inherits = match self.value.at(&["inherit", "variables"]) {
            Some(Value { data: Data::Bool(inherits), .. }) => *inherits,
            Some(list) => list.items().any(|item| item.as_str() == Some(name)),
            None => true,
        };
        match self.pipeline.value.at(&["variables", name]).filter(|_| inherits) {
            Some(value) => Field::Present(value, value),
            None if inherits && self.pipeline.is_partial => Field::Unknown(None),
            None => Field::Absent,
        }
    }

    /// A variable as one of the job's services sees it: its own beat the job's.
    pub fn service_variable(self, service: Service<'a>, name: &str) -> Field<'a, String> {
        match self.own_variables(service).into_iter().find(|variable| variable.name == name) {
            Some(JobVariable { value, text: Some(text), .. }) => Field::Present(text, value),
            Some(variable) => Field::Unknown(Some(variable.value)),
            None if service.value.get("variables").is_some_and(|map| self.pipeline.is_unknown(map)) => {
                Field::Unknown(service.value.get("variables"))
            }
            None => self.expanded(name),
        }
    }

    /// The variables that a service sets for itself.
    pub fn own_variables(self, service: Service<'a>) -> Vec<JobVariable<'a>> {
        let entries = service.value.get("variables").into_iter().flat_map(Value::entries);
        let variable = |(name, value): (&'a str, &'a Value)| {
            let (text, at) = self.pipeline.text(value)?;
            let text = if self.pipeline.is_unknown(value) { None } else { self.expand(text) };
            Some(JobVariable { name, value: at, text })
        };
        entries.filter_map(variable).collect()
    }
}

/// Whether an item of rules or of a matrix sets a variable.
fn sets(list: &Value, name: &str) -> bool {
    list.items().any(|item| item.get(name).or_else(|| item.at(&["variables", name])).is_some())
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

fn has_text(value: &Value, is_such: &impl Fn(&str) -> bool) -> bool {
    match &value.data {
        Data::String(text) => is_such(text),
        Data::List(items) => items.iter().any(|item| has_text(item, is_such)),
        Data::Map(map) => map.entries.values().any(|value| has_text(value, is_such)),
        _ => false,
    }
}

/// Whether a text has a word in it that is no part of a longer one.
fn has_word(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(at, _)| {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        let after = text.get(at + word.len()..).and_then(|after| after.chars().next());
        !before.is_some_and(is_word) && !after.is_some_and(is_word)
    })
}
