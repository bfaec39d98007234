//! Chart defaults under the user's values: Helm's coalesce, function by function.

use std::rc::Rc;

use rustc_hash::FxHashSet;

use super::dependencies::ChartNode;
use super::heap::{Heap, MapId, Slot};
use super::print::printed;
use super::{Data, Dependency, Family, HelmError, HelmVersion, Value};
use crate::syntax::Trees;

/// One merge at work.
pub(super) struct Engine<'a> {
    pub(super) heap: Heap,
    pub(super) helm: HelmVersion,
    trees: &'a Trees,
    pub(super) family: Family,
    pub(super) charts: Vec<ChartNode<'a>>,
    /// In Helm 3 copies of a chart share the entries of its `dependencies`: what the first copy renames
    /// to its alias, the second does not find by its name,
    pub(super) renamed: FxHashSet<*const Dependency>,
    /// and what the first imports is no longer there for the second.
    pub(super) imported: FxHashSet<*const Dependency>,
    pub(super) warnings: Vec<String>,
}

/// Whether nulls delete (coalesce) or stay (merge).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    Coalesce,
    Merge,
}

const GLOBAL: &str = "global";

fn join(prefix: &str, name: &str) -> String {
    if prefix.is_empty() { name.to_owned() } else { format!("{prefix}.{name}") }
}

impl<'a> Engine<'a> {
    /// An engine without charts.
    pub(super) fn new(helm: HelmVersion, trees: &'a Trees) -> Self {
        Self {
            heap: Heap::default(),
            helm,
            trees,
            family: helm.family(),
            charts: Vec::new(),
            renamed: FxHashSet::default(),
            imported: FxHashSet::default(),
            warnings: Vec::new(),
        }
    }

    pub(super) fn warn(&mut self, message: String) {
        self.warnings.push(message);
    }

    pub(super) fn chart(&self, id: usize) -> Option<&ChartNode<'a>> {
        self.charts.get(id)
    }

    pub(super) fn children(&self, id: usize) -> Vec<usize> {
        self.chart(id).map(|chart| chart.children.clone()).unwrap_or_default()
    }

    /// `CoalesceValues` and `MergeValues`: the chart's defaults under a copy of `values`.
    pub(super) fn coalesce_copy(&mut self, chart: usize, values: MapId, mode: Mode) -> Result<MapId, HelmError> {
        let dest = self.heap.deep_copy(values);
        self.coalesce(chart, dest, "", mode)?;
        Ok(dest)
    }

    fn coalesce(&mut self, chart: usize, dest: MapId, prefix: &str, mode: Mode) -> Result<(), HelmError> {
        let name = self.chart(chart).map(|chart| chart.name.clone()).unwrap_or_default();
        let prefix = join(prefix, &name);
        self.own_values(chart, dest, &prefix, mode);
        for child in self.children(chart) {
            let name = self.chart(child).map(|chart| chart.name.clone()).unwrap_or_default();
            let block = match self.heap.get(dest, &name).cloned() {
                None => {
                    let block = self.heap.made_up();
                    self.heap.set(dest, &name, Slot::of_map(block));
                    block
                }
                Some(slot) => match slot.map() {
                    Some(block) => block,
                    None => {
                        let value = self.heap.export(&slot);
                        return Err(HelmError {
                            message: format!("type mismatch on {name}: {}", verb_t(&value)),
                            at: value
                                .origin
                                .node
                                .and_then(|node| self.trees.node(node))
                                .map(|node| node.tree.location(node.anchor_span())),
                        });
                    }
                },
            };
            self.globals(block, dest, &prefix);
            self.coalesce(child, block, &prefix, mode)?;
            if self.heap.exhausted() {
                break;
            }
        }
        Ok(())
    }

    /// `coalesceValues`: a chart's own default values.
    fn own_values(&mut self, chart: usize, dest: MapId, prefix: &str, mode: Mode) {
        let Some(mut defaults) = self.chart(chart).map(|chart| chart.values) else {
            return;
        };
        if self.family > Family::A {
            defaults = self.heap.deep_copy(defaults);
        }
        let child_names: Vec<String> =
            self.children(chart).into_iter().filter_map(|id| Some(self.chart(id)?.name.clone())).collect();
        for (key, default) in self.heap.entries(defaults) {
            let Some(value) = self.heap.get(dest, &key).cloned() else {
                self.adopt(dest, &key, default, mode);
                continue;
            };
            if value.is_null() && mode == Mode::Coalesce {
                self.heap.delete(dest, &key, Some(&default));
                continue;
            }
            match (value.map(), default.map()) {
                (Some(over), Some(under)) => {
                    let keeps_nulls = self.family >= Family::C && child_names.iter().any(|name| **name == *key);
                    let mode = if keeps_nulls { Mode::Merge } else { mode };
                    let under = if self.family >= Family::F && mode == Mode::Coalesce {
                        self.heap.copy_without_nulls(under)
                    } else {
                        under
                    };
                    self.tables(over, under, &join(prefix, &key), mode, 0);
                }
                (Some(_), None) => {
                    if !default.is_null() {
                        self.warn(format!("warning: skipped value for {prefix}.{key}: Not a table."));
                    }
                    self.heap.bury(dest, &key, &default);
                }
                _ => self.heap.bury(dest, &key, &default),
            }
        }
    }

    /// A default for which the user has no key.
    fn adopt(&mut self, dest: MapId, key: &str, mut default: Slot, mode: Mode) {
        if self.family >= Family::F && mode == Mode::Coalesce {
            if default.is_null() {
                return;
            }
            if let Some(map) = default.map() {
                default.held = super::heap::Held::Map(self.heap.copy_without_nulls(map));
            }
        }
        self.heap.set(dest, key, default);
    }

    /// `coalesceTablesFullKey`: `dst` wins over `src`.
    pub(super) fn tables(&mut self, dst: MapId, src: MapId, prefix: &str, mode: Mode, depth: usize) {
        if self.heap.too_deep(depth) {
            return;
        }
        let defaults = self.heap.entries(src);
        let nulls = if self.family >= Family::D { self.null_through(dst, src, mode) } else { FxHashSet::default() };
        for (key, under) in defaults {
            let Some(over) = self.heap.get(dst, &key).cloned() else {
                self.heap.set(dst, &key, under);
                continue;
            };
            if over.is_null() && mode == Mode::Coalesce {
                if self.family <= Family::D || !under.is_null() {
                    self.heap.delete(dst, &key, Some(&under));
                }
                continue;
            }
            if nulls.contains(&key) {
                self.heap.bury(dst, &key, &under);
                continue;
            }
            match (over.map(), under.map()) {
                (Some(over), Some(under)) => self.tables(over, under, &join(prefix, &key), mode, depth + 1),
                (None, Some(_)) => {
                    let value = self.heap.export(&under);
                    let (path, value) = (join(prefix, &key), printed(&value));
                    self.warn(format!("warning: cannot overwrite table with non table for {path} ({value})"));
                    self.heap.bury(dst, &key, &under);
                }
                (Some(_), None) => {
                    if !under.is_null() {
                        let value = self.heap.export(&under);
                        let (path, value) = (join(prefix, &key), printed(&value));
                        self.warn(format!(
                            "warning: destination for {path} is a table. Ignoring non-table value ({value})"
                        ));
                    }
                    self.heap.bury(dst, &key, &under);
                }
                (None, None) => self.heap.bury(dst, &key, &under),
            }
        }
    }

    /// From 3.19.5 on a null is first written into the defaults too (seen where another chart shares
    /// the table), so that it is no type conflict. D then drops nulls that no default has, too.
    fn null_through(&mut self, dst: MapId, src: MapId, mode: Mode) -> FxHashSet<Rc<str>> {
        let mut nulls = FxHashSet::default();
        for (key, null) in self.heap.entries(dst) {
            if !null.is_null() {
                continue;
            }
            if self.family == Family::D && mode == Mode::Coalesce && self.heap.get(src, &key).is_none() {
                self.heap.delete(dst, &key, None);
            }
            self.heap.set(src, &key, null);
            nulls.insert(key);
        }
        nulls
    }

    /// The parent's `global` into the subchart's block. Copies are shallow: what is written into a
    /// nested table here is seen in the parent too, as in Helm.
    fn globals(&mut self, dest: MapId, src: MapId, prefix: &str) {
        let into = match self.heap.get(dest, GLOBAL).map(Slot::map) {
            None => self.heap.made_up(),
            Some(Some(map)) => map,
            Some(None) => {
                return self.warn("warning: skipping globals because destination global is not a table.".to_owned());
            }
        };
        let from = match self.heap.get(src, GLOBAL).map(Slot::map) {
            None => Vec::new(),
            Some(Some(map)) => self.heap.entries(map),
            Some(None) => {
                return self.warn("warning: skipping globals because source global is not a table.".to_owned());
            }
        };
        for (key, value) in from {
            let there = self.heap.get(into, &key).cloned();
            match (value.map(), there) {
                (Some(map), None) => {
                    let copy = self.heap.shallow_copy(map);
                    self.heap.set(into, &key, Slot::of_map(copy));
                }
                (Some(map), Some(there)) => match there.map() {
                    None => self.warn(format!("Conflict: cannot merge map onto non-map for {key:?}. Skipping.")),
                    Some(there) => {
                        let copy = self.heap.shallow_copy(map);
                        let mode = if self.family > Family::A { Mode::Merge } else { Mode::Coalesce };
                        self.tables(copy, there, &join(prefix, &key), mode, 0);
                        self.heap.set(into, &key, Slot::of_map(copy));
                    }
                },
                (None, Some(there)) if there.map().is_some() => {
                    self.warn(format!("key {key} is table. Skipping"));
                }
                (None, there) => {
                    self.heap.set(into, &key, value);
                    if let Some(there) = there {
                        self.heap.bury(into, &key, &there);
                    }
                }
            }
        }
        self.heap.set(dest, GLOBAL, Slot::of_map(into));
    }
}

/// What Go prints for `%t` of something that should be a boolean.
fn verb_t(value: &Value) -> String {
    match &value.data {
        Data::Bool(value) => value.to_string(),
        Data::Null => "%!t(<nil>)".to_owned(),
        Data::List(items) => {
            let items: Vec<String> = items.iter().map(verb_t).collect();
            format!("[{}]", items.join(" "))
        }
        _ => format!("%!t({}={})", super::go_type(value), printed(value)),
    }
}
