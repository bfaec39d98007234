//! What replaced lists lost, over all layers: items, and fields of items that stayed.

use super::{Merged, Value};

/// One list that lost something.
#[derive(Debug, Clone, PartialEq)]
pub struct Loss<'a> {
    /// Keys and indices from the top (an index as `[0]`).
    pub path: Vec<String>,
    /// The list as it is.
    pub list: &'a Value,
    /// What is no longer there, the parts of lower layers first.
    pub parts: Vec<LostPart<'a>>,
}

/// A part that is gone.
#[derive(Debug, Clone, PartialEq)]
pub struct LostPart<'a> {
    /// The highest layer's value that had it (an item, or a field's value): its origin says where.
    pub value: &'a Value,
    /// The item of the merged list that lost it; none where a whole item is gone.
    pub item: Option<&'a Value>,
    /// What identifies the item: the value of its `name`, `mountPath`, …; none where items are told
    /// apart by equality.
    pub name: Option<&'a str>,
    /// Path of the field inside the item; empty for a whole item.
    pub field: Vec<String>,
}

/// All losses of a merge, in document order.
pub fn losses(merged: &Merged) -> Vec<Loss<'_>> {
    let _ = merged;
    Vec::new()
}

/// What one list lost against all that it replaced; none where nothing is gone.
/// An empty list says "on purpose": it loses nothing.
pub fn losses_of(list: &Value) -> Vec<LostPart<'_>> {
    let _ = list;
    Vec::new()
}
