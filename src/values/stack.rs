//! One stack: what Helm is given, and what comes out.

use std::collections::BTreeMap;

use super::coalesce::{Engine, Mode};
use super::dependencies::{ChartNode, Entry, check_present};
use super::heap::{MapId, Slot};
use super::overlay::merge_files;
use super::read::Collision;
use super::{Chart, Flag, HelmVersion, Layer, LayerId, Merged, Role, Value, documents, flag};
use crate::syntax::{TreeId, Trees};
use crate::text::Location;

/// A values file that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValuesFile {
    /// The file as given; becomes the layer's name.
    pub name: String,
    /// Its tree, all documents.
    pub tree: TreeId,
}

/// What `helm upgrade` does with the values of the last release.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum UpgradeMode {
    /// Keep them only if no new ones are given.
    #[default]
    Plain,
    /// `--reuse-values`.
    Reuse,
    /// `--reset-values`.
    Reset,
    /// `--reset-then-reuse-values`.
    ResetThenReuse,
}

/// The last release.
#[derive(Debug, Clone, Copy, Default)]
pub struct Upgrade<'a> {
    /// What to do with its values.
    pub mode: UpgradeMode,
    /// The user values that it stored.
    pub previous: Option<&'a ValuesFile>,
    /// The chart that it was made from.
    pub previous_chart: Option<&'a Chart>,
}

/// What Helm is given.
#[derive(Debug, Clone, Copy, Default)]
pub struct StackInput<'a> {
    /// The chart; without one nothing lies below the user's values.
    pub chart: Option<&'a Chart>,
    /// `-f` files in order.
    pub files: &'a [ValuesFile],
    /// `--set*` flags in the order of the command line, kinds mixed.
    pub flags: &'a [Flag],
    /// For `helm upgrade`.
    pub upgrade: Option<Upgrade<'a>>,
    /// Whose merge.
    pub helm: HelmVersion,
    /// `--skip-schema-validation`.
    pub skip_schema_validation: bool,
}

/// Helm refuses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HelmError {
    /// What Helm says after `Error: `, as far as we know its words.
    pub message: String,
    /// The cause, where one place is to blame.
    pub at: Option<Location>,
}

impl HelmError {
    /// An error without a place.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), at: None }
    }
}

impl std::fmt::Display for HelmError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for HelmError {}

/// Merges a stack as Helm does. Pure, linear in the size of its input, and free to run in parallel.
pub fn merge(input: &StackInput<'_>, trees: &Trees) -> Result<Merged, HelmError> {
    let mut stack = Stacker { helm: input.helm, trees, layers: Vec::new(), collisions: Vec::new() };
    let mut engine = Engine::new(input.helm, trees);
    let top = match input.chart {
        Some(chart) => Some(stack.chart(&mut engine, chart)?),
        None => None,
    };
    let upgrade = input.upgrade.unwrap_or_default();
    let old_chart = match (upgrade.mode, upgrade.previous_chart.or(input.chart)) {
        (UpgradeMode::Reuse, Some(chart)) => Some(stack.chart(&mut engine, chart)?),
        _ => None,
    };
    let previous = match upgrade.previous.filter(|_| upgrade.mode != UpgradeMode::Reset) {
        Some(file) => Some(stack.file(file, Role::Previous)?),
        None => None,
    };
    let user = stack.user_values(input.files, input.flags)?;
    if let (Some(chart), Some(_)) = (input.chart, top) {
        check_installable(chart, &engine)?;
    }
    let user = engine.import_user(user);
    let user = engine.reuse(user, previous, upgrade.mode, old_chart, top)?;
    let user_values = engine.heap.export(&Slot::of_map(user));
    let Some(top) = top else {
        return Ok(Merged {
            values: user_values.clone(),
            user_values,
            layers: stack.layers,
            collisions: stack.collisions,
            ..Merged::default()
        });
    };
    engine.enable(top, user, "")?;
    engine.import_values(top)?;
    let values = engine.coalesce_copy(top, user, Mode::Coalesce)?;
    if !input.skip_schema_validation {
        engine.validate(top, values)?;
    }
    let mut charts = Rendering::default();
    charts.walk(&engine, top, values);
    let values = engine.heap.export(&Slot::of_map(values));
    if engine.heap.exhausted() {
        return Err(HelmError::new("values nest in themselves"));
    }
    charts.paths.sort_unstable();
    charts.paths.dedup();
    Ok(Merged {
        values,
        layers: stack.layers,
        charts: charts.paths,
        warnings: engine.warnings,
        collisions: stack.collisions,
        sub_values: charts.sub_values,
        user_values,
    })
}

fn check_installable(chart: &Chart, engine: &Engine<'_>) -> Result<(), HelmError> {
    if chart.library {
        return Err(HelmError::new("library charts are not installable"));
    }
    check_present(chart, engine)
}

/// Hands out layers and reads what they hold.
struct Stacker<'a> {
    helm: HelmVersion,
    trees: &'a Trees,
    layers: Vec<Layer>,
    collisions: Vec<Collision>,
}

impl Stacker<'_> {
    fn layer(&mut self, name: String, role: Role) -> LayerId {
        self.layers.push(Layer { name, role });
        LayerId(self.layers.len() as u32 - 1)
    }

    fn read(&mut self, tree: TreeId, layer: LayerId, of_chart: bool) -> Result<Value, HelmError> {
        let (value, mut collisions) = documents::read(self.trees, tree, layer, self.helm, of_chart)?;
        self.collisions.append(&mut collisions);
        Ok(value)
    }

    fn file(&mut self, file: &ValuesFile, role: Role) -> Result<Value, HelmError> {
        let layer = self.layer(file.name.clone(), role);
        self.read(file.tree, layer, false).map_err(|error| HelmError {
            message: format!("failed to parse {}: {}", file.name, error.message),
            ..error
        })
    }

    /// Subcharts' defaults rank below those of their parent.
    fn chart<'c>(&mut self, engine: &mut Engine<'c>, chart: &'c Chart) -> Result<usize, HelmError> {
        let mut children = Vec::with_capacity(chart.charts.len());
        for child in &chart.charts {
            children.push(self.chart(engine, child)?);
        }
        let values = match chart.values {
            None => engine.heap.made_up(),
            Some(tree) => {
                let layer = self.layer(chart.layer_name(), Role::ChartDefault);
                let value = self.read(tree, layer, true).map_err(|error| HelmError {
                    message: format!("cannot load values.yaml: {}", error.message),
                    ..error
                })?;
                engine.heap.import_map(value)
            }
        };
        let (name, dependencies) = (chart.name.clone(), Entry::all_of(chart));
        engine.charts.push(ChartNode { chart, name, values, dependencies, children: Vec::new(), parent: None });
        let id = engine.charts.len() - 1;
        engine.set_children(id, children);
        Ok(id)
    }

    fn user_values(&mut self, files: &[ValuesFile], flags: &[Flag]) -> Result<Value, HelmError> {
        let mut values = Value::default();
        for file in files {
            let overlay = self.file(file, Role::File)?;
            merge_files(&mut values, overlay);
        }
        let mut flags: Vec<&Flag> = flags.iter().collect();
        flags.sort_by_key(|flag| flag.kind);
        for flag in flags {
            let layer = self.layer(flag.name(), Role::Flag);
            flag::apply(flag, &mut values, layer, self.helm)?;
        }
        Ok(values)
    }
}

impl Engine<'_> {
    /// `top/charts/sub`.
    fn template_path(&self, chart: usize) -> String {
        let names = std::iter::successors(self.chart(chart), |node| self.chart(node.parent?));
        let mut names: Vec<&str> = names.map(|node| node.name.as_str()).collect();
        names.reverse();
        names.join("/charts/")
    }

    fn import_user(&mut self, values: Value) -> MapId {
        self.heap.import_map(values)
    }

    /// The user's values with those of the last release, as `helm upgrade` does it.
    fn reuse(
        &mut self,
        user: MapId,
        previous: Option<Value>,
        mode: UpgradeMode,
        old_chart: Option<usize>,
        top: Option<usize>,
    ) -> Result<MapId, HelmError> {
        let had_previous = previous.is_some();
        let config = match previous {
            Some(previous) => self.heap.import_map(previous),
            None => self.heap.made_up(),
        };
        match mode {
            UpgradeMode::Plain if self.heap.is_empty(user) && had_previous => return Ok(config),
            UpgradeMode::Plain | UpgradeMode::Reset => {}
            UpgradeMode::ResetThenReuse => self.under(user, config),
            UpgradeMode::Reuse => {
                if let (Some(old), Some(top)) = (old_chart, top) {
                    let stored = self.stored_values(old, config)?;
                    if let Some(node) = self.charts.get_mut(top) {
                        node.values = stored;
                    }
                }
                self.under(user, config);
            }
        }
        Ok(user)
    }

    /// `CoalesceTables(user, config)`; Helm leaves the user's nulls alone if nothing was stored.
    fn under(&mut self, user: MapId, config: MapId) {
        if !self.heap.is_empty(config) {
            let copy = self.heap.deep_copy(config);
            self.tables(user, copy, "", Mode::Coalesce, 0);
        }
    }

    /// What the last release kept as its chart's defaults (as its dependencies had rewritten them),
    /// under its user values. The charts below it are not stored.
    fn stored_values(&mut self, old: usize, config: MapId) -> Result<MapId, HelmError> {
        let warned = self.warnings.len();
        self.enable(old, config, "")?;
        self.import_values(old)?;
        // The old chart may be the same one; it was another object to Helm.
        self.renamed.clear();
        self.imported.clear();
        if let Some(node) = self.charts.get_mut(old) {
            node.children.clear();
        }
        let values = self.coalesce_copy(old, config, Mode::Coalesce);
        self.warnings.truncate(warned);
        values
    }
}

/// Which charts render, and what they see.
#[derive(Default)]
struct Rendering {
    paths: Vec<String>,
    sub_values: BTreeMap<String, Value>,
}

impl Rendering {
    fn walk(&mut self, engine: &Engine<'_>, chart: usize, values: MapId) {
        let Some(node) = engine.chart(chart) else {
            return;
        };
        if !node.chart.library {
            self.paths.push(engine.template_path(chart));
        }
        for &child in &node.children {
            let Some(name) = engine.chart(child).map(|child| child.name.as_str()) else {
                continue;
            };
            // Templates find their block by a dotted path, the merge by the name as a whole.
            let seen = engine.table(values, name).ok();
            let block = engine.heap.get(values, name).and_then(Slot::map);
            if seen != block {
                let value = seen.map_or_else(Value::default, |seen| engine.heap.export(&Slot::of_map(seen)));
                self.sub_values.insert(engine.template_path(child), value);
            }
            if let Some(seen) = seen.or(block) {
                self.walk(engine, child, seen);
            }
        }
    }
}
