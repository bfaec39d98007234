//! Settings that a map around them has taken for entries of its own.

use crate::knowledge::gitlab_version::Minor;
use crate::knowledge::runner_schema::{Item, Key, Type};
use crate::syntax::{Kind, Node};

/// Maps whose keys a driver or a service defines: any word may be one.
const DEFINED_ELSEWHERE: [&str; 4] = ["volume_attributes", "volume_driver_ops", "log_options", "metadata"];

/// Settings without an underscore that are no habit of labels.
const UNMISTAKABLE: [&str; 1] = ["privileged"];

/// The setting that an entry of a map is likely to be meant as, and whether that is sure.
pub(super) fn setting(
    (key, value): (Node<'_>, Node<'_>),
    map: &'static Key,
    first: Option<Node<'_>>,
    version: Option<Minor>,
) -> Option<(&'static Key, bool)> {
    // Who writes quotes means the entry.
    if key.kind() != Kind::Plain {
        return None;
    }
    let name = key.text();
    let known =
        |table: &'static Key| table.child(name).filter(|found| found.name == name && found.is_known_to(version));
    let (distance, setting) =
        map.enclosing().enumerate().find_map(|(distance, table)| Some((distance, known(table)?)))?;
    let Type::Map(item) = map.holds else { return None };
    let refused = !is_item(value, item);
    if refused && is_setting(value, setting.holds) {
        return Some((setting, true));
    }
    if DEFINED_ELSEWHERE.contains(&map.name) || refused {
        return None;
    }
    let is_flag = item != Item::String;
    let is_name = name.contains('_') || UNMISTAKABLE.contains(&name);
    let is_left = first.is_some_and(|first| column(key) < column(first));
    let is_set = value.parent().is_some_and(|map| has_beside(map, name));
    // A namespace is no habit of labels either, but it may be one where the setting is made as well.
    let is_sure = is_flag || is_name || is_left || (name == "namespace" && !is_set);
    (is_sure || (distance == 0 && !is_set)).then_some((setting, is_sure))
}

/// Whether the table around a map has the key itself.
fn has_beside(map: Node<'_>, name: &str) -> bool {
    map.parent().is_some_and(|table| table.get(name).is_some())
}

/// Whether a value may be one of an entry's, as far as one can see without the types of its parts.
fn is_item(value: Node<'_>, item: Item) -> bool {
    let is_one = value.kind().is_scalar();
    let is_string = matches!(value.kind(), Kind::SingleQuoted | Kind::DoubleQuoted);
    let is_bool = !is_string && matches!(value.text(), "true" | "false");
    match item {
        Item::String => is_string,
        Item::Bool => is_bool,
        Item::Strings => value.kind().is_seq(),
        Item::Duration => is_one && !is_bool,
        Item::Int | Item::Float | Item::Datetime => is_one && !is_string && !is_bool,
    }
}

/// The same for a setting.
fn is_setting(value: Node<'_>, holds: Type) -> bool {
    match holds {
        Type::Table | Type::Map(_) => value.kind().is_map(),
        Type::Tables | Type::List(_) => value.kind().is_seq(),
        Type::StringOrList => is_item(value, Item::String) || value.kind().is_seq(),
        Type::One(item) => is_item(value, item),
        Type::Any => true,
    }
}

/// Characters before a key on its line.
fn column(key: Node<'_>) -> usize {
    let before = key.tree.text.get(..key.span().start as usize).unwrap_or_default();
    before.len() - before.rfind('\n').map_or(0, |at| at + 1)
}
