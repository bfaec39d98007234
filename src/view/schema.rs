//! Values that the schema of a chart has no place for.

use serde_json::Value as Schema;

use super::Stack;
use crate::values::{Step, Value};

/// Words by which a schema allows more than its `properties` say.
const MORE: [&str; 8] =
    ["$ref", "allOf", "anyOf", "oneOf", "if", "patternProperties", "dependentSchemas", "$dynamicRef"];

/// A value under a key that a schema does not allow.
#[derive(Debug, Clone)]
pub struct Disallowed<'a> {
    /// From the top of the stack.
    pub path: Vec<Step>,
    /// The value.
    pub value: &'a Value,
    /// The keys that are allowed there.
    pub allowed: Vec<&'a str>,
}

impl<'a> Stack<'a> {
    /// The user's values that the chart's schema does not allow. Only plain `properties` with
    /// `additionalProperties: false` are understood.
    pub fn disallowed(&self) -> Vec<Disallowed<'a>> {
        let mut found = Vec::new();
        if let Some(schema) = self.schema {
            self.refuse(schema, &self.merged.values, &mut Vec::new(), &mut found);
        }
        found
    }

    fn refuse(&self, schema: &'a Schema, map: &'a Value, path: &mut Vec<Step>, found: &mut Vec<Disallowed<'a>>) {
        let properties = schema.get("properties").and_then(Schema::as_object);
        let Some(properties) = properties.filter(|_| MORE.iter().all(|word| schema.get(word).is_none())) else {
            return;
        };
        let is_closed = schema.get("additionalProperties").and_then(Schema::as_bool) == Some(false);
        for (key, value) in map.entries() {
            path.push(Step::Key(key.to_owned()));
            match properties.get(key) {
                Some(inner) => self.refuse(inner, value, path, found),
                None if is_closed && !self.is_exempt(key, value, path.len() == 1) => {
                    let allowed = properties.keys().map(String::as_str).collect();
                    found.push(Disallowed { path: path.clone(), value, allowed });
                }
                None => {}
            }
            path.pop();
        }
    }

    /// Whether Helm drops a value, the chart's author wrote it, or it is meant for a subchart.
    fn is_exempt(&self, key: &str, value: &Value, at_top: bool) -> bool {
        value.is_null() || self.is_default(value) || at_top && self.is_subchart(key)
    }

    /// Whether a key at the top belongs to a subchart, or to all charts.
    fn is_subchart(&self, key: &str) -> bool {
        let ending = format!("/charts/{key}");
        key == "global" || self.merged.charts.iter().any(|path| path.ends_with(&ending))
    }
}
