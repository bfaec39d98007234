//! Trees to values, as go-yaml v2 and encoding/json do it for Helm and kubectl.

mod documents;
mod map;
#[cfg(test)]
mod tests;

pub use documents::{Numbers, documents, refused_bytes};

use super::{Data, LayerId, Origin, Value, number};
use crate::syntax::scalar::{YamlScalar, resolve, resolve_yaml};
use crate::syntax::{Dialect, Kind, Node, NodeId, NodeRef, Scalar, Tree, TreeId};
use crate::text::Span;
use map::{Building, Key};

/// Deepest nesting of a value; Helm's is 10,000, which no one writes and whose recursion no thread's stack holds.
pub const MAX_DEPTH: usize = 1024;

/// Why Helm refuses a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadError {
    /// The place in the tree's text.
    pub span: Span,
    /// What is wrong, lower case, no full stop.
    pub message: String,
}

/// Two keys of a mapping that are different to YAML and the same in JSON: which one Helm takes is chance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Collision {
    /// Their text in JSON.
    pub key: String,
    /// The value written first.
    pub first: NodeRef,
    /// The value written later.
    pub second: NodeRef,
}

/// A document as a value.
#[derive(Debug, Clone, PartialEq)]
pub struct Read {
    /// The value; of keys that stand twice the last one.
    pub value: Value,
    /// Keys whose winner is chance.
    pub collisions: Vec<Collision>,
}

/// The value of a node: aliases are copied, merge keys applied in document order.
///
/// Nodes of origins are in `tree`, whose id is `id`: for what an alias stands for the alias itself, for
/// what lies in it the anchor's nodes.
pub fn to_value(tree: &Tree, id: TreeId, root: NodeId, dialect: Dialect, layer: LayerId) -> Result<Value, ReadError> {
    read(tree, id, root, dialect, layer).map(|read| read.value)
}

/// [`to_value`], with the keys whose winner is chance.
pub fn read(tree: &Tree, id: TreeId, root: NodeId, dialect: Dialect, layer: LayerId) -> Result<Read, ReadError> {
    let style = Style { dialect, keep_numbers: false, ends_in_break: true };
    Reader::new(tree, id, layer, style).run(tree.node(root))
}

/// How scalars become values.
#[derive(Debug, Clone, Copy)]
struct Style {
    dialect: Dialect,
    /// Numbers keep their JSON text.
    keep_numbers: bool,
    /// False where the text has to be read as if a line break stood at its end.
    ends_in_break: bool,
}

/// A value and why JSON would refuse it, should it survive.
#[derive(Debug)]
struct Built {
    value: Value,
    fault: Option<ReadError>,
}

/// A collection being read.
#[derive(Debug)]
enum Frame<'t> {
    List {
        node: Node<'t>,
        origin: Origin,
        next: usize,
        items: Vec<Value>,
        fault: Option<ReadError>,
    },
    Map {
        node: Node<'t>,
        origin: Origin,
        next: usize,
        map: Building,
        key: Option<Key>,
    },
    /// A mapping whose pairs go into the map below.
    Merge {
        node: Node<'t>,
        next: usize,
        key: Option<Key>,
    },
    /// Mappings to merge, the last one first.
    MergeList {
        node: Node<'t>,
        left: usize,
    },
    /// What comes next stands for an alias.
    Alias,
}

struct Reader<'t> {
    tree: &'t Tree,
    id: TreeId,
    layer: LayerId,
    style: Style,
    stack: Vec<Frame<'t>>,
    depth: usize,
    collisions: Vec<Collision>,
    decoded: u64,
    aliased: u64,
    alias_depth: usize,
}

impl<'t> Reader<'t> {
    fn new(tree: &'t Tree, id: TreeId, layer: LayerId, style: Style) -> Self {
        Self {
            tree,
            id,
            layer,
            style,
            stack: Vec::new(),
            depth: 0,
            collisions: Vec::new(),
            // The document itself counts.
            decoded: 1,
            aliased: 0,
            alias_depth: 0,
        }
    }

    fn run(mut self, root: Node<'t>) -> Result<Read, ReadError> {
        let mut built = self.enter(root, root)?;
        loop {
            if let Some(done) = built.take()
                && let Some(whole) = self.deliver(done)
            {
                return match whole.fault {
                    Some(fault) => Err(fault),
                    None => Ok(Read { value: whole.value, collisions: self.collisions }),
                };
            }
            built = self.advance()?;
        }
    }

    fn origin(&self, node: Node<'t>) -> Origin {
        Origin { layer: self.layer, node: Some(NodeRef { tree: self.id, node: node.id }) }
    }

    /// Counts a step and refuses documents that are mostly copies, by go-yaml's measure.
    fn count(&mut self, node: Node<'t>) -> Result<(), ReadError> {
        self.decoded += 1;
        if self.alias_depth > 0 {
            self.aliased += 1;
            if self.aliased > 100 && self.decoded > 1000 {
                let ratio = self.aliased as f64 / self.decoded as f64;
                if ratio > allowed_ratio(self.decoded) {
                    return Err(fault(node, "the document is mostly copies by aliases"));
                }
            }
        }
        Ok(())
    }

    /// Begins a node whose value is to say that it comes from `place`: a finished leaf, or nothing yet.
    fn enter(&mut self, mut node: Node<'t>, place: Node<'t>) -> Result<Option<Built>, ReadError> {
        self.count(node)?;
        if node.kind() == Kind::Alias {
            node = self.follow_alias(node)?;
        }
        let origin = self.origin(place);
        if node.kind().is_scalar() {
            return self.scalar(node, origin).map(Some);
        }
        self.deeper(node)?;
        self.stack.push(if node.kind().is_map() {
            Frame::Map { node, origin, next: 0, map: Building::default(), key: None }
        } else {
            Frame::List { node, origin, next: 0, items: Vec::with_capacity(node.children().len()), fault: None }
        });
        Ok(None)
    }

    fn deeper(&mut self, node: Node<'t>) -> Result<(), ReadError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(fault(node, format!("more than {MAX_DEPTH} levels of nesting")));
        }
        Ok(())
    }

    fn follow_alias(&mut self, alias: Node<'t>) -> Result<Node<'t>, ReadError> {
        let target = alias.alias_target().ok_or_else(|| fault(alias, "an alias inside of what it names"))?;
        self.stack.push(Frame::Alias);
        self.alias_depth += 1;
        self.count(target)?;
        Ok(target)
    }

    fn scalar(&self, node: Node<'t>, origin: Origin) -> Result<Built, ReadError> {
        if self.style.dialect == Dialect::Toml {
            let data = match resolve(node, Dialect::Toml) {
                Ok(Scalar::Bool(value)) => Data::Bool(value),
                Ok(Scalar::Int(value)) => Data::Int(value),
                Ok(Scalar::Float(value)) => Data::Float(value),
                Ok(Scalar::String(text)) => Data::String(text),
                Ok(Scalar::Null) | Err(_) => Data::Null,
            };
            return Ok(Built { value: Value::new(data, origin), fault: None });
        }
        let mut json_fault = None;
        let keep_ints = self.style.dialect == Dialect::Kubernetes;
        let data = match resolve_yaml(node).map_err(|message| fault(node, message))? {
            YamlScalar::Null => Data::Null,
            YamlScalar::Bool(value) => Data::Bool(value),
            YamlScalar::Int(value) if self.style.keep_numbers => Data::Number(value.to_string()),
            YamlScalar::Uint(value) if self.style.keep_numbers => Data::Number(value.to_string()),
            YamlScalar::Int(value) if keep_ints => Data::Int(value),
            YamlScalar::Int(value) => Data::Float(value as f64),
            YamlScalar::Uint(value) => Data::Float(value as f64),
            YamlScalar::Float(value) => {
                if !value.is_finite() {
                    json_fault = Some(fault(node, "JSON has no such number, so Helm refuses the file"));
                }
                if self.style.keep_numbers { Data::Number(number::json_float(value)) } else { Data::Float(value) }
            }
            YamlScalar::String(text) => Data::String(self.with_last_break(node, text.into_owned())),
        };
        Ok(Built { value: Value::new(data, origin), fault: json_fault })
    }

    /// Helm 4 ends the last line with a break, which a block scalar at the end of the text then has.
    fn with_last_break(&self, node: Node<'t>, mut text: String) -> String {
        if self.style.ends_in_break || !matches!(node.kind(), Kind::Literal | Kind::Folded) {
            return text;
        }
        let rest = self.tree.text.get(node.span().end as usize..).unwrap_or_default();
        let header =
            |sign: char| node.raw().chars().skip(1).take_while(|c| "+-123456789".contains(*c)).any(|c| c == sign);
        let gains = match rest {
            "" => !text.is_empty() && !header('-'),
            _ => header('+') && rest.chars().all(|c| matches!(c, ' ' | '\t' | '\n' | '\r')),
        };
        if gains {
            text.push('\n');
        }
        text
    }

    /// Hands a finished value to what holds it; gives it back where nothing does.
    fn deliver(&mut self, built: Built) -> Option<Built> {
        while let Some(Frame::Alias) = self.stack.last() {
            self.stack.pop();
            self.alias_depth -= 1;
        }
        let value = built.value;
        match self.stack.last_mut() {
            None => return Some(Built { value, fault: built.fault }),
            Some(Frame::List { items, fault, .. }) => {
                items.push(value);
                *fault = fault.take().or(built.fault);
            }
            Some(Frame::Map { map, key, .. }) => {
                if let Some(key) = key.take() {
                    map.insert(key, value, built.fault, &mut self.collisions);
                }
            }
            Some(Frame::Merge { key, .. }) => {
                let key = key.take();
                if let (Some(key), Some(map)) = (key, self.map_below()) {
                    // Borrowed apart: the list of collisions is not part of the stack.
                    let mut collisions = Vec::new();
                    map.insert(key, value, built.fault, &mut collisions);
                    self.collisions.append(&mut collisions);
                }
            }
            Some(Frame::MergeList { .. } | Frame::Alias) => {}
        }
        None
    }

    /// The map that merged pairs go into.
    fn map_below(&mut self) -> Option<&mut Building> {
        self.stack.iter_mut().rev().find_map(|frame| match frame {
            Frame::Map { map, .. } => Some(map),
            _ => None,
        })
    }

    /// Goes on with the innermost collection: a finished value, or nothing yet.
    fn advance(&mut self) -> Result<Option<Built>, ReadError> {
        let (node, at, is_map) = match self.stack.last_mut() {
            Some(Frame::List { node, next, .. }) => (*node, std::mem::replace(next, *next + 1), false),
            Some(Frame::Map { node, next, .. } | Frame::Merge { node, next, .. }) => {
                (*node, std::mem::replace(next, *next + 1), true)
            }
            Some(Frame::MergeList { .. }) => return self.merge_next().map(|()| None),
            Some(Frame::Alias) => {
                // It stood for mappings that were merged.
                self.stack.pop();
                self.alias_depth -= 1;
                return Ok(None);
            }
            None => return Ok(None),
        };
        let Some(child) = node.child(at) else {
            return Ok(self.finish());
        };
        if is_map { self.pair(child) } else { self.enter(child, child) }
    }

    fn finish(&mut self) -> Option<Built> {
        match self.stack.pop()? {
            Frame::List { origin, items, fault, .. } => {
                self.depth -= 1;
                Some(Built { value: Value::new(Data::List(items), origin), fault })
            }
            Frame::Map { origin, map, .. } => {
                self.depth -= 1;
                let (map, fault) = map.finish();
                Some(Built { value: Value::new(Data::Map(map), origin), fault })
            }
            Frame::Merge { .. } => {
                self.depth -= 1;
                None
            }
            Frame::MergeList { .. } | Frame::Alias => None,
        }
    }

    /// A pair of the innermost mapping.
    fn pair(&mut self, value: Node<'t>) -> Result<Option<Built>, ReadError> {
        let Some(key) = value.key() else {
            return Ok(None);
        };
        if self.style.dialect != Dialect::Toml && is_merge(key) {
            return self.merge(value).map(|()| None);
        }
        let made = self.key(key, value)?;
        if let Some(Frame::Map { key, .. } | Frame::Merge { key, .. }) = self.stack.last_mut() {
            *key = Some(made);
        }
        self.enter(value, value)
    }

    fn key(&mut self, key: Node<'t>, value: Node<'t>) -> Result<Key, ReadError> {
        self.count(key)?;
        let mut node = key;
        if key.kind() == Kind::Alias {
            node = self.follow_alias(key)?;
            self.stack.pop();
            self.alias_depth -= 1;
        }
        let at = NodeRef { tree: self.id, node: value.id };
        if self.style.dialect == Dialect::Toml {
            return Ok(Key::text(node.text().to_owned(), at));
        }
        if !node.kind().is_scalar() {
            return Err(fault(key, "a key must be a scalar; text with `{{` needs quotes"));
        }
        let meant = resolve_yaml(node).map_err(|message| fault(node, message))?;
        Ok(Key::new(meant, fault(key, "Helm cannot use such a key"), at))
    }

    /// The value of a merge key.
    fn merge(&mut self, value: Node<'t>) -> Result<(), ReadError> {
        match value.kind() {
            kind if kind.is_seq() => {
                self.stack.push(Frame::MergeList { node: value, left: value.children().len() });
                Ok(())
            }
            _ => self.merge_map(value),
        }
    }

    fn merge_next(&mut self) -> Result<(), ReadError> {
        if let Some(Frame::MergeList { node, left }) = self.stack.last_mut()
            && let Some(at) = left.checked_sub(1)
        {
            *left = at;
            let item = node.child(at);
            return item.map_or(Ok(()), |item| self.merge_map(item));
        }
        self.stack.pop();
        Ok(())
    }

    fn merge_map(&mut self, mut node: Node<'t>) -> Result<(), ReadError> {
        if !node.follow().kind().is_map() {
            return Err(fault(node, "a merge key takes a mapping or a list of mappings"));
        }
        self.count(node)?;
        if node.kind() == Kind::Alias {
            node = self.follow_alias(node)?;
        }
        self.deeper(node)?;
        self.stack.push(Frame::Merge { node, next: 0, key: None });
        Ok(())
    }
}

/// `<<` without quotes, or so tagged.
fn is_merge(key: Node<'_>) -> bool {
    if !key.kind().is_scalar() || key.text() != "<<" {
        return false;
    }
    match key.tag_name() {
        None => key.kind() == Kind::Plain,
        Some(tag) => matches!(tag, "!" | "tag:yaml.org,2002:merge"),
    }
}

fn fault(node: Node<'_>, message: impl Into<String>) -> ReadError {
    let start = [node.anchor(), node.tag()].into_iter().flatten().map(|span| span.start).min();
    let span = node.span();
    ReadError { span: Span { start: start.unwrap_or(span.start), end: span.end }, message: message.into() }
}

/// Which part of a document's steps may be copies.
fn allowed_ratio(decoded: u64) -> f64 {
    const LOW: u64 = 400_000;
    const HIGH: u64 = 4_000_000;
    match decoded {
        ..=LOW => 0.99,
        HIGH.. => 0.10,
        _ => 0.99 - 0.89 * ((decoded - LOW) as f64 / (HIGH - LOW) as f64),
    }
}
