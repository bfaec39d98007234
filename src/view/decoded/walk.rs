//! The decoder's way through a document.

use super::swallowed;
use super::unsure::Unsure;
use super::{Decoded, Found, InForce, Outcome, RunnerConfig};
use crate::knowledge::gitlab_version::Minor;
use crate::knowledge::runner_schema::{Item, Key, Type};
use crate::syntax::scalar::resolve;
use crate::syntax::{Dialect, Kind, Node, NodeRef, Scalar, TreeId, Trees};
use crate::view::duration::{meant_duration, parse_duration};
use crate::view::{is_placeholder, is_templated};

pub(super) fn walk(config: &RunnerConfig<'_>, trees: &Trees) -> Vec<Decoded> {
    let Some(tree) = trees.get(config.tree) else { return Vec::new() };
    let in_force = config.version();
    let is_ahead = config.is_ahead();
    let mut walker = Walker { id: config.tree, unsure: Unsure::of(tree), in_force, is_ahead, found: Vec::new() };
    if let Some(root) = tree.root() {
        walker.table(root, Key::root());
    }
    walker.found
}

struct Walker {
    id: TreeId,
    unsure: Unsure,
    in_force: Option<InForce>,
    is_ahead: bool,
    found: Vec<Decoded>,
}

impl Walker {
    fn version(&self) -> Option<Minor> {
        self.in_force.map(|in_force| in_force.version)
    }

    /// The version, where none but that one can run.
    fn certain_version(&self) -> Option<Minor> {
        self.in_force.filter(|in_force| in_force.is_certain).map(|in_force| in_force.version)
    }

    fn say(&mut self, value: Node<'_>, of: &'static Key, outcome: Outcome) {
        self.found.push(Decoded { at: NodeRef { tree: self.id, node: value.id }, of, outcome });
    }

    fn table(&mut self, node: Node<'_>, table: &'static Key) {
        for (name, value) in
            node.entries().filter(|(name, value)| !self.unsure.hides(*name, *value)).collect::<Vec<_>>()
        {
            match table.child(name.text()) {
                Some(key) => {
                    if let Some(other) = other_case(node, name, value) {
                        self.say(value, key, Outcome::Twice(NodeRef { tree: self.id, node: other.id }));
                    }
                    self.entry(value, key, table);
                }
                None => self.unknown(name.text(), value, table),
            }
        }
    }

    fn entry(&mut self, value: Node<'_>, key: &'static Key, table: &'static Key) {
        match key.until {
            Some((until, instead)) if key.is_gone_from(self.version()) => {
                self.say(value, table, Outcome::Gone(until, instead));
            }
            _ if self.certain_version().is_some_and(|version| version < key.since) => {
                self.say(value, table, Outcome::TooNew(key.since));
            }
            _ => self.value(value, key),
        }
    }

    fn unknown(&mut self, name: &str, value: Node<'_>, table: &'static Key) {
        let version = self.certain_version();
        let is_gone = |key: &&Key| key.is_gone_from(self.version());
        let around = |key: &'static Key| key.child(name);
        if let Some((until, instead)) = table.enclosing().find_map(around).filter(is_gone).and_then(|key| key.until) {
            return self.say(value, table, Outcome::Gone(until, instead));
        }
        let homes = homes(name, value, table, version);
        if !homes.is_empty() {
            return self.say(value, table, Outcome::Elsewhere(homes));
        }
        // What a version that we do not know may have brought is not known.
        if !self.is_ahead {
            self.say(value, table, Outcome::Unknown(nearest(name, table, version)));
        }
    }

    fn value(&mut self, value: Node<'_>, key: &'static Key) {
        let (is_map, is_seq) = (value.kind().is_map(), value.kind().is_seq());
        match key.holds {
            Type::Any => {}
            Type::Table if is_map => self.table(value, key),
            Type::Tables if is_seq => value.items().for_each(|item| self.item_table(item, key)),
            Type::Table if is_seq && value.items().next().is_some_and(|item| item.kind().is_map()) => {
                self.say(value, key, Outcome::TablesForTable);
                value.items().for_each(|item| self.table(item, key));
            }
            Type::Tables if is_map => {
                if !self.unsure.may_be_opened_before(value) {
                    self.say(value, key, Outcome::TableForTables);
                }
                self.table(value, key);
            }
            Type::Map(item) if is_map => self.map(value, item, key),
            Type::Map(_) => {
                let is_nothing = value.items().next().is_none() && (is_seq || value.text().is_empty());
                if let Some(found) = found(value).filter(|_| !is_nothing) {
                    self.say(value, key, Outcome::NoMap(found));
                }
            }
            Type::List(item) if value.kind() == Kind::FlowSeq => self.items(value, item, key),
            Type::StringOrList if value.kind() == Kind::FlowSeq => self.items(value, Item::String, key),
            Type::StringOrList if found(value) == Some(Found::String) => {}
            Type::One(item) => self.one(value, item, key),
            due => self.wrong(value, due, key),
        }
    }

    fn item_table(&mut self, item: Node<'_>, key: &'static Key) {
        if item.kind().is_map() { self.table(item, key) } else { self.wrong(item, Type::Table, key) }
    }

    fn items(&mut self, list: Node<'_>, item: Item, key: &'static Key) {
        list.items().for_each(|value| self.one(value, item, key));
    }

    fn map(&mut self, map: Node<'_>, item: Item, key: &'static Key) {
        let first = map.entries().next().map(|(name, _)| name);
        for (name, value) in map.entries().filter(|(name, value)| !self.unsure.hides(*name, *value)).collect::<Vec<_>>()
        {
            match swallowed::setting((name, value), key, first, self.certain_version()) {
                // A label with dots and without quotes.
                Some(_) if found(value) == Some(Found::DottedTable) => self.one(value, item, key),
                Some((setting, is_sure)) => self.say(value, key, Outcome::Swallowed { setting, is_sure }),
                None => self.one(value, item, key),
            }
        }
    }

    fn one(&mut self, value: Node<'_>, item: Item, key: &'static Key) {
        let Some(found) = found(value) else { return };
        match (item, found) {
            (Item::String, Found::String)
            | (Item::Bool, Found::Bool)
            | (Item::Int, Found::Int)
            | (Item::Float, Found::Int | Found::Float)
            | (Item::Datetime, Found::String | Found::Datetime) => {}
            (Item::Duration, Found::Int) => {
                let Ok(Scalar::Int(number)) = resolve(value, Dialect::Toml) else { return };
                // A second and more in nanoseconds is not written by mistake; nothing below zero is meant to last.
                if (1..1_000_000_000).contains(&number) {
                    self.say(value, key, Outcome::Nanoseconds(number));
                }
            }
            (Item::Duration, Found::String) => {
                if parse_duration(value.text()).is_none() {
                    self.say(value, key, Outcome::NoDuration(meant_duration(value.text())));
                }
            }
            (Item::Strings, Found::List) => self.items(value, Item::String, key),
            (item, _) => self.wrong(value, Type::One(item), key),
        }
    }

    fn wrong(&mut self, value: Node<'_>, due: Type, key: &'static Key) {
        let Some(found) = found(value) else { return };
        // The entries of NFS volumes have a decoder of their own, which passes over what it cannot use.
        let refused = key.parent().is_none_or(|table| table.name != "nfs");
        self.say(value, key, Outcome::WrongType { due, found, refused });
    }
}

/// What a node is; none where that cannot be known.
fn found(node: Node<'_>) -> Option<Found> {
    match node.kind() {
        Kind::FlowMap => return Some(Found::Table),
        Kind::BlockMap => return Some(if is_dotted(node) { Found::DottedTable } else { Found::Table }),
        Kind::BlockSeq => return Some(Found::Tables),
        Kind::FlowSeq => return Some(Found::List),
        _ if node.is_masked() => return None,
        Kind::SingleQuoted | Kind::DoubleQuoted => {
            let text = node.text();
            return (!is_templated(text) && !text.starts_with('$') && !is_placeholder(text)).then_some(Found::String);
        }
        _ => {}
    }
    match resolve(node, Dialect::Toml).ok()? {
        Scalar::Bool(_) => Some(Found::Bool),
        Scalar::Int(_) => Some(Found::Int),
        Scalar::Float(_) => Some(Found::Float),
        Scalar::String(text) if is_datetime(&text) => Some(Found::Datetime),
        Scalar::String(_) | Scalar::Null => None,
    }
}

fn is_datetime(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit()) && text.contains([':', '-'])
}

/// The value of an entry before this one that is named like it but for the case, if it says something else. Tables
/// are no matter: what both say is decoded.
fn other_case<'t>(table: Node<'t>, name: Node<'t>, value: Node<'t>) -> Option<Node<'t>> {
    let is_before = |(other, _): &(Node<'t>, Node<'t>)| other.span().start < name.span().start;
    let is_same = |other: &str| other != name.text() && other.eq_ignore_ascii_case(name.text());
    let mut others = table.entries().filter(is_before).filter(|(other, _)| is_same(other.text()));
    let (_, other) = others.next()?;
    let said = |node: Node<'t>| node.span().slice(&node.tree.text);
    (!value.kind().is_map() && !value.is_masked() && !other.is_masked() && said(value) != said(other)).then_some(other)
}

/// Whether a table comes from `a.b = 1` rather than from a header.
fn is_dotted(table: Node<'_>) -> bool {
    let Some(key) = table.key() else { return false };
    let text = &table.tree.text;
    let before = text.get(..key.span().start as usize).unwrap_or_default();
    let line = before.rsplit('\n').next().unwrap_or_default();
    !line.trim_start().starts_with('[')
}

/// The tables that know a key of this name, nearest first; only those of the nearest kind: the tables around, those
/// within, then those beside.
fn homes(name: &str, value: Node<'_>, table: &'static Key, version: Option<Minor>) -> Vec<&'static Key> {
    let is_of_parts = value.kind().is_map() || value.kind() == Kind::BlockSeq;
    let knows = |home: &&'static Key| {
        let known = home.child(name).filter(|key| key.is_known_to(version));
        // A table is not meant as a value, nor the reverse.
        known.is_some_and(|key| key.holds == Type::Any || is_of_parts == has_parts(key.holds))
    };
    if let Some(home) = table.enclosing().find(knows) {
        return vec![home];
    }
    // An array of tables is no place to move a key to: it would be one more entry.
    let is_place = |home: &&'static Key| home.holds == Type::Table || home.name == "runners";
    let is_named = |home: &&'static Key| knows(home) && home.child(name).is_some_and(|key| key.name == name);
    let among = |around: &'static Key| around.children().filter(is_place).filter(is_named).collect::<Vec<_>>();
    let runner = Key::root().child("runners").filter(|_| table.parent().is_none());
    let places = std::iter::once(table).chain(runner).chain(table.enclosing());
    places.map(among).find(|homes| !homes.is_empty()).unwrap_or_default()
}

fn has_parts(holds: Type) -> bool {
    matches!(holds, Type::Table | Type::Tables | Type::Map(_))
}

/// The key of a table that a name is nearest to, if it is near enough to be meant.
fn nearest(name: &str, table: &'static Key, version: Option<Minor>) -> Option<&'static str> {
    let plain = |text: &str| text.to_ascii_lowercase().replace(['_', '-'], "");
    let wanted = plain(name);
    let keys = || table.children().filter(|key| key.is_known_to(version));
    let distance = |key: &&'static Key| strsim::osa_distance(&plain(key.name), &wanted);
    let best = keys().min_by_key(distance).filter(|best| distance(best) <= (wanted.len() / 3).min(3));
    best.or_else(|| only(keys().filter(|key| is_longer(key.name, name)))).map(|key| key.name)
}

/// Whether a key is a name with words before or after it: `node_tolerations` for `tolerations`.
fn is_longer(key: &str, name: &str) -> bool {
    let rest = key.strip_suffix(name).map(|front| front.ends_with('_'));
    rest.or_else(|| key.strip_prefix(name).map(|end| end.starts_with('_'))).unwrap_or(false)
}

fn only<T>(mut items: impl Iterator<Item = T>) -> Option<T> {
    items.next().filter(|_| items.next().is_none())
}
