//! All values of a stack.

use super::{Part, Stack};
use crate::knowledge::{Chart, Shape, pod_field};
use crate::values::{Data, Layer, Role, Step, Value};

/// Shows a value and all in it, from the outside in, with the way there.
pub fn walk<'a>(value: &'a Value, see: &mut dyn FnMut(&[Step], &'a Value)) {
    step(value, &mut Vec::new(), see);
}

fn step<'a>(value: &'a Value, path: &mut Vec<Step>, see: &mut dyn FnMut(&[Step], &'a Value)) {
    see(path, value);
    let mut into = |at: Step, value: &'a Value| {
        path.push(at);
        step(value, path, see);
        path.pop();
    };
    match &value.data {
        Data::Map(map) => map.entries.iter().for_each(|(key, value)| into(Step::Key(key.clone()), value)),
        Data::List(items) => items.iter().enumerate().for_each(|(index, item)| into(Step::Index(index), item)),
        _ => {}
    }
}

/// What is known of a place in a stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expected {
    /// No known chart reads it, or it is not known what the chart expects there.
    Unknown,
    /// What the key's chart expects under it.
    Shape(Shape),
    /// A known chart reads no such key.
    Nothing,
}

impl<'a> Stack<'a> {
    /// What the known chart at a place expects there.
    pub fn expected(&self, path: &[Step]) -> Expected {
        let Some(part) = self.part_of(path) else { return Expected::Unknown };
        let Some(keys) = part.chart.chart.keys() else { return Expected::Unknown };
        let mut dotted = String::new();
        let mut parent = Shape::Map;
        for step in path.iter().skip(part.prefix.len()) {
            match parent {
                Shape::Strings => return Expected::Shape(Shape::String),
                Shape::PodSpec => return in_pod(path, &dotted, part),
                Shape::Map => {}
                _ => return Expected::Unknown,
            }
            if matches!(step, Step::Key(key) if key.contains('.')) {
                return Expected::Nothing;
            }
            if !dotted.is_empty() {
                dotted.push('.');
            }
            dotted.push_str(&step.to_string());
            let Some(key) = keys.at(&dotted) else { return Expected::Nothing };
            parent = key.shape;
        }
        Expected::Shape(parent)
    }

    /// Whether a place is the list of a scale set's runner containers.
    pub fn is_runner_path(&self, path: &[Step]) -> bool {
        self.part_of(path).is_some_and(|part| {
            let keys = path.iter().skip(part.prefix.len()).map(Step::key);
            part.chart.chart == Chart::GhaRunnerScaleSet
                && keys.eq(["template", "spec", "containers"].into_iter().map(Some))
        })
    }

    /// The known chart in whose block a place is.
    pub fn part_of(&self, path: &[Step]) -> Option<&Part<'a>> {
        let under = |part: &&Part<'_>| {
            path.len() >= part.prefix.len()
                && part.prefix.iter().zip(path).all(|(key, step)| *step == Step::Key(key.clone()))
        };
        self.parts.iter().filter(under).max_by_key(|part| part.prefix.len())
    }

    /// The layer that wrote a value.
    pub fn layer_of(&self, value: &Value) -> Option<&'a Layer> {
        self.merged.layer(value.origin.layer)
    }

    /// Whether a chart's defaults wrote a value.
    pub fn is_default(&self, value: &Value) -> bool {
        self.layer_of(value).is_some_and(|layer| layer.role == Role::ChartDefault)
    }
}

fn in_pod(path: &[Step], spec: &str, part: &Part<'_>) -> Expected {
    let depth = part.prefix.len() + spec.split('.').count();
    match path.get(depth..).unwrap_or_default() {
        [Step::Key(field)] if pod_field::of_pods().any(|known| known == field) => Expected::Shape(Shape::Any),
        [Step::Key(_)] => Expected::Nothing,
        [Step::Key(selector), Step::Key(_)] if selector == "nodeSelector" => Expected::Shape(Shape::String),
        [Step::Key(containers), Step::Index(_), Step::Key(env), Step::Index(_), Step::Key(value)]
            if matches!(containers.as_str(), "containers" | "initContainers") && env == "env" && value == "value" =>
        {
            Expected::Shape(Shape::String)
        }
        _ => Expected::Unknown,
    }
}
