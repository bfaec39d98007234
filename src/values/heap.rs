//! Maps by reference, as Go has them: Helm's coalescing shares maps between charts, and some of what
//! it does follows from writes through one name that are seen through another.

use std::cell::Cell;
use std::rc::Rc;

use indexmap::IndexMap;

use super::{Data, Deleted, LayerId, Map, Origin, Past, Value};

/// A map in the heap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct MapId(u32);

/// What a key holds, and what it beat.
#[derive(Debug, Clone)]
pub(super) struct Slot {
    pub(super) held: Held,
    past: Vec<Rc<Past>>,
}

#[derive(Debug, Clone)]
pub(super) enum Held {
    Map(MapId),
    /// Anything else; lists are never written to here, so they are shared.
    Leaf(Rc<Value>),
}

#[derive(Debug, Clone)]
struct HeapMap {
    entries: IndexMap<Rc<str>, Slot>,
    deleted: Vec<Rc<Deleted>>,
    origin: Origin,
}

/// Deeper values, or more maps, come only of imports that nest a table in itself; Helm dies of them.
const MAX_DEPTH: usize = 512;
const MAX_MAPS: usize = 8_000_000;

/// All maps of one merge.
#[derive(Debug, Default)]
pub(super) struct Heap {
    maps: Vec<HeapMap>,
    exhausted: Cell<bool>,
    exported: Cell<usize>,
}

const NOWHERE: Origin = Origin { layer: LayerId(0), node: None };

impl Slot {
    pub(super) fn map(&self) -> Option<MapId> {
        match self.held {
            Held::Map(id) => Some(id),
            Held::Leaf(_) => None,
        }
    }

    pub(super) fn leaf(&self) -> Option<&Value> {
        match &self.held {
            Held::Map(_) => None,
            Held::Leaf(value) => Some(value),
        }
    }

    pub(super) fn is_null(&self) -> bool {
        self.leaf().is_some_and(Value::is_null)
    }

    pub(super) fn of_map(map: MapId) -> Self {
        Self { held: Held::Map(map), past: Vec::new() }
    }
}

impl Heap {
    /// An empty map.
    pub(super) fn new_map(&mut self, origin: Origin) -> MapId {
        if self.maps.len() >= MAX_MAPS {
            self.exhausted.set(true);
            return MapId(0);
        }
        self.maps.push(HeapMap { entries: IndexMap::new(), deleted: Vec::new(), origin });
        MapId(self.maps.len() as u32 - 1)
    }

    /// An empty map that Helm made up.
    pub(super) fn made_up(&mut self) -> MapId {
        self.new_map(NOWHERE)
    }

    fn map(&self, id: MapId) -> Option<&HeapMap> {
        self.maps.get(id.0 as usize)
    }

    fn map_mut(&mut self, id: MapId) -> Option<&mut HeapMap> {
        self.maps.get_mut(id.0 as usize)
    }

    pub(super) fn get(&self, map: MapId, key: &str) -> Option<&Slot> {
        self.map(map)?.entries.get(key)
    }

    pub(super) fn is_empty(&self, map: MapId) -> bool {
        self.map(map).is_none_or(|map| map.entries.is_empty())
    }

    pub(super) fn set(&mut self, map: MapId, key: &str, slot: Slot) {
        if let Some(map) = self.map_mut(map) {
            match map.entries.get_mut(key) {
                Some(old) => *old = slot,
                None => {
                    map.entries.insert(key.into(), slot);
                }
            }
        }
    }

    /// Keys and slots as they are now; safe to write while walking.
    pub(super) fn entries(&self, map: MapId) -> Vec<(Rc<str>, Slot)> {
        let entries = self.map(map).map(|map| map.entries.iter());
        entries.into_iter().flatten().map(|(key, slot)| (Rc::clone(key), slot.clone())).collect()
    }

    /// Removes a null, noting what it deleted.
    pub(super) fn delete(&mut self, map: MapId, key: &str, lost: Option<&Slot>) {
        let Some(null) = self.map_mut(map).and_then(|map| map.entries.shift_remove(key)) else {
            return;
        };
        let by = self.origin(&null);
        let mut chain = self.chain(lost, &null);
        let Some(last) = chain.pop() else {
            return;
        };
        let mut value = last.value.clone();
        value.past = chain.iter().map(|past| (**past).clone()).collect();
        if let Some(map) = self.map_mut(map) {
            map.deleted.push(Rc::new(Deleted { key: key.to_owned(), value, by }));
        }
    }

    fn origin(&self, slot: &Slot) -> Origin {
        match &slot.held {
            Held::Map(id) => self.map(*id).map_or(NOWHERE, |map| map.origin),
            Held::Leaf(value) => value.origin,
        }
    }

    /// What lies under `winner` if `loser` (and all it had beaten) goes below it; what is known
    /// already is not noted twice, since Helm coalesces the same defaults several times.
    fn chain(&self, loser: Option<&Slot>, winner: &Slot) -> Vec<Rc<Past>> {
        let Some(loser) = loser else {
            return winner.past.clone();
        };
        let top = self.origin(winner);
        let known = |origin: Origin| origin == top || winner.past.iter().any(|past| past.value.origin == origin);
        let by = winner.past.first().map_or(top, |first| first.value.origin);
        let mut chain: Vec<Rc<Past>> =
            loser.past.iter().filter(|past| !known(past.value.origin)).map(Rc::clone).collect();
        if !known(self.origin(loser)) && !loser.is_null() {
            let value = self.export_bare(loser, 0);
            chain.push(Rc::new(Past { value, by }));
        }
        chain.extend(winner.past.iter().map(Rc::clone));
        chain
    }

    /// Notes that the value under `key` beat `loser`.
    pub(super) fn bury(&mut self, map: MapId, key: &str, loser: &Slot) {
        let Some(winner) = self.get(map, key) else {
            return;
        };
        let past = self.chain(Some(loser), winner);
        if let Some(slot) = self.map_mut(map).and_then(|map| map.entries.get_mut(key)) {
            slot.past = past;
        }
    }

    /// Takes a value in.
    pub(super) fn import(&mut self, mut value: Value) -> Slot {
        let past = std::mem::take(&mut value.past).into_iter().map(Rc::new).collect();
        let held = match value.data {
            Data::Map(map) => {
                let id = self.new_map(value.origin);
                let entries = map.entries.into_iter().map(|(key, value)| (key.into(), self.import(value))).collect();
                if let Some(target) = self.map_mut(id) {
                    target.entries = entries;
                    target.deleted = map.deleted.into_iter().map(Rc::new).collect();
                }
                Held::Map(id)
            }
            _ => Held::Leaf(Rc::new(value)),
        };
        Slot { held, past }
    }

    /// Takes a map in; anything else counts as an empty map.
    pub(super) fn import_map(&mut self, value: Value) -> MapId {
        match self.import(value).held {
            Held::Map(id) => id,
            Held::Leaf(_) => self.made_up(),
        }
    }

    /// The value, its history included.
    pub(super) fn export(&self, slot: &Slot) -> Value {
        let value = self.export_bare(slot, 0);
        Value { past: slot.past.iter().map(|past| (**past).clone()).collect(), ..value }
    }

    fn export_bare(&self, slot: &Slot, depth: usize) -> Value {
        let id = match &slot.held {
            Held::Leaf(value) => return (**value).clone(),
            Held::Map(id) => *id,
        };
        self.exported.set(self.exported.get() + 1);
        let within = !self.exhausted() && depth < MAX_DEPTH && self.exported.get() < MAX_MAPS;
        let Some(map) = self.map(id).filter(|_| within) else {
            self.exhausted.set(true);
            return Value::new(Data::Null, NOWHERE);
        };
        let entries = map.entries.iter().map(|(key, slot)| {
            let value = self.export_bare(slot, depth + 1);
            (key.to_string(), Value { past: slot.past.iter().map(|past| (**past).clone()).collect(), ..value })
        });
        let entries = entries.collect();
        let deleted = map.deleted.iter().map(|deleted| (**deleted).clone()).collect();
        Value::new(Data::Map(Map { entries, deleted }), map.origin)
    }

    /// Go's `copystructure.Copy`: no map is shared.
    pub(super) fn deep_copy(&mut self, map: MapId) -> MapId {
        self.copy(map, 0, &|_| true)
    }

    /// A deep copy without the nulls in maps (those in lists stay).
    pub(super) fn copy_without_nulls(&mut self, map: MapId) -> MapId {
        self.copy(map, 0, &|slot| !slot.is_null())
    }

    fn copy(&mut self, map: MapId, depth: usize, keep: &dyn Fn(&Slot) -> bool) -> MapId {
        let Some(source) = self.map(map).filter(|_| depth < MAX_DEPTH) else {
            self.exhausted.set(true);
            return map;
        };
        let (origin, deleted) = (source.origin, source.deleted.clone());
        let entries = self.entries(map);
        let id = self.new_map(origin);
        let mut copied = IndexMap::with_capacity(entries.len());
        for (key, mut slot) in entries.into_iter().filter(|(_, slot)| keep(slot)) {
            if let Held::Map(inner) = slot.held {
                slot.held = Held::Map(self.copy(inner, depth + 1, keep));
                if self.exhausted() {
                    break;
                }
            }
            copied.insert(key, slot);
        }
        if let Some(target) = self.map_mut(id) {
            target.entries = copied;
            target.deleted = deleted;
        }
        id
    }

    /// A new map with the same slots: nested maps are shared.
    pub(super) fn shallow_copy(&mut self, map: MapId) -> MapId {
        let Some(source) = self.map(map) else {
            return map;
        };
        let (origin, entries) = (source.origin, source.entries.clone());
        let id = self.new_map(origin);
        if let Some(target) = self.map_mut(id) {
            target.entries = entries;
        }
        id
    }

    /// Whether walking deeper is refused.
    pub(super) fn too_deep(&self, depth: usize) -> bool {
        if depth >= MAX_DEPTH {
            self.exhausted.set(true);
        }
        self.exhausted()
    }

    /// Whether a limit was met; the merge is then refused.
    pub(super) fn exhausted(&self) -> bool {
        self.exhausted.get()
    }
}
