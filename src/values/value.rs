//! A value that knows where it came from and what it beat.

use indexmap::IndexMap;

use crate::syntax::NodeRef;

/// Index of a layer in its stack, lowest rank first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LayerId(pub u32);

/// What a layer is to Helm.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// `values.yaml` of the chart or of one of its subcharts.
    ChartDefault,
    /// The user values that the last release stored.
    Previous,
    /// A `-f` file.
    File,
    /// A `--set*` flag.
    Flag,
    /// A document that nothing was merged into: a manifest, a runner config.
    Document,
}

/// One contributor of values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layer {
    /// The file as given, `--set maxRunners=60`, or `chart:NAME@VERSION`.
    pub name: String,
    /// What it is.
    pub role: Role,
}

/// Where a value was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Origin {
    /// The layer that set it.
    pub layer: LayerId,
    /// The node; none for what Helm makes up (`global: {}`, padding of a list).
    pub node: Option<NodeRef>,
}

/// A value with its origin and its history.
#[derive(Debug, Clone, PartialEq)]
pub struct Value {
    /// The value itself.
    pub data: Data,
    /// The winner: for a map the last layer that wrote it as a map.
    pub origin: Origin,
    /// What it beat, lowest layer first. A map that was merged into another beat nothing.
    pub past: Vec<Past>,
}

/// An earlier value that lost.
#[derive(Debug, Clone, PartialEq)]
pub struct Past {
    /// The value as it was; its own `past` is empty.
    pub value: Value,
    /// The layer that replaced it.
    pub by: Origin,
}

/// What a value holds, in Go's types.
#[derive(Debug, Clone, PartialEq)]
pub enum Data {
    /// nil.
    Null,
    /// bool.
    Bool(bool),
    /// int64 (from `--set`; in documents every integer).
    Int(i64),
    /// float64.
    Float(f64),
    /// json.Number, the text kept (Helm 3.18.0 only).
    Number(String),
    /// string.
    String(String),
    /// `[]any`.
    List(Vec<Value>),
    /// `map[string]any`.
    Map(Map),
}

/// Keys and values in the order in which they were first written.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Map {
    /// The entries.
    pub entries: IndexMap<String, Value>,
    /// Keys that a null deleted, with what was lost.
    pub deleted: Vec<Deleted>,
}

/// A key that is gone.
#[derive(Debug, Clone, PartialEq)]
pub struct Deleted {
    /// The key.
    pub key: String,
    /// What was lost.
    pub value: Value,
    /// The null.
    pub by: Origin,
}

impl Default for Value {
    /// An empty map that nobody wrote.
    fn default() -> Self {
        Self::new(Data::Map(Map::default()), Origin { layer: LayerId(0), node: None })
    }
}

impl Value {
    /// A value without history.
    pub fn new(data: Data, origin: Origin) -> Self {
        Self { data, origin, past: Vec::new() }
    }

    /// Entry of a map; none for other values.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.as_map()?.entries.get(key)
    }

    /// [`Value::get`] along a path of keys.
    pub fn at(&self, path: &[&str]) -> Option<&Value> {
        path.iter().try_fold(self, |value, key| value.get(key))
    }

    /// The map.
    pub fn as_map(&self) -> Option<&Map> {
        match &self.data {
            Data::Map(map) => Some(map),
            _ => None,
        }
    }

    /// The items of a list.
    pub fn as_list(&self) -> Option<&[Value]> {
        match &self.data {
            Data::List(items) => Some(items),
            _ => None,
        }
    }

    /// The string.
    pub fn as_str(&self) -> Option<&str> {
        match &self.data {
            Data::String(text) => Some(text),
            _ => None,
        }
    }

    /// The boolean.
    pub fn as_bool(&self) -> Option<bool> {
        match self.data {
            Data::Bool(value) => Some(value),
            _ => None,
        }
    }

    /// The number.
    pub fn as_f64(&self) -> Option<f64> {
        match &self.data {
            Data::Int(value) => Some(*value as f64),
            Data::Float(value) => Some(*value),
            Data::Number(text) => text.parse().ok(),
            _ => None,
        }
    }

    /// Whether it is nil.
    pub fn is_null(&self) -> bool {
        self.data == Data::Null
    }

    /// Items of a list, nothing for other values.
    pub fn items(&self) -> impl Iterator<Item = &Value> {
        self.as_list().unwrap_or_default().iter()
    }

    /// The value itself, then what it beat, the latest first.
    pub fn history(&self) -> impl Iterator<Item = &Value> {
        std::iter::once(self).chain(self.past.iter().rev().map(|past| &past.value))
    }

    /// Entries of a map, nothing for other values.
    pub fn entries(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.as_map().into_iter().flat_map(|map| map.entries.iter().map(|(key, value)| (key.as_str(), value)))
    }
}
