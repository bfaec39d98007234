//! Requirements on node labels: what a pool offers, what a pod asks for.

use super::{Atom, LabelSet, Truth};
use crate::knowledge::karpenter;
use crate::values::Value;

/// What is required of one label.
#[derive(Debug, Clone)]
pub struct Asked<'a> {
    /// The key, deprecated ones replaced by their successors.
    pub key: &'a str,
    /// The values that are allowed.
    pub set: LabelSet<'a>,
    /// The last place that says something of the key: a selector's value, an expression's key.
    pub at: &'a Value,
}

impl Asked<'_> {
    /// As selectors write it: `key=value`, `key in (a, b)`, or the key alone.
    pub fn display(&self) -> String {
        let values: Vec<&str> = self.set.values().into_iter().flatten().collect();
        match values.as_slice() {
            [] => format!("`{}`", self.key),
            [value] => format!("`{}={value}`", self.key),
            several => format!("`{} in ({})`", self.key, several.join(", ")),
        }
    }
}

/// A conjunction of requirements, one set for each key.
#[derive(Debug, Clone, Default)]
pub struct Requirements<'a> {
    asked: Vec<Asked<'a>>,
    /// Whether some requirement has a key that cannot be known.
    pub open: bool,
}

impl<'a> Requirements<'a> {
    /// Requirements of a map of labels.
    pub fn of_labels(labels: Option<&'a Value>) -> Self {
        let mut all = Self { asked: Vec::new(), open: labels.is_some_and(Value::is_unknown) };
        for (key, at) in labels.into_iter().flat_map(Value::entries) {
            let set = match Atom::of(at) {
                Atom::Known(value) => LabelSet::only(value),
                Atom::Unknown => LabelSet::unknown(),
            };
            all.add(key, set, at);
        }
        all
    }

    /// Adds expressions of `key`, `operator`, `values`.
    pub fn add_expressions(&mut self, expressions: Option<&'a Value>) {
        self.open |= expressions.is_some_and(Value::is_unknown);
        for at in expressions.into_iter().flat_map(Value::items) {
            let key = at.get("key").and_then(Value::as_str);
            let set = match Atom::at(at, "operator").known() {
                Some(operator) => LabelSet::of(operator, at.get("values")),
                None => LabelSet::unknown(),
            };
            match key {
                Some(key) => self.add(key, set, at.get("key").unwrap_or(at)),
                None => self.open = true,
            }
        }
    }

    /// Adds a requirement: a key's sets are intersected.
    pub fn add(&mut self, key: &'a str, set: LabelSet<'a>, at: &'a Value) {
        if crate::view::is_templated(key) {
            self.open = true;
            return;
        }
        let key = karpenter::canonical(key);
        match self.asked.iter_mut().find(|asked| asked.key == key) {
            Some(asked) => {
                asked.set = asked.set.intersect(&set);
                asked.at = at;
            }
            None => self.asked.push(Asked { key, set, at }),
        }
    }

    /// Both together.
    pub fn and(&self, other: &Self) -> Self {
        let mut both = self.clone();
        both.open |= other.open;
        for asked in &other.asked {
            both.add(asked.key, asked.set.clone(), asked.at);
        }
        both
    }

    /// What is required of a key.
    pub fn get(&self, key: &str) -> Option<&Asked<'a>> {
        self.asked.iter().find(|asked| asked.key == key)
    }

    /// All of them, in the order in which they are written.
    pub fn iter(&self) -> impl Iterator<Item = &Asked<'a>> {
        self.asked.iter()
    }

    /// Whether nothing is required.
    pub fn is_empty(&self) -> bool {
        self.asked.is_empty() && !self.open
    }

    /// The key that no node whatsoever can satisfy.
    pub fn contradiction(&self) -> Option<&Asked<'a>> {
        self.asked.iter().find(|asked| asked.set.is_empty() == Truth::Yes)
    }
}
