//! Assignments onto the user's values, with Go's type assertions.

use crate::syntax::{NodeRef, TreeId};

use super::super::overlay::{bury, merge_files};
use super::super::print::go_type;
use super::super::{Data, HelmError, HelmVersion, LayerId, Map, Origin, Value};
use super::scan::go_quote;
use super::{Assignment, End, Flag, FlagKind, Step, Written};

const MAX_INDEX: i64 = 65536;
const MAX_DEPTH: usize = 30;

/// Whether the flag's text goes on.
#[derive(PartialEq)]
enum Flow {
    Done,
    Eof,
}

struct Setter<'a> {
    layer: LayerId,
    tree: TreeId,
    helm: HelmVersion,
    end: &'a End,
}

/// Applies a flag as layer `layer`.
pub(in super::super) fn apply(
    flag: &Flag,
    values: &mut Value,
    layer: LayerId,
    helm: HelmVersion,
) -> Result<(), HelmError> {
    let since = match flag.kind {
        FlagKind::Json => 10,
        FlagKind::Literal => 12,
        _ => 0,
    };
    if !helm.at_least(3, since, 0) {
        return Err(HelmError::new(format!("unknown flag: {}", flag.kind.name())));
    }
    if let Some(whole) = flag.whole.as_ref().filter(|_| helm.major >= 4) {
        let whole = whole.as_ref().map_err(|_| flag.refused(""))?;
        let overlay = whole.value(layer, flag.tree);
        merge_files(values, overlay);
        return Ok(());
    }
    let Data::Map(map) = &mut values.data else {
        return Ok(());
    };
    for assignment in &flag.assignments {
        let setter = Setter { layer, tree: flag.tree, helm, end: &assignment.end };
        match setter.assign(map, assignment) {
            Ok(Flow::Done) => {}
            Ok(Flow::Eof) => break,
            Err(message) => return Err(flag.refused(&message)),
        }
    }
    Ok(())
}

impl Setter<'_> {
    fn assign(&self, map: &mut Map, assignment: &Assignment) -> Result<Flow, String> {
        if assignment.depth > MAX_DEPTH && self.helm.at_least(3, 10, 0) {
            return Err(format!(
                "value name nested level is greater than maximum supported nested level of {MAX_DEPTH}"
            ));
        }
        self.key(map, &assignment.steps)
    }

    fn origin(&self, node: crate::syntax::NodeId) -> Origin {
        Origin { layer: self.layer, node: Some(NodeRef { tree: self.tree, node }) }
    }

    fn finish(&self) -> Result<Option<Value>, String> {
        match self.end {
            End::Value(value) | End::Blank(value) => Ok(Some(value.value(self.layer, self.tree))),
            End::Error(error) => Err(error.clone()),
            End::Eof { in_index: true } if self.helm.major < 4 => Err("error parsing index: EOF".to_owned()),
            End::Eof { .. } => Ok(None),
        }
    }

    fn key(&self, map: &mut Map, steps: &[Step]) -> Result<Flow, String> {
        let Some((Step::Key(key, node), rest)) = steps.split_first() else {
            return Ok(Flow::Eof);
        };
        match rest.first() {
            None => {
                let Some(value) = self.finish()? else {
                    return Ok(Flow::Eof);
                };
                set(map, key, value);
                if matches!(self.end, End::Blank(_)) {
                    return Ok(Flow::Eof);
                }
            }
            Some(&Step::Index(index, _)) => {
                let mut fresh = Value::new(Data::List(Vec::new()), self.origin(*node));
                let known = map.entries.contains_key(key);
                let list = map.entries.get_mut(key).unwrap_or(&mut fresh);
                let flow = self.item(as_list(list)?, index, rest)?;
                if !known {
                    set(map, key, fresh);
                }
                return Ok(flow);
            }
            Some(Step::Key(..)) => {
                let mut fresh = Value::new(Data::Map(Map::default()), self.origin(*node));
                let known = map.entries.contains_key(key);
                let value = map.entries.get_mut(key).unwrap_or(&mut fresh);
                let inner = as_map(value)?;
                let flow = self.key(inner, rest)?;
                let empty = inner.entries.is_empty();
                if empty && flow == Flow::Done {
                    return Err(format!("key map {} has no value", go_quote(key)));
                }
                if !empty && !known {
                    set(map, key, fresh);
                }
                return Ok(flow);
            }
        }
        Ok(Flow::Done)
    }

    /// `steps` start with the index.
    fn item(&self, list: &mut Vec<Value>, index: i64, steps: &[Step]) -> Result<Flow, String> {
        let Some((Step::Index(_, node), rest)) = steps.split_first() else {
            return Ok(Flow::Eof);
        };
        let at = usize::try_from(index).map_err(|_| format!("negative {index} index not allowed"))?;
        match rest.first() {
            None => match self.finish()? {
                Some(value) => self.set_index(list, index, value)?,
                None => return Ok(Flow::Eof),
            },
            Some(&Step::Index(next, _)) => {
                let origin = self.origin(*node);
                if let Some(value) = list.get_mut(at).filter(|value| !value.is_null()) {
                    return self.item(as_list(value)?, next, rest);
                }
                let mut fresh = Vec::new();
                if self.item(&mut fresh, next, rest)? == Flow::Eof {
                    return Ok(Flow::Eof);
                }
                self.set_index(list, index, Value::new(Data::List(fresh), origin))?;
            }
            Some(Step::Key(..)) => {
                let origin = self.origin(*node);
                if let Some(value) = list.get_mut(at) {
                    if value.as_map().is_none() {
                        let old = std::mem::replace(value, Value::new(Data::Map(Map::default()), origin));
                        bury(old, value);
                    }
                    return self.key(as_map(value)?, rest);
                }
                let mut fresh = Map::default();
                if self.key(&mut fresh, rest)? == Flow::Eof {
                    return Ok(Flow::Eof);
                }
                self.set_index(list, index, Value::new(Data::Map(fresh), origin))?;
            }
        }
        Ok(Flow::Done)
    }

    fn set_index(&self, list: &mut Vec<Value>, index: i64, mut value: Value) -> Result<(), String> {
        if index > MAX_INDEX {
            return Err(format!("index of {index} is greater than maximum supported index of {MAX_INDEX}"));
        }
        let at = usize::try_from(index).unwrap_or_default();
        while list.len() <= at {
            list.push(Value::new(Data::Null, Origin { layer: self.layer, node: None }));
        }
        if let Some(slot) = list.get_mut(at) {
            let old = std::mem::take(slot);
            if old.origin.node.is_some() {
                bury(old, &mut value);
            }
            *slot = value;
        }
        Ok(())
    }
}

/// strvals' `set`: an empty key is dropped.
fn set(map: &mut Map, key: &str, mut value: Value) {
    if key.is_empty() {
        return;
    }
    if let Some(slot) = map.entries.get_mut(key) {
        bury(std::mem::take(slot), &mut value);
        *slot = value;
    } else {
        map.entries.insert(key.to_owned(), value);
    }
}

fn as_list(value: &mut Value) -> Result<&mut Vec<Value>, String> {
    let is = go_type(value);
    match &mut value.data {
        Data::List(items) => Ok(items),
        _ => Err(conversion(is, "[]interface {}")),
    }
}

fn as_map(value: &mut Value) -> Result<&mut Map, String> {
    let is = go_type(value);
    match &mut value.data {
        Data::Map(map) => Ok(map),
        _ => Err(conversion(is, "map[string]interface {}")),
    }
}

fn conversion(is: &str, wanted: &str) -> String {
    let is = if is == "<nil>" { "nil" } else { is };
    format!("unable to parse key: interface conversion: interface {{}} is {is}, not {wanted}")
}

impl Written {
    /// The value as a layer's.
    pub(super) fn value(&self, layer: LayerId, tree: TreeId) -> Value {
        let data = match self {
            Self::Null(_) => Data::Null,
            Self::Bool(value, _) => Data::Bool(*value),
            Self::Int(value, _) => Data::Int(*value),
            Self::Float(value, _) => Data::Float(*value),
            Self::String(value, _) => Data::String(value.clone()),
            Self::List(items, _) => Data::List(items.iter().map(|item| item.value(layer, tree)).collect()),
            Self::Map(entries, _) => {
                let entries = entries.iter().map(|(key, value)| (key.clone(), value.value(layer, tree))).collect();
                Data::Map(Map { entries, deleted: Vec::new() })
            }
        };
        Value::new(data, Origin { layer, node: Some(NodeRef { tree, node: self.node() }) })
    }
}
