//! Environment and feature flags of a runner's jobs.

use super::{Field, Runner};
use crate::values::Value;

/// A feature flag that is set in a runner's TOML.
#[derive(Debug, Clone, Copy)]
pub struct FlagSetting<'a> {
    /// Its name.
    pub name: &'a str,
    /// What sets it: the entry of `[runners.feature_flags]`, or the item of `environment`.
    pub value: &'a Value,
    /// Whether it stands in `environment`, where other variables stand too.
    pub is_variable: bool,
}

impl<'a> Runner<'a> {
    /// The items of `environment`, also those of its services.
    pub fn environment_items(&self) -> Vec<&'a Value> {
        let lists = ["kubernetes", "docker"].map(|section| self.field(&[section, "services"]));
        let services = lists.into_iter().filter_map(Field::known).flat_map(Value::items);
        let of_services = services.filter_map(|service| service.get("environment"));
        let own = self.field(&["environment"]).known();
        own.into_iter().chain(of_services).flat_map(Value::items).collect()
    }

    /// The feature flags that it sets.
    pub fn flags(&self) -> Vec<FlagSetting<'a>> {
        let table = self.field(&["feature_flags"]).known().into_iter().flat_map(Value::entries);
        let table = table.map(|(name, value)| FlagSetting { name, value, is_variable: false });
        let items = self.field(&["environment"]).known().into_iter().flat_map(Value::items);
        let of_item = |value: &'a Value| {
            let name = value.as_str()?.split_once('=')?.0;
            name.starts_with("FF_").then_some(FlagSetting { name, value, is_variable: true })
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
