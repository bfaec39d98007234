//! Charts under stacks: from a folder or an archive, or from what is known of a chart.

use std::collections::BTreeMap;
use std::path::Path;

use rustc_hash::FxHashMap;
use semver::Version;

use super::{LoadError, relative, templates};
use crate::knowledge::{self, ChartRef};
use crate::syntax::{TreeId, Trees, yaml};
use crate::text::{Encoding, Sources};
use crate::values::Chart;

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

    /// Known charts in a chart. A dependency that is not vendored gets its built-in defaults, or is left out where
    /// there are none: Helm would refuse it, and that is no matter of values.
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
        let Chart { dependencies, charts, .. } = chart;
        for dependency in dependencies.iter().flatten() {
            if charts.iter().any(|loaded| loaded.name == dependency.name) {
                continue;
            }
            let Some(known) = knowledge::Chart::from_name(&dependency.name) else { continue };
            let reference = ChartRef { chart: known, version: Version::parse(&dependency.version).ok() };
            let defaults = self.defaults_of(&reference, sources, trees);
            // Of the experimental chart only the keys are known.
            let bare = || Chart { name: dependency.name.clone(), ..Chart::default() };
            let is_bare = known == knowledge::Chart::GhaRunnerScaleSetExperimental;
            if let Some(defaults) = defaults.or_else(|| is_bare.then(bare)) {
                charts.push(Chart { version: dependency.version.clone(), ..defaults });
            }
        }
        if let Some(dependencies) = dependencies {
            dependencies.retain(|dependency| charts.iter().any(|loaded| loaded.name == dependency.name));
        }
        for loaded in charts {
            let aliases = dependencies.iter().flatten().filter(|dependency| dependency.name == loaded.name);
            let keys: Vec<_> = aliases
                .map(|dependency| if dependency.alias.is_empty() { &dependency.name } else { &dependency.alias })
                .cloned()
                .collect();
            let keys = if keys.is_empty() { vec![loaded.name.clone()] } else { keys };
            for key in keys {
                prefix.push(key);
                parts.extend(self.parts_of(loaded, prefix, sources, trees));
                prefix.pop();
            }
        }
        parts
    }
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
