//! How readers fill a tree.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::{Kind, Language, NodeData, NodeId, Tree};
use crate::text::{SourceId, Span};

/// Fills a tree from the leaves up: a reader pushes scalars and closed collections.
#[derive(Debug)]
pub struct Builder {
    tree: Tree,
}

impl Builder {
    /// Starts a tree over `text`.
    pub fn new(language: Language, text: Arc<str>, source: SourceId) -> Self {
        Self {
            tree: Tree {
                language,
                text,
                source,
                host: None,
                documents: Vec::new(),
                comments: Vec::new(),
                errors: Vec::new(),
                masked: Vec::new(),
                statements: Vec::new(),
                nodes: Vec::new(),
                children: Vec::new(),
                decoded: FxHashMap::default(),
                anchors: FxHashMap::default(),
                tags: FxHashMap::default(),
                aliases: FxHashMap::default(),
                headers: FxHashMap::default(),
                owned: Vec::new(),
            },
        }
    }

    fn push(&mut self, kind: Kind, span: Span, children: Span) -> NodeId {
        let id = NodeId(u32::try_from(self.tree.nodes.len()).unwrap_or(u32::MAX));
        self.tree.nodes.push(NodeData { kind, span, parent: None, key: None, children });
        id
    }

    /// A scalar; `decoded` only where its text differs from what was written (quotes around it left aside).
    pub fn scalar(&mut self, kind: Kind, span: Span, decoded: Option<Box<str>>) -> NodeId {
        let id = self.push(kind, span, Span::default());
        if let Some(text) = decoded {
            self.tree.decoded.insert(id, text);
        }
        id
    }

    /// An alias of an anchored node that is already there.
    pub fn alias(&mut self, span: Span, target: NodeId) -> NodeId {
        let id = self.push(Kind::Alias, span, Span::default());
        self.tree.aliases.insert(id, target);
        id
    }

    /// An alias that names nothing it could stand for: it stands inside of what it names.
    pub fn alias_without_target(&mut self, span: Span) -> NodeId {
        self.push(Kind::Alias, span, Span::default())
    }

    /// Whether a node is no collection.
    pub fn is_leaf(&self, node: NodeId) -> bool {
        let kind = self.tree.data(node).kind;
        !kind.is_map() && !kind.is_seq()
    }

    /// A closed sequence.
    pub fn sequence(&mut self, kind: Kind, span: Span, items: &[NodeId]) -> NodeId {
        let start = self.tree.children.len();
        self.tree.children.extend_from_slice(items);
        let id = self.push(kind, span, Span::new(start, start + items.len()));
        for item in items {
            if let Some(data) = self.tree.nodes.get_mut(item.0 as usize) {
                data.parent = Some(id);
            }
        }
        id
    }

    /// A closed mapping of `(key, value)` pairs.
    pub fn mapping(&mut self, kind: Kind, span: Span, pairs: &[(NodeId, NodeId)]) -> NodeId {
        let start = self.tree.children.len();
        self.tree.children.extend(pairs.iter().map(|&(_, value)| value));
        let id = self.push(kind, span, Span::new(start, start + pairs.len()));
        for &(key, value) in pairs {
            if let Some(data) = self.tree.nodes.get_mut(key.0 as usize) {
                data.parent = Some(id);
            }
            if let Some(data) = self.tree.nodes.get_mut(value.0 as usize) {
                data.parent = Some(id);
                data.key = Some(key);
            }
        }
        id
    }

    /// Notes the span of a node's anchor.
    pub fn anchor(&mut self, node: NodeId, span: Span) {
        self.tree.anchors.insert(node, span);
    }

    /// Notes the span of a node's tag and the tag in full.
    pub fn tag(&mut self, node: NodeId, span: Span, name: Box<str>) {
        self.tree.tags.insert(node, (span, name));
    }

    /// Notes the key in the `[[header]]` of an item of an array of tables: the place to point at.
    pub fn header(&mut self, node: NodeId, span: Span) {
        self.tree.headers.insert(node, span);
    }

    /// The tree so far: documents, comments and errors are pushed here.
    pub fn tree(&mut self) -> &mut Tree {
        &mut self.tree
    }

    /// The finished tree.
    pub fn finish(mut self) -> Tree {
        let owners = (0u32..).zip(&self.tree.comments).filter_map(|(index, comment)| Some((comment.owner?, index)));
        self.tree.owned = owners.collect();
        self.tree.owned.sort_unstable();
        self.tree
    }
}
