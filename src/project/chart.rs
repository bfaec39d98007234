//! Charts under stacks: from a folder or an archive, or from what is known of a chart.

use std::collections::BTreeMap;
use std::path::Path;

use rustc_hash::FxHashMap;
use semver::Version;

use super::{LoadError, relative, templates};
use crate::knowledge::{self, ChartRef, known_versions};
use crate::syntax::{TreeId, Trees, yaml};
use crate::text::{Encoding, Sources};
use crate::values::{Chart, Dependency, version_in};

/// Files of a chart that say something of its values, and how deep charts nest.
const FILES: [&str; 4] = ["Chart.yaml", "requirements.yaml", "values.yaml", "values.schema.json"];
const MAX_NESTING: usize = 8;
const MAX_ARCHIVE: u64 = 64 << 20;

/// A chart with the known charts in it.
#[derive(Debug, Clone, Default)]
pub(super) struct Below {
    /// The defaults; none where they are unknown.
    pub chart: Option<Chart>,
    /// Known charts with the keys that lead to them.
    pub parts: Vec<(ChartRef, Vec<String>)>,
    /// Whether only marks tell the charts.
    pub is_marked: bool,
    /// The lines of the chart's own templates that name values.
    pub templates: String,
}

/// Reads charts, each once.
#[derive(Debug, Default)]
pub(super) struct Charts {
    defaults: FxHashMap<(&'static str, String), Option<Chart>>,
}

impl Charts {
    /// What `--chart REF` and `chart = "REF"` mean: an existing path or `./…`, else a known name with an optional
    /// version. An unknown name means that the defaults are unknown. `known` is that of [`Charts::at_path`].
    pub(super) fn named(
        &mut self,
        reference: &str,
        directory: &Path,
        shown_from: &Path,
        known: &dyn Fn(&str) -> Option<TreeId>,
        sources: &mut Sources,
        trees: &mut Trees,
    ) -> Result<Below, LoadError> {
        let path = super::discover::absolute(directory, Path::new(reference));
        if path.exists() {
            return self.at_path(&path, shown_from, known, sources, trees);
        }
        if reference.starts_with('.') || reference.starts_with('/') {
            return Err(LoadError(format!("cannot read the chart `{reference}`: no such file or folder")));
        }
        let (name, version) =
            reference.split_once('@').map_or((reference, None), |(name, version)| (name, Some(version)));
        let name = name.rsplit('/').next().unwrap_or(name);
        let Some(chart) = knowledge::Chart::from_name(name) else { return Ok(Below::default()) };
        let version = match version.map(|version| Version::parse(version.trim_start_matches('v'))) {
            None => None,
            Some(Ok(version)) => Some(version),
            Some(Err(error)) => {
                return Err(LoadError(format!("the version of the chart `{reference}` is no version: {error}")));
            }
        };
        let reference = ChartRef { chart, version };
        let below = self.defaults_of(&reference, sources, trees);
        Ok(Below { chart: below, parts: vec![(reference, Vec::new())], ..Below::default() })
    }

    /// The chart in a folder or archive. `known` gives trees that were read before, by the name of the source.
    pub(super) fn at_path(
        &mut self,
        path: &Path,
        shown_from: &Path,
        known: &dyn Fn(&str) -> Option<TreeId>,
        sources: &mut Sources,
        trees: &mut Trees,
    ) -> Result<Below, LoadError> {
        let shown = relative(path, shown_from);
        let refused = |error: crate::values::HelmError| LoadError(format!("cannot read the chart `{shown}`: {error}"));
        let mut chart = if path.is_dir() {
            let folder = if shown == "." { "" } else { shown.as_str() };
            Chart::load_with(&read_folder(path, 0), folder, true, known, sources, trees).map_err(refused)?
        } else {
            let files = Chart::unpack(&read_archive(path)?).map_err(refused)?;
            Chart::load_with(&files, &shown, false, known, sources, trees).map_err(refused)?
        };
        let parts = self.parts_of(&mut chart, &mut Vec::new(), sources, trees);
        let templates = if parts.is_empty() { String::new() } else { templates::lines(path) };
        Ok(Below { chart: Some(chart), parts, is_marked: false, templates })
    }

    /// Built-in defaults of a known chart.
    pub(super) fn defaults_of(
        &mut self,
        reference: &ChartRef,
        sources: &mut Sources,
        trees: &mut Trees,
    ) -> Option<Chart> {
        let (version, text) = knowledge::defaults(reference)?;
        let name = reference.chart.name();
        let entry = self.defaults.entry((name, version.to_string()));
        let made = entry.or_insert_with(|| {
            let source = sources.add(format!("chart:{name}@{version}"), text, Encoding::Utf8, false);
            let tree = trees.add(yaml::parse(text.into(), source));
            Some(Chart::of_defaults(name, &version.to_string(), tree))
        });
        made.clone()
    }

    /// Known charts in blocks that nothing but their marks announces: an umbrella over them.
    pub(super) fn marked(
        &mut self,
        found: &[(knowledge::Chart, Vec<String>)],
        sources: &mut Sources,
        trees: &mut Trees,
    ) -> Below {
        let mut below = Below { is_marked: true, ..Below::default() };
        let mut blocks = Vec::new();
        for (chart, prefix) in found {
            let reference = ChartRef { chart: *chart, version: None };
            let defaults = self.defaults_of(&reference, sources, trees);
            below.parts.push((reference, prefix.clone()));
            match (defaults, prefix.last()) {
                (Some(defaults), None) => below.chart = Some(defaults),
                (Some(defaults), Some(key)) => blocks.push(Chart { name: key.clone(), ..defaults }),
                (None, _) => {}
            }
        }
        if !blocks.is_empty() {
            below.chart = Some(Chart { name: "umbrella".to_owned(), charts: blocks, ..Chart::default() });
        }
        below
    }

    /// Known charts in a chart. Dependencies that are neither vendored nor known are left out: Helm would refuse
    /// them, and that is no matter of values.
    fn parts_of(
        &mut self,
        chart: &mut Chart,
        prefix: &mut Vec<String>,
        sources: &mut Sources,
        trees: &mut Trees,
    ) -> Vec<(ChartRef, Vec<String>)> {
        let mut parts = Vec::new();
        if let Some(known) = knowledge::Chart::from_name(&chart.name) {
            parts.push((ChartRef { chart: known, version: Version::parse(&chart.version).ok() }, prefix.clone()));
        }
        if prefix.len() > MAX_NESTING {
            return parts;
        }
        let stand_ins = self.stand_ins(chart, sources, trees);
        let vendored = chart.charts.len() - stand_ins.len();
        let Chart { dependencies, charts, .. } = chart;
        if let Some(dependencies) = dependencies {
            dependencies.retain(|dependency| charts.iter().any(|loaded| loaded.name == dependency.name));
        }
        for (index, loaded) in charts.iter_mut().enumerate() {
            let stand_in = index.checked_sub(vendored).and_then(|index| stand_ins.get(index));
            for key in keys_of(loaded, dependencies.as_deref().unwrap_or_default(), stand_in.is_some()) {
                prefix.push(key);
                match stand_in {
                    Some(reference) => parts.push((reference.clone(), prefix.clone())),
                    None => parts.extend(self.parts_of(loaded, prefix, sources, trees)),
                }
                prefix.pop();
            }
        }
        parts
    }

    /// Adds what is known of the dependencies that are not vendored: their built-in defaults, or nothing but the name.
    fn stand_ins(&mut self, chart: &mut Chart, sources: &mut Sources, trees: &mut Trees) -> Vec<ChartRef> {
        let (mut stand_ins, vendored) = (Vec::new(), chart.charts.len());
        for dependency in chart.dependencies.iter().flatten() {
            let is_there = |(index, loaded): (usize, &Chart)| match index < vendored {
                true => loaded.name == dependency.name,
                false => dependency.takes(loaded),
            };
            let Some(known) = knowledge::Chart::from_name(&dependency.name) else { continue };
            if chart.charts.iter().enumerate().any(is_there) {
                continue;
            }
            let reference = ChartRef::said(known, &dependency.version);
            let of_range = version_in(&dependency.version, known_versions(known).iter().rev());
            let version = of_range.map_or_else(|| dependency.version.clone(), |version| version.to_string());
            let defaults = self.defaults_of(&reference, sources, trees).unwrap_or_default();
            chart.charts.push(Chart { name: dependency.name.clone(), version, ..defaults });
            stand_ins.push(reference);
        }
        stand_ins
    }
}

/// The keys that a chart's values have in those of the chart around it.
fn keys_of(loaded: &Chart, dependencies: &[Dependency], is_stand_in: bool) -> Vec<String> {
    let names = |dependency: &&Dependency| match is_stand_in {
        true => dependency.takes(loaded),
        false => dependency.name == loaded.name,
    };
    let key = |dependency: &Dependency| match dependency.alias.as_str() {
        "" => dependency.name.clone(),
        alias => alias.to_owned(),
    };
    let keys: Vec<_> = dependencies.iter().filter(names).map(key).collect();
    if keys.is_empty() { vec![loaded.name.clone()] } else { keys }
}

/// The files of a chart's folder that matter for values, with `charts/` below it.
pub fn read_folder(folder: &Path, nesting: usize) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    for name in FILES {
        if let Ok(bytes) = std::fs::read(folder.join(name)) {
            files.insert(name.to_owned(), bytes);
        }
    }
    let charts = folder.join("charts");
    if nesting >= MAX_NESTING || !charts.is_dir() {
        return files;
    }
    for entry in std::fs::read_dir(&charts).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = entry.path();
        if path.is_dir() {
            let inner = read_folder(&path, nesting + 1);
            if inner.is_empty() && std::fs::read_dir(&path).is_ok_and(|mut inside| inside.next().is_some()) {
                files.insert(format!("charts/{name}"), Vec::new());
            }
            files.extend(inner.into_iter().map(|(file, bytes)| (format!("charts/{name}/{file}"), bytes)));
        } else if name.ends_with(".tgz") {
            files.extend(read_archive(&path).map(|bytes| (format!("charts/{name}"), bytes)));
        } else {
            // No chart at all, but Helm takes it for one.
            files.insert(format!("charts/{name}"), Vec::new());
        }
    }
    files
}

pub(super) fn read_archive(path: &Path) -> Result<Vec<u8>, LoadError> {
    let refused = |why: String| LoadError(format!("cannot read the chart `{}`: {why}", path.display()));
    let size = std::fs::metadata(path).map_err(|error| refused(error.to_string()))?.len();
    if size > MAX_ARCHIVE {
        return Err(refused(format!("the archive has {size} bytes")));
    }
    std::fs::read(path).map_err(|error| refused(error.to_string()))
}
