//! A values file over what stands: maps into maps, everything else replaces.

use super::{Data, Past, Value};

/// Helm's rule for two `-f` files (and, in Helm 4, for two documents of one file).
pub(super) fn merge_files(base: &mut Value, overlay: Value) {
    let origin = overlay.origin;
    match (&mut base.data, overlay) {
        (Data::Map(under), Value { data: Data::Map(over), .. }) => {
            for (key, value) in over.entries {
                match under.entries.entry(key) {
                    indexmap::map::Entry::Occupied(mut slot) => merge_files(slot.get_mut(), value),
                    indexmap::map::Entry::Vacant(slot) => {
                        slot.insert(value);
                    }
                }
            }
            // An empty document has no place to point at.
            if origin.node.is_some() {
                base.origin = origin;
            }
        }
        (_, mut overlay) => {
            bury(std::mem::take(base), &mut overlay);
            *base = overlay;
        }
    }
}

/// Puts `old`, and what it had beaten, under the history of `winner`.
pub(super) fn bury(mut old: Value, winner: &mut Value) {
    let by = winner.past.first().map_or(winner.origin, |first| first.value.origin);
    let mut past = std::mem::take(&mut old.past);
    past.push(Past { value: old, by });
    past.append(&mut winner.past);
    winner.past = past;
}
