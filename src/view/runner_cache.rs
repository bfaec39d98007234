//! Where a runner's jobs keep their caches.

use super::{Field, Home, Runner, RunnerConfig};
use crate::syntax::Trees;
use crate::text::Sources;
use crate::values::Value;

/// `[runners.cache]`.
#[derive(Debug, Clone, Copy)]
pub struct Cache<'r, 'a> {
    runner: &'r Runner<'a>,
    /// The table.
    pub table: &'a Value,
}

impl<'a> Runner<'a> {
    /// Its cache, where one is set in the text.
    pub fn cache(&self) -> Option<Cache<'_, 'a>> {
        let table = self.field(&["cache"]).known()?;
        table.as_map().map(|_| Cache { runner: self, table })
    }
}

impl<'a> Cache<'_, 'a> {
    /// The name of the store.
    pub fn kind(&self) -> Field<'a, &'a str> {
        self.text(&["Type"])
    }

    /// A setting of the cache that is a string; empty is not set.
    pub fn text(&self, path: &[&str]) -> Field<'a, &'a str> {
        match self.runner.text(&[&["cache"], path].concat()) {
            Field::Present("", _) => Field::Absent,
            found => found,
        }
    }

    /// The table of a store; variables that `register` reads make one too.
    pub fn store(&self, name: &str) -> Field<'a, &'a Value> {
        let start = format!("CACHE_{}_", name.to_ascii_uppercase());
        match self.runner.field(&["cache", name]) {
            Field::Absent if self.runner.variables().any(|name| name.starts_with(&start)) => Field::Unknown(None),
            found => found,
        }
    }

    /// A setting of `[runners.cache.s3]`; unknown where the cache is another, so that nobody reads it.
    pub fn s3(&self, key: &str) -> Field<'a, &'a str> {
        match self.kind() {
            Field::Present(kind, value) if kind != "s3" => Field::Unknown(Some(value)),
            _ => self.text(&["s3", key]),
        }
    }

    /// Whether what the text leaves out may come from elsewhere: variables that `register` reads, where
    /// the file is what `register` reads.
    pub fn may_be_completed(&self, config: &RunnerConfig<'_>, trees: &Trees, sources: &Sources) -> bool {
        match &config.home {
            Home::Values(_, part) => {
                let old = part.values.at(&["runners", "cache"]).into_iter().flat_map(Value::entries);
                let mut old = old.filter(|(key, value)| *key != "secretName" && !value.is_empty());
                self.runner.variables().any(|name| name.starts_with("CACHE_")) || old.next().is_some()
            }
            _ => config.is_template(trees, sources),
        }
    }

    /// Whether a secret that the chart mounts brings the keys to the store.
    pub fn has_secret(&self, config: &RunnerConfig<'_>) -> bool {
        let Home::Values(_, part) = &config.home else { return false };
        part.values.at(&["runners", "cache", "secretName"]).is_some_and(|name| !name.is_empty())
    }
}
