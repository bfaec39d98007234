//! Environment and feature flags of a runner's jobs.

use super::runner_config::lookup;
use super::{Field, Fleet, Pipeline, Runner, RunnerConfig};
use crate::syntax::Trees;
use crate::text::Sources;
use crate::values::Value;

/// A feature flag that is set, or a variable that is called like one.
#[derive(Debug, Clone, Copy)]
pub struct FlagSetting<'a> {
    /// Its name.
    pub name: &'a str,
    /// What sets it: the entry of a table, or the item of a runner's `environment`.
    pub value: &'a Value,
    /// Where that stands.
    pub place: FlagPlace,
}

/// Where a feature flag is set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FlagPlace {
    /// `[runners.feature_flags]`, where nothing else stands.
    Table,
    /// A runner's `environment`.
    Environment,
    /// Variables of a pipeline.
    Pipeline,
}

impl<'a> Fleet<'a> {
    /// All feature flags that runners and pipelines set.
    pub fn flags(&self, trees: &'a Trees, sources: &Sources) -> Vec<(FlagSetting<'a>, Option<&'a RunnerConfig<'a>>)> {
        let of_config = |config: &'a RunnerConfig<'a>| {
            let flags = config.runners(trees).into_iter().flat_map(|runner| runner.flags()).collect::<Vec<_>>();
            flags.into_iter().map(move |flag| (flag, Some(config)))
        };
        let pipelines = self.pipelines.iter().map(|pipeline| Pipeline::new(pipeline, trees, sources));
        let variables = pipelines.flat_map(Pipeline::variables).filter(|(name, _)| name.starts_with("FF_"));
        let of_pipelines =
            variables.map(|(name, value)| (FlagSetting { name, value, place: FlagPlace::Pipeline }, None));
        self.runner_configs.iter().flat_map(of_config).chain(of_pipelines).collect()
    }
}

impl<'a> Runner<'a> {
    /// The items of `environment`, also those of its services.
    pub fn environment_items(&self) -> Vec<&'a Value> {
        let lists = ["kubernetes", "docker"].map(|section| self.field(&[section, "services"]));
        let services = lists.into_iter().filter_map(Field::known).flat_map(Value::items);
        let of_services = services.filter_map(|service| lookup(service, "environment")?.ok());
        let own = self.field(&["environment"]).known();
        own.into_iter().chain(of_services).flat_map(Value::items).collect()
    }

    /// The feature flags that it sets.
    fn flags(&self) -> Vec<FlagSetting<'a>> {
        let table = self.field(&["feature_flags"]).known().into_iter().flat_map(Value::entries);
        let table = table.map(|(name, value)| FlagSetting { name, value, place: FlagPlace::Table });
        let items = self.field(&["environment"]).known().into_iter().flat_map(Value::items);
        let of_item = |value: &'a Value| {
            let name = value.as_str()?.split_once('=')?.0;
            name.starts_with("FF_").then_some(FlagSetting { name, value, place: FlagPlace::Environment })
        };
        table.chain(items.filter_map(of_item)).filter(|flag| !super::is_templated(flag.name)).collect()
    }

    /// Whether it sets a feature flag: its table beats its environment.
    pub fn feature(&self, name: &str) -> Field<'a, bool> {
        match self.flag(&["feature_flags", name]) {
            Field::Absent | Field::WrongShape(_) => self.variable(name).and_then(go_bool),
            found => found,
        }
    }

    /// What `environment` gives a variable, the last item first.
    fn variable(&self, name: &str) -> Field<'a, &'a str> {
        if self.has_variable("RUNNER_ENV") {
            return Field::Unknown(None);
        }
        let list = match self.field(&["environment"]) {
            Field::Present(list, _) => list,
            Field::Unknown(at) => return Field::Unknown(at),
            Field::Absent | Field::WrongShape(_) => return Field::Absent,
        };
        let mut unknown = None;
        for item in list.as_list().unwrap_or_default().iter().rev() {
            match item.as_str().and_then(|text| text.split_once('=')) {
                Some((key, _)) if key == name && item.is_unknown() => return Field::Unknown(Some(item)),
                Some((key, text)) if key == name => return Field::Present(text, item),
                _ if item.is_unknown() => unknown = Some(item),
                _ => {}
            }
        }
        unknown.map_or(Field::Absent, |item| Field::Unknown(Some(item)))
    }
}

/// Go's `strconv.ParseBool`.
fn go_bool(text: &str) -> Option<bool> {
    match text {
        "1" | "t" | "T" | "true" | "TRUE" | "True" => Some(true),
        "0" | "f" | "F" | "false" | "FALSE" | "False" => Some(false),
        _ => None,
    }
}
