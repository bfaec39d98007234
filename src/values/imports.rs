//! `import-values`: tables of subcharts into the chart's own defaults.

use super::coalesce::{Engine, Mode};
use super::heap::{MapId, Slot};
use super::print::printed;
use super::{Family, HelmError, Import, Origin};

impl Engine<'_> {
    /// `processDependencyImportValues`: innermost charts first.
    pub(super) fn import_values(&mut self, id: usize) -> Result<(), HelmError> {
        for child in self.children(id) {
            self.import_values(child)?;
        }
        let Some(entries) = self.chart(id).and_then(|node| node.dependencies.clone()) else {
            return Ok(());
        };
        let mode = if self.family > Family::A { Mode::Merge } else { Mode::Coalesce };
        let nothing = self.heap.made_up();
        let values = self.coalesce_copy(id, nothing, mode)?;
        let mut imported = self.heap.made_up();
        for entry in &entries {
            if self.helm.major < 4 && !self.imported.insert(entry.dependency) {
                continue;
            }
            for import in &entry.dependency.imports {
                if let Some(table) = self.imported_table(values, &entry.name, import)? {
                    if mode == Mode::Coalesce && matches!(import, Import::Table { .. }) {
                        // Up to 3.12 such tables went straight into the chart's own values, which in
                        // the end are laid over themselves and lose their nulls.
                        imported = values;
                    }
                    self.tables(imported, table, "", mode, 0);
                }
            }
        }
        let values = if mode == Mode::Merge { self.heap.deep_copy(values) } else { values };
        self.tables(values, imported, "", mode, 0);
        if let Some(node) = self.charts.get_mut(id) {
            node.values = values;
        }
        Ok(())
    }

    /// The table that an entry of `import-values` names, under its place in the parent.
    fn imported_table(&mut self, values: MapId, chart: &str, import: &Import) -> Result<Option<MapId>, HelmError> {
        let (child, parent) = match import {
            Import::Export(name) => (format!("exports.{name}"), ".".to_owned()),
            Import::Table { child, parent } => {
                let strings = child.as_str().is_some() && parent.as_str().is_some();
                if !strings && !self.helm.at_least(3, 18, 5) {
                    return Err(HelmError::new("panic: interface conversion: interface {} is not string"));
                }
                (printed(child), printed(parent))
            }
        };
        let path = format!("{chart}.{child}");
        let table = match self.table(values, &path) {
            Ok(table) => table,
            Err(key) => {
                let of = if matches!(import, Import::Table { .. }) { Some(chart) } else { None };
                let message = self.missing_table(key, of);
                self.warn(message);
                return Ok(None);
            }
        };
        if parent == "." {
            return Ok(Some(table));
        }
        let mut slot = Slot::of_map(table);
        let mut map = table;
        for key in parent.split('.').rev() {
            map = self.heap.new_map(Origin { layer: super::LayerId(0), node: None });
            self.heap.set(map, key, slot);
            slot = Slot::of_map(map);
        }
        Ok(Some(map))
    }

    fn missing_table(&self, key: &str, chart: Option<&str>) -> String {
        let log = if self.helm.major >= 4 { "" } else { "Warning: " };
        let of = chart.map(|chart| format!(" from chart {chart}")).unwrap_or_default();
        format!("{log}ImportValues missing table{of}: {key:?} is not a table")
    }
}
