//! The values of a GitLab Runner chart, as its templates test them.

use semver::Version;

use super::{Field, Fleet, Home, Part, Release, RunnerConfig, Stack, is_templated};
use crate::knowledge::Chart;
use crate::syntax::Trees;
use crate::values::{Data, Value};

/// A GitLab Runner chart in a stack, with its defaults as far as they are known.
#[derive(Debug, Clone)]
pub struct GitlabChart<'a> {
    /// Where it is.
    pub home: Home<'a>,
    stack: &'a Stack<'a>,
    part: Part<'a>,
}

impl<'a> GitlabChart<'a> {
    /// Those of a stack.
    pub fn of_stack(stack: &'a Stack<'a>) -> Vec<Self> {
        let of_part = |part: &Part<'a>| Self { home: Home::Values(stack, part.clone()), stack, part: part.clone() };
        stack.gitlab_charts().map(of_part).collect()
    }

    /// The one in whose values a runner's TOML stands.
    pub fn of_config(config: &RunnerConfig<'a>) -> Option<Self> {
        let Home::Values(stack, part) = &config.home else { return None };
        Some(Self { home: config.home.clone(), stack, part: part.clone() })
    }

    /// A value.
    pub fn value(&self, path: &[&str]) -> Option<&'a Value> {
        self.part.values.at(path)
    }

    /// A value that the user wrote.
    pub fn users(&self, path: &[&str]) -> Option<&'a Value> {
        self.value(path).filter(|value| !self.home.is_of_chart(value) && !value.is_null())
    }

    /// Whether `{{ if }}` takes the value for true; none where that is not known.
    pub fn is_on(&self, path: &[&str]) -> Option<bool> {
        let Some(value) = self.value(path) else { return Some(false) };
        match &value.data {
            Data::String(text) if is_templated(text) => None,
            Data::Bool(flag) => Some(*flag),
            _ => Some(!value.is_empty() && value.as_f64() != Some(0.0)),
        }
    }

    /// A text; an empty one is as good as none.
    pub fn text(&self, path: &[&str]) -> Field<'a, &'a str> {
        match Field::of(self.value(path), Value::as_str) {
            Field::Present("", _) => Field::Absent,
            found => found,
        }
    }

    /// A number.
    pub fn number(&self, path: &[&str]) -> Field<'a, f64> {
        Field::of(self.value(path), Value::as_f64)
    }

    /// Where to point at for a value that need not be there: the nearest place first, the user's in front.
    pub fn places(&self, path: &[&str]) -> Vec<&'a Value> {
        self.home.users_first(self.home.trail(path).into_iter().rev().collect())
    }

    /// The version of the chart, where it is said.
    pub fn version(&self) -> Option<&'a Version> {
        self.part.chart.version.as_ref()
    }

    /// Whether it is said to be older than `0.minor.patch`, by its version or by that of the runner.
    pub fn is_older_than(&self, minor: u64, patch: u64) -> bool {
        self.part.is_older_than(&Version::new(0, minor, patch))
    }

    /// Whether a release in view may set a top-level value beside the files of the stack.
    pub fn may_be_set_elsewhere(&self, key: &str, releases: &[Release<'a>]) -> bool {
        let installs = |release: &&Release<'a>| release.installs(self.stack, &self.part);
        releases.iter().filter(installs).any(|release| release.may_set_beside(self.stack, key))
    }

    /// Whether its values say with which token it comes to GitLab, or where that is.
    pub fn has_token(&self) -> bool {
        let paths: [&[&str]; 3] = [&["runnerToken"], &["runnerRegistrationToken"], &["runners", "secret"]];
        paths.iter().any(|path| self.is_on(path) != Some(false))
            || self.part.has_unknown_environment()
            || self.part.environment().iter().any(|(name, _)| name.ends_with("_TOKEN"))
    }

    /// Whether its jobs are pods, as far as its values say.
    pub fn is_kubernetes(&self) -> bool {
        match self.text(&["runners", "executor"]) {
            Field::Absent => true,
            executor => executor.known() == Some("kubernetes"),
        }
    }

    /// The account that the manager runs under, where its name is known.
    pub fn account(&self) -> Option<String> {
        let generated = || match self.text(&["rbac", "generatedServiceAccountName"]) {
            Field::Absent => self.full_name(),
            name => name.known().map(str::to_owned),
        };
        match self.text(&["serviceAccount", "name"]) {
            Field::Absent => generated(),
            name => name.known().map(str::to_owned),
        }
    }

    /// The namespaces that its Role may be in, the likeliest first; none where that is not known.
    pub fn role_namespaces(&self, releases: &[Release<'a>]) -> Vec<&'a str> {
        let mut found = Vec::new();
        for path in [&["runners", "jobNamespace"][..], &["namespace"]] {
            // Before 0.84.0 the Role did not follow `runners.jobNamespace`.
            let is_said_to_follow = self.version().is_some() && !self.is_older_than(84, 0);
            match self.text(path) {
                _ if path.len() == 2 && self.is_older_than(84, 0) => {}
                Field::Absent => {}
                Field::Present(name, _) if path.len() == 1 || is_said_to_follow => {
                    found.push(name);
                    return found;
                }
                Field::Present(name, _) => found.push(name),
                Field::WrongShape(_) | Field::Unknown(_) => return Vec::new(),
            }
        }
        found.extend(self.home.namespace_among(releases));
        found
    }

    /// Whether nothing but its values says what is in them: no template makes them.
    pub fn is_whole(&self, trees: &Trees) -> bool {
        self.stack.files.iter().all(|file| trees.get(*file).is_none_or(|tree| tree.statements.is_empty()))
    }

    /// Whether the objects that its values add may be of a kind.
    pub fn may_add(&self, kind: &str) -> bool {
        let Some(objects) = self.value(&["extraObjects"]) else { return false };
        objects.is_unknown()
            || objects.items().any(|object| match object.get("kind") {
                Some(said) => said.is_unknown() || said.as_str() == Some(kind),
                None => object.as_str().is_some_and(|text| is_templated(text) || text.contains(kind)),
            })
    }

    /// Its name for most of its objects, where the release's name is known.
    pub fn full_name(&self) -> Option<String> {
        match self.text(&["fullnameOverride"]) {
            Field::Present(name, _) => return Some(name.to_owned()),
            Field::Absent => {}
            _ => return None,
        }
        let name = match self.text(&["nameOverride"]) {
            Field::Present(name, _) => name,
            Field::Absent => Chart::GitlabRunner.name(),
            _ => return None,
        };
        let release = self.stack.release?;
        Some(if release.contains(name) { release.to_owned() } else { format!("{release}-{name}") })
    }

    /// The runner's TOML in its values.
    pub fn configs(&self, fleet: &Fleet<'a>) -> impl Iterator<Item = &'a RunnerConfig<'a>> {
        let (stack, prefix) = (self.stack, self.part.prefix);
        fleet.runner_configs.iter().filter(move |config| match &config.home {
            Home::Values(of, part) => std::ptr::eq(*of, stack) && part.prefix == prefix,
            Home::Object(_) | Home::File => false,
        })
    }
}
