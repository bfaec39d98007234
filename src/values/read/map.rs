//! A map of go-yaml's typed keys on its way to JSON's text keys.

use rustc_hash::FxHashMap;

use super::{Collision, ReadError};
use crate::syntax::NodeRef;
use crate::syntax::scalar::YamlScalar;
use crate::values::{Map, Value, number};

/// What tells apart keys with the same text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum KeyType {
    String,
    Int,
    Float(u64),
    Bool,
}

/// A key of a pair.
#[derive(Debug)]
pub(super) struct Key {
    text: String,
    kind: KeyType,
    /// Why JSON cannot have it.
    fault: Option<ReadError>,
    /// The pair's value.
    at: NodeRef,
}

impl Key {
    /// A key that is text.
    pub(super) fn text(text: String, at: NodeRef) -> Self {
        Self { text, kind: KeyType::String, fault: None, at }
    }

    /// A key that YAML gives a meaning; `refusal` is for those that JSON cannot have.
    pub(super) fn new(meant: YamlScalar<'_>, refusal: ReadError, at: NodeRef) -> Self {
        let (text, kind) = match meant {
            YamlScalar::String(text) => (text.into_owned(), KeyType::String),
            YamlScalar::Int(value) => (value.to_string(), KeyType::Int),
            YamlScalar::Float(value) => (number::key_float(value), KeyType::Float(value.to_bits())),
            YamlScalar::Bool(value) => (value.to_string(), KeyType::Bool),
            YamlScalar::Null | YamlScalar::Uint(_) => {
                return Self { text: String::new(), kind: KeyType::String, fault: Some(refusal), at };
            }
        };
        Self { text, kind, fault: None, at }
    }
}

/// A map being read.
#[derive(Debug, Default)]
pub(super) struct Building {
    map: Map,
    /// Types of the keys that are no strings.
    kinds: FxHashMap<String, KeyType>,
    /// A key that JSON cannot have.
    fault: Option<ReadError>,
    /// Values that JSON cannot have.
    faults: Vec<(String, ReadError)>,
}

impl Building {
    /// Puts a pair in; the last of equal keys stays.
    pub(super) fn insert(&mut self, key: Key, value: Value, fault: Option<ReadError>, collisions: &mut Vec<Collision>) {
        if key.fault.is_some() {
            self.fault = self.fault.take().or(key.fault);
            return;
        }
        if !self.faults.is_empty() {
            self.faults.retain(|(text, _)| *text != key.text);
        }
        if let Some(fault) = fault {
            self.faults.push((key.text.clone(), fault));
        }
        if key.kind != KeyType::String || !self.kinds.is_empty() {
            self.note_type(&key, collisions);
        }
        self.map.entries.insert(key.text, value);
    }

    fn note_type(&mut self, key: &Key, collisions: &mut Vec<Collision>) {
        if let Some(earlier) = self.map.entries.get(&key.text) {
            let kind = self.kinds.get(&key.text).copied().unwrap_or(KeyType::String);
            if kind != key.kind
                && let Some(first) = earlier.origin.node
            {
                collisions.push(Collision { key: key.text.clone(), first, second: key.at });
            }
        }
        if key.kind == KeyType::String {
            self.kinds.remove(&key.text);
        } else {
            self.kinds.insert(key.text.clone(), key.kind);
        }
    }

    /// The map, and why JSON cannot have it.
    pub(super) fn finish(self) -> (Map, Option<ReadError>) {
        let fault = self.fault.or_else(|| self.faults.into_iter().next().map(|(_, fault)| fault));
        (self.map, fault)
    }
}
