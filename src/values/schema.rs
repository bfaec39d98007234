//! values.schema.json against the merged values.

use super::coalesce::Engine;
use super::heap::{MapId, Slot};
use super::{Data, HelmError, HelmVersion, Value};
use jsonschema::error::ValidationErrorKind;
use jsonschema::{PatternOptions, ReferencingError, ValidationError};

/// Where Helm says that every schema lies.
const BASE: &str = "file:///values.schema.json";

impl Engine<'_> {
    /// Validates the chart and its enabled subcharts; all of their faults in one error.
    pub(super) fn validate(&self, chart: usize, values: MapId) -> Result<(), HelmError> {
        let mut faults = String::new();
        self.collect_faults(chart, values, &mut faults);
        if faults.is_empty() {
            return Ok(());
        }
        Err(HelmError::new(format!(
            "values don't meet the specifications of the schema(s) in the following chart(s):\n{faults}"
        )))
    }

    fn collect_faults(&self, chart: usize, values: MapId, faults: &mut String) {
        let Some(node) = self.chart(chart) else {
            return;
        };
        if let Some(schema) = &node.chart.schema {
            let value = self.heap.export(&Slot::of_map(values));
            let found = check(schema, &value, self.helm);
            if !found.is_empty() {
                faults.push_str(&format!("{}:\n{found}", node.name));
            }
        }
        for &child in &node.children {
            let block = self.chart(child).and_then(|child| self.heap.get(values, &child.name)?.map());
            if let Some(block) = block {
                self.collect_faults(child, block, faults);
            }
        }
    }
}

/// One line a fault; nothing where the schema cannot be had (it refers to the network).
fn check(schema: &str, value: &Value, helm: HelmVersion) -> String {
    let schema: serde_json::Value = match serde_json::from_str(schema) {
        Ok(schema) => schema,
        Err(error) => return format!("{error}\n"),
    };
    // Go's regular expressions have no look-around either.
    let options = jsonschema::options().with_base_uri(BASE).with_pattern_options(PatternOptions::regex());
    match options.build(&schema) {
        Ok(validator) => {
            let value = json_value(value);
            validator.iter_errors(&value).map(|error| format!("- at '{}': {error}\n", error.instance_path())).collect()
        }
        // Its author's own mistake; up to 3.18.4 Helm had another validator, which lets most of them be.
        Err(error) if helm.at_least(3, 18, 5) && !is_remote(&error) => {
            format!("the schema is not valid: at '{}': {error}\n", error.instance_path())
        }
        Err(_) => String::new(),
    }
}

/// Whether a schema cannot be had for want of another one that is neither in it nor beside it.
fn is_remote(error: &ValidationError<'_>) -> bool {
    match error.kind() {
        ValidationErrorKind::Referencing(ReferencingError::Unretrievable { uri, .. }) => !uri.starts_with("file:"),
        ValidationErrorKind::Referencing(ReferencingError::UnknownSpecification { .. }) => true,
        _ => false,
    }
}

/// The value as JSON; whole numbers as integers, since Go prints them so.
pub(crate) fn json_value(value: &Value) -> serde_json::Value {
    use serde_json::Value as Json;
    match &value.data {
        Data::Null => Json::Null,
        Data::Bool(value) => Json::Bool(*value),
        Data::Int(value) => Json::from(*value),
        Data::Float(number) => whole(*number).map_or_else(|| Json::from(*number), Json::from),
        Data::Number(text) => serde_json::from_str(text).unwrap_or_else(|_| Json::String(text.clone())),
        Data::String(text) => Json::String(text.clone()),
        Data::List(items) => Json::Array(items.iter().map(json_value).collect()),
        Data::Map(map) => {
            Json::Object(map.entries.iter().map(|(key, value)| (key.clone(), json_value(value))).collect())
        }
    }
}

/// A float that is an integer which it holds exactly.
fn whole(number: f64) -> Option<i64> {
    let exact = number.fract() == 0.0 && number.abs() < 9_007_199_254_740_992.0;
    (exact && !(number == 0.0 && number.is_sign_negative())).then_some(number as i64)
}
