//! The logical layout of a TOML document: which header and dotted key defines what, what stands twice.

use rustc_hash::FxHashMap;

use crate::syntax::{Builder, Kind, NodeId, SyntaxError};
use crate::text::Span;

/// Index of a table in its [`Layout`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TableId(usize);

/// Index of an array in its [`Layout`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ArrayId(usize);

/// A value that may still grow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Item {
    Node(NodeId),
    Array(ArrayId),
    Table(TableId),
}

/// One part of a dotted key.
#[derive(Debug, Clone)]
pub(super) struct Key {
    pub(super) node: NodeId,
    pub(super) span: Span,
    pub(super) name: Box<str>,
}

/// How a table came to be: it decides who may add to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// Only named on the way to another one: `a` of `[a.b]`.
    Implicit,
    /// By its own header.
    Header,
    /// By a dotted key: `a` of `a.b = 1`.
    Dotted,
    /// `{…}`.
    Inline,
}

#[derive(Debug)]
struct Table {
    form: Form,
    depth: usize,
    span: Span,
    entries: Vec<Entry>,
    index: FxHashMap<Box<str>, usize>,
}

#[derive(Debug)]
struct Entry {
    key: NodeId,
    key_span: Span,
    item: Item,
}

#[derive(Debug)]
struct Array {
    /// Made of `[[headers]]`.
    of_tables: bool,
    span: Span,
    items: Vec<Item>,
    /// Header key of each item of an array of tables.
    headers: Vec<Span>,
}

/// The node that each table and array became.
#[derive(Debug)]
pub(super) struct Nodes {
    tables: Vec<NodeId>,
    arrays: Vec<NodeId>,
}

impl Nodes {
    pub(super) fn get(&self, item: Item) -> Option<NodeId> {
        match item {
            Item::Node(node) => Some(node),
            Item::Array(ArrayId(index)) => self.arrays.get(index).copied(),
            Item::Table(TableId(index)) => self.tables.get(index).copied(),
        }
    }
}

/// All tables and arrays of a document.
#[derive(Debug)]
pub(super) struct Layout {
    tables: Vec<Table>,
    arrays: Vec<Array>,
    errors: Vec<SyntaxError>,
}

impl Default for Layout {
    fn default() -> Self {
        let mut layout = Self { tables: Vec::new(), arrays: Vec::new(), errors: Vec::new() };
        layout.table(Form::Header, 0);
        layout
    }
}

impl Layout {
    pub(super) fn root(&self) -> TableId {
        TableId(0)
    }

    pub(super) fn table(&mut self, form: Form, depth: usize) -> TableId {
        let (entries, index) = Default::default();
        self.tables.push(Table { form, depth, span: Span::default(), entries, index });
        TableId(self.tables.len() - 1)
    }

    pub(super) fn array(&mut self) -> ArrayId {
        self.arrays.push(Array { of_tables: false, span: Span::default(), items: Vec::new(), headers: Vec::new() });
        ArrayId(self.arrays.len() - 1)
    }

    pub(super) fn depth(&self, table: TableId) -> usize {
        self.tables.get(table.0).map_or(0, |table| table.depth)
    }

    pub(super) fn push(&mut self, array: ArrayId, item: Item) {
        if let Some(array) = self.arrays.get_mut(array.0) {
            array.items.push(item);
        }
    }

    pub(super) fn close_array(&mut self, array: ArrayId, span: Span) {
        if let Some(array) = self.arrays.get_mut(array.0) {
            array.span = span;
        }
    }

    pub(super) fn close_table(&mut self, table: TableId, span: Span) {
        if let Some(table) = self.tables.get_mut(table.0) {
            table.span = span;
        }
    }

    pub(super) fn end_of(&self, item: Item) -> u32 {
        match item {
            Item::Node(_) => 0,
            Item::Array(ArrayId(index)) => self.arrays.get(index).map_or(0, |array| array.span.end),
            Item::Table(TableId(index)) => self.tables.get(index).map_or(0, |table| table.span.end),
        }
    }

    /// A pair of a table: its dotted key makes the tables on the way.
    pub(super) fn insert(&mut self, table: TableId, path: &[Key], item: Item) {
        let Some((last, way)) = path.split_last() else { return };
        let mut at = table;
        for key in way {
            at = self.step(at, key, Form::Dotted);
        }
        if let Some(first) = self.find(at, &last.name) {
            self.duplicate(at, last, first, &format!("`{}`", last.name));
        }
        self.add(at, last, item);
    }

    /// The table that a header opens; none for a header without a name.
    pub(super) fn open(&mut self, path: &[Key], of_tables: bool, span: Span) -> Option<TableId> {
        let (last, way) = path.split_last()?;
        let mut at = self.root();
        for key in way {
            at = self.step(at, key, Form::Implicit);
        }
        let opened = if of_tables { self.open_item(at, last) } else { self.open_table(at, last, way) };
        // Where the table is empty it stands right behind its header.
        self.close_table(opened, Span::empty(span.end as usize));
        Some(opened)
    }

    fn open_table(&mut self, parent: TableId, key: &Key, way: &[Key]) -> TableId {
        let depth = self.depth(parent) + 1;
        if let Some(entry) = self.find(parent, &key.name) {
            match self.item(parent, entry) {
                Some(Item::Table(table)) if self.form(table) == Some(Form::Implicit) => {
                    self.define(parent, entry, table, key);
                    return table;
                }
                _ => {
                    let way: String = way.iter().map(|key| format!("{}.", key.name)).collect();
                    self.duplicate(parent, key, entry, &format!("table `{way}{}`", key.name));
                }
            }
        }
        let table = self.table(Form::Header, depth);
        self.add(parent, key, Item::Table(table));
        table
    }

    fn open_item(&mut self, parent: TableId, key: &Key) -> TableId {
        let depth = self.depth(parent) + 1;
        let known = self.find(parent, &key.name);
        let array = match known.and_then(|entry| self.item(parent, entry)) {
            Some(Item::Array(array)) if self.arrays.get(array.0).is_some_and(|array| array.of_tables) => array,
            other => {
                if let (Some(_), Some(entry)) = (other, known) {
                    self.duplicate(parent, key, entry, &format!("`{}`", key.name));
                }
                let array = self.array();
                self.add(parent, key, Item::Array(array));
                array
            }
        };
        let table = self.table(Form::Header, depth);
        if let Some(array) = self.arrays.get_mut(array.0) {
            array.of_tables = true;
            array.items.push(Item::Table(table));
            array.headers.push(key.span);
        }
        table
    }

    /// The table under a key on the way to another one.
    fn step(&mut self, parent: TableId, key: &Key, form: Form) -> TableId {
        let depth = self.depth(parent) + 1;
        let known = self.find(parent, &key.name);
        if let Some(entry) = known {
            if let Some(table) = self.item(parent, entry).and_then(|item| self.enter(item, form)) {
                return table;
            }
            self.duplicate(parent, key, entry, &format!("`{}`", key.name));
        }
        let table = self.table(form, depth);
        self.add(parent, key, Item::Table(table));
        table
    }

    /// The table that a key on the way may add to, if `item` is one.
    fn enter(&mut self, item: Item, form: Form) -> Option<TableId> {
        let table = match item {
            Item::Node(_) => return None,
            Item::Table(table) => table,
            Item::Array(ArrayId(index)) => {
                let array = self.arrays.get(index).filter(|array| array.of_tables && form == Form::Implicit)?;
                match array.items.last() {
                    Some(&Item::Table(table)) => return Some(table),
                    _ => return None,
                }
            }
        };
        let data = self.tables.get_mut(table.0)?;
        match (form, data.form) {
            (_, Form::Inline) | (Form::Dotted, Form::Header) => None,
            (Form::Dotted, Form::Implicit) => {
                // From now on no header may define it.
                data.form = Form::Dotted;
                Some(table)
            }
            _ => Some(table),
        }
    }

    fn define(&mut self, parent: TableId, entry: usize, table: TableId, key: &Key) {
        if let Some(table) = self.tables.get_mut(table.0) {
            table.form = Form::Header;
        }
        if let Some(entry) = self.tables.get_mut(parent.0).and_then(|parent| parent.entries.get_mut(entry)) {
            entry.key = key.node;
            entry.key_span = key.span;
        }
    }

    fn find(&self, table: TableId, name: &str) -> Option<usize> {
        self.tables.get(table.0)?.index.get(name).copied()
    }

    fn item(&self, table: TableId, entry: usize) -> Option<Item> {
        Some(self.tables.get(table.0)?.entries.get(entry)?.item)
    }

    fn form(&self, table: TableId) -> Option<Form> {
        Some(self.tables.get(table.0)?.form)
    }

    fn add(&mut self, table: TableId, key: &Key, item: Item) {
        if let Some(table) = self.tables.get_mut(table.0) {
            table.index.insert(key.name.clone(), table.entries.len());
            table.entries.push(Entry { key: key.node, key_span: key.span, item });
        }
    }
}

/// From layout to nodes.
impl Layout {
    fn duplicate(&mut self, table: TableId, key: &Key, first: usize, what: &str) {
        let known = self.tables.get(table.0).and_then(|table| table.entries.get(first));
        let context = known.map(|entry| (entry.key_span, "first defined here".to_owned()));
        let message = format!("{what} is defined twice");
        self.errors.push(SyntaxError { span: key.span, message, context, document: 0, duplicate: true, certain: true });
    }

    /// Fills the builder; the root, what stands twice, and which node each table and array became.
    pub(super) fn emit(mut self, builder: &mut Builder) -> (NodeId, Vec<SyntaxError>, Nodes) {
        let none = NodeId(u32::MAX);
        let mut nodes = Nodes { tables: vec![none; self.tables.len()], arrays: vec![none; self.arrays.len()] };
        let root = self.root();
        let (node, _) = self.emit_table(root, builder, &mut nodes);
        (node, self.errors, nodes)
    }

    fn emit_item(&mut self, item: Item, builder: &mut Builder, nodes: &mut Nodes) -> (NodeId, Span) {
        match item {
            Item::Node(node) => (node, builder.tree().node(node).span()),
            Item::Table(table) => self.emit_table(table, builder, nodes),
            Item::Array(array) => self.emit_array(array, builder, nodes),
        }
    }

    fn emit_table(&mut self, id: TableId, builder: &mut Builder, nodes: &mut Nodes) -> (NodeId, Span) {
        let Some(table) = self.tables.get_mut(id.0) else { return (NodeId(u32::MAX), Span::default()) };
        let (form, span) = (table.form, table.span);
        let entries = std::mem::take(&mut table.entries);
        let mut around: Option<Span> = None;
        let mut pairs = Vec::with_capacity(entries.len());
        for entry in entries {
            let (value, value_span) = self.emit_item(entry.item, builder, nodes);
            pairs.push((entry.key, value));
            around = Some(cover(around.unwrap_or(entry.key_span), cover(entry.key_span, value_span)));
        }
        let (kind, span) = match form {
            Form::Inline => (Kind::FlowMap, span),
            _ => (Kind::BlockMap, around.unwrap_or(span)),
        };
        let node = builder.mapping(kind, span, &pairs);
        if let Some(slot) = nodes.tables.get_mut(id.0) {
            *slot = node;
        }
        (node, span)
    }

    fn emit_array(&mut self, id: ArrayId, builder: &mut Builder, nodes: &mut Nodes) -> (NodeId, Span) {
        let Some(array) = self.arrays.get_mut(id.0) else { return (NodeId(u32::MAX), Span::default()) };
        let (of_tables, span) = (array.of_tables, array.span);
        let (items, headers) = (std::mem::take(&mut array.items), std::mem::take(&mut array.headers));
        let mut around: Option<Span> = None;
        let mut ids = Vec::with_capacity(items.len());
        for item in items {
            let (node, span) = self.emit_item(item, builder, nodes);
            ids.push(node);
            around = Some(cover(around.unwrap_or(span), span));
        }
        let (kind, span) = if of_tables { (Kind::BlockSeq, around.unwrap_or(span)) } else { (Kind::FlowSeq, span) };
        let node = builder.sequence(kind, span, &ids);
        for (&item, header) in ids.iter().zip(headers) {
            builder.header(item, header);
        }
        if let Some(slot) = nodes.arrays.get_mut(id.0) {
            *slot = node;
        }
        (node, span)
    }
}

fn cover(a: Span, b: Span) -> Span {
    Span { start: a.start.min(b.start), end: a.end.max(b.end) }
}
