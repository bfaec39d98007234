//! Files into stacks, and stacks into merged values with what is embedded in them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::chart::{Below, Charts};
use super::classify::recognise;
use super::convention::{Candidate, Group, base_folder, groups};
use super::discover::absolute;
use super::load::Values;
use super::{
    ConfigId, File, FileKind, LoadError, Part, Project, Request, Stack, documents, inline, problems, relative,
    says_something,
};
use crate::config::{SetArgument, StackConfig, nearest};
use crate::syntax::{NodeRef, TreeId, embedded};
use crate::text::SourceId;
use crate::values::{Flag, FlagKind, HelmError, HelmVersion, Merged, StackInput, ValuesFile, merge};

/// How many siblings are evidence for a stack: more would say no more, and cost the square of their number.
const MAX_SIBLINGS: usize = 32;

/// A stack that is to be merged.
struct Plan {
    name: String,
    below: Below,
    files: Vec<ValuesFile>,
    sources: Vec<SourceId>,
    flags: Vec<Flag>,
    /// None: nobody says it.
    helm: Option<HelmVersion>,
    release: Option<String>,
    namespace: Option<String>,
    config: Option<ConfigId>,
    /// Plans with the same base are siblings.
    base: Option<PathBuf>,
    /// From the command line: what Helm refuses ends the run.
    explicit: bool,
    /// The arguments of `set` and so on in the `[[stack]]` that it comes from.
    set: Vec<SetArgument>,
    /// A layer that is there and cannot be read: nobody knows what these values come to.
    unread: Option<String>,
}

/// Groups the values files of a project into stacks, merges them, and reads the other documents.
pub(super) fn assemble(
    request: &Request,
    project: &mut Project,
    values: Values,
    skipped: BTreeSet<PathBuf>,
) -> Result<(), LoadError> {
    let by_path = project.files.iter().enumerate().map(|(index, file)| (file.path.clone(), index)).collect();
    let charts = Charts::default();
    let mut assembler = Assembler { request, project, values, skipped, charts, plans: Vec::new(), by_path };
    assembler.explicit()?;
    if !request.paths.is_empty() || request.only_stack.is_some() {
        assembler.configured();
    }
    if let Some(only) = &request.only_stack {
        assembler.chosen(only)?;
    } else if !request.paths.is_empty() {
        assembler.conventional();
    }
    let Assembler { plans, mut charts, .. } = assembler;
    let merged: Vec<Result<Merged, HelmError>> = plans.par_iter().map(|plan| run(plan, project)).collect();
    keep(project, plans, merged)?;
    documents::read(project);
    inline::add(request, project, &mut charts);
    Ok(())
}

fn run(plan: &Plan, project: &Project) -> Result<Merged, HelmError> {
    let input = StackInput {
        chart: plan.below.chart.as_ref(),
        files: &plan.files,
        flags: &plan.flags,
        helm: plan.helm.unwrap_or_default(),
        // A schema says no aloud: it is no silent failure.
        skip_schema_validation: true,
        ..StackInput::default()
    };
    merge(&input, &project.trees)
}

struct Assembler<'a> {
    request: &'a Request,
    project: &'a mut Project,
    values: Values,
    skipped: BTreeSet<PathBuf>,
    charts: Charts,
    plans: Vec<Plan>,
    /// Index of a file, by its path.
    by_path: FxHashMap<PathBuf, usize>,
}

impl Assembler<'_> {
    /// `-f …` on the command line.
    fn explicit(&mut self) -> Result<(), LoadError> {
        let Some(stack) = &self.request.stack else { return Ok(()) };
        let directory = self.request.directory.clone();
        let paths: Vec<_> = stack.files.iter().map(|name| absolute(&directory, Path::new(name))).collect();
        let mut flags = Vec::new();
        for (kind, text) in &stack.flags {
            flags.push(self.flag(*kind, text, &directory));
        }
        let below = match &stack.chart {
            Some(reference) => {
                let (by_path, Project { sources, trees, files, .. }) = (&self.by_path, &mut *self.project);
                let known = |name: &str| read_before(by_path, files, &directory, name);
                Some(self.charts.named(reference, &directory, &directory, &known, sources, trees)?)
            }
            None => self.chart_beside(paths.first()),
        };
        let config = paths.first().and_then(|path| self.file(path)).and_then(|file| file.2);
        let name = stack.files.join(",");
        let mut plan = self.plan(name, below, &paths, config);
        plan.flags = flags;
        plan.release.clone_from(&stack.release);
        plan.namespace.clone_from(&stack.namespace);
        plan.explicit = true;
        self.plans.push(plan);
        Ok(())
    }

    /// `[[stack]]` of the configurations.
    fn configured(&mut self) {
        for index in 0..self.project.configs.len() {
            let Some(config) = self.project.configs.get(index).cloned() else { continue };
            for stack in &config.config.stacks {
                if self.request.only_stack.as_ref().is_some_and(|only| stack.name.as_ref() != Some(only)) {
                    continue;
                }
                if let Err((at, message)) = self.configured_stack(ConfigId(index), &config.directory, stack) {
                    self.project.diagnostics.extend(problems::config(&self.project.trees, at, message));
                }
            }
        }
    }

    /// A stack that was asked for by its name must be there: else a slip of the pen is green.
    fn chosen(&self, only: &str) -> Result<(), LoadError> {
        let stacks = self.project.configs.iter().flat_map(|config| &config.config.stacks);
        let names: Vec<_> = stacks.filter_map(|stack| stack.name.as_deref()).collect();
        if names.contains(&only) {
            return Ok(());
        }
        let near = nearest(only, &names).map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
        Err(LoadError(format!("--stack: no configuration has a stack `{only}`{near}")))
    }

    /// An error says where in the configuration what is wrong.
    fn configured_stack(
        &mut self,
        id: ConfigId,
        directory: &Path,
        stack: &StackConfig,
    ) -> Result<(), (NodeRef, String)> {
        let paths: Vec<_> = stack.values.iter().map(|name| absolute(directory, Path::new(name))).collect();
        for (index, (path, name)) in paths.iter().zip(&stack.values).enumerate() {
            if !path.is_file() {
                return Err((stack.values_at(&self.project.trees, index), format!("`{name}` does not exist")));
            }
        }
        let mut flags = Vec::new();
        for argument in &stack.set {
            let kind = FlagKind::of_name(argument.flag).unwrap_or(FlagKind::Set);
            let flag = self.flag(kind, &argument.text, directory);
            let trees = &mut self.project.trees;
            if let Some(host) = embedded::host(trees, argument.at) {
                trees.embed(flag.tree, host);
            }
            flags.push(flag);
        }
        let below = match &stack.chart {
            Some(reference) => {
                let shown_from = self.request.directory.clone();
                let (by_path, Project { sources, trees, files, .. }) = (&self.by_path, &mut *self.project);
                let known = |name: &str| read_before(by_path, files, &shown_from, name);
                let below = self.charts.named(reference, directory, &shown_from, &known, sources, trees);
                Some(below.map_err(|LoadError(message)| (stack.at, message))?)
            }
            None => self.chart_beside(paths.first()),
        };
        let name = stack.name.clone().unwrap_or_else(|| stack.values.join(", "));
        let mut plan = self.plan(name, below, &paths, Some(id));
        plan.flags = flags;
        plan.release.clone_from(&stack.release);
        plan.namespace.clone_from(&stack.namespace);
        plan.base = paths.first().cloned();
        let defaults = stack.chart.iter().flat_map(|chart| chart_values(directory, chart));
        let defaults: Vec<_> = defaults.filter_map(|path| Some(self.file(&path)?.0)).collect();
        plan.sources.splice(..0, defaults);
        plan.set.clone_from(&stack.set);
        self.plans.push(plan);
        Ok(())
    }

    /// Stacks that the files' names announce.
    fn conventional(&mut self) {
        let taken = self.taken();
        let charts = self.chart_folders();
        let candidates: Vec<_> = self.candidates(&charts);
        for Group { base, overlays } in groups(&candidates, &taken) {
            let Some(base) = candidates.get(base).map(|candidate| candidate.path.clone()) else { continue };
            let folder = base.parent().unwrap_or(&base).to_path_buf();
            let is_default = charts.contains(&folder) && base.file_stem().is_some_and(|stem| stem == "values");
            let chart = if is_default { self.own_chart(&folder) } else { None };
            let overlays: Vec<_> = overlays
                .iter()
                .filter_map(|&index| candidates.get(index))
                .map(|overlay| overlay.path.clone())
                .collect();
            for layers in layers(&base, &overlays, chart.is_some()) {
                self.conventional_stack(&base, &layers, chart.clone());
            }
        }
    }

    fn conventional_stack(&mut self, base: &Path, layers: &[PathBuf], chart: Option<Below>) {
        let top = layers.last().map_or(base, PathBuf::as_path);
        let config = self.file(top).and_then(|file| file.2);
        let name = relative(top, &self.request.directory);
        let sources = self.file(base).map(|file| file.0);
        let mut plan = self.plan(name, chart, layers, config);
        plan.base = Some(base.to_path_buf());
        if layers.len() < 2 {
            plan.unread = self.unread_base(top);
        }
        plan.sources.extend(sources.filter(|source| !plan.sources.contains(source)));
        // Of files without a word nothing can be said: their values are given elsewhere.
        let mut trees = layers.iter().map(PathBuf::as_path).chain([base]).filter_map(|path| self.file(path));
        if trees.any(|(_, tree, _)| self.project.trees.get(tree).is_some_and(says_something)) {
            self.plans.push(plan);
        }
    }

    /// The base below an overlay that stands alone only because the base cannot be read.
    fn unread_base(&self, overlay: &Path) -> Option<String> {
        let folder = base_folder(overlay)?;
        let bases = ["values.yaml", "values.yml", "values.yaml.gotmpl"].map(|name| folder.join(name));
        let unread = bases.iter().find(|base| self.skipped.contains(*base))?;
        Some(relative(unread, &self.request.directory))
    }

    /// Files that a `[[stack]]` or `-f` names.
    fn taken(&self) -> BTreeSet<PathBuf> {
        let of_configs = self.project.configs.iter().flat_map(|config| {
            let charts = config.config.stacks.iter().filter_map(|stack| stack.chart.as_ref());
            let defaults = charts.flat_map(|chart| chart_values(&config.directory, chart));
            config.layers().chain(defaults)
        });
        let explicit = self.request.stack.iter().flat_map(|stack| &stack.files);
        of_configs.chain(explicit.map(|name| absolute(&self.request.directory, Path::new(name)))).collect()
    }

    /// Folders of charts.
    fn chart_folders(&self) -> BTreeSet<PathBuf> {
        let charts = self.project.files.iter().filter(|file| file.path.ends_with("Chart.yaml"));
        charts.filter_map(|file| file.path.parent()).map(Path::to_path_buf).collect()
    }

    fn candidates(&self, charts: &BTreeSet<PathBuf>) -> Vec<Candidate> {
        let is_read = |file: &&File| file.kind == FileKind::Values && !self.skipped.contains(&file.path);
        let files = self.project.files.iter().filter(is_read);
        // Values of a vendored subchart are part of the chart around it.
        let is_vendored = |path: &Path| {
            path.ancestors().any(|folder| {
                folder.file_name().is_some_and(|name| name == "charts")
                    && folder.parent().is_some_and(|parent| charts.contains(parent))
            })
        };
        files
            .filter(|file| !is_vendored(&file.path))
            .map(|file| Candidate {
                path: file.path.clone(),
                example: self.is_example(&file.path),
                chart: self.values.get(&file.tree).and_then(|value| match recognise(value).as_slice() {
                    [(chart, prefix)] if prefix.is_empty() => Some(*chart),
                    _ => None,
                }),
            })
            .collect()
    }

    /// Whether a file lies in a folder of examples below what was asked for.
    fn is_example(&self, path: &Path) -> bool {
        let tops = self.request.paths.iter().map(|top| absolute(&self.request.directory, top));
        let inside =
            tops.filter_map(|top| path.strip_prefix(top).ok()).min_by_key(|inside| inside.components().count());
        inside.unwrap_or(path).components().any(|part| part.as_os_str() == "examples")
    }

    /// The chart whose own `values.yaml` is the lowest file of a stack that names no chart.
    fn chart_beside(&mut self, lowest: Option<&PathBuf>) -> Option<Below> {
        let folder = lowest.filter(|path| path.ends_with("values.yaml"))?.parent()?.to_path_buf();
        folder.join("Chart.yaml").is_file().then(|| self.own_chart(&folder)).flatten()
    }

    fn own_chart(&mut self, folder: &Path) -> Option<Below> {
        let directory = self.request.directory.clone();
        let (by_path, Project { sources, trees, files, .. }) = (&self.by_path, &mut *self.project);
        let known = |name: &str| read_before(by_path, files, &directory, name);
        let read = self.charts.at_path(folder, &directory, &known, sources, trees);
        match read {
            Ok(below) => Some(below),
            Err(LoadError(message)) => {
                self.project.notes.push(message);
                None
            }
        }
    }

    fn plan(&mut self, name: String, below: Option<Below>, paths: &[PathBuf], config: Option<ConfigId>) -> Plan {
        let mut files = Vec::new();
        let mut sources = Vec::new();
        let mut unread = None;
        for path in paths {
            let name = relative(path, &self.request.directory);
            match self.file(path) {
                Some((source, tree, _)) => {
                    files.push(ValuesFile { name, tree });
                    sources.push(source);
                }
                None => unread = Some(name),
            }
        }
        let below = below.unwrap_or_else(|| self.marked(&files));
        let said = config.and_then(|id| self.project.config(id)).and_then(|file| file.config.helm_version.clone());
        let helm = self.request.helm_version.or_else(|| said.as_deref().and_then(HelmVersion::parse));
        Plan {
            name,
            below,
            files,
            sources,
            flags: Vec::new(),
            helm,
            release: None,
            namespace: None,
            config,
            base: None,
            explicit: false,
            set: Vec::new(),
            unread,
        }
    }

    /// The charts that the marks in any file of a stack name.
    fn marked(&mut self, files: &[ValuesFile]) -> Below {
        let mut found = Vec::new();
        for value in files.iter().filter_map(|file| self.values.get(&file.tree)) {
            for part in recognise(value) {
                if !found.contains(&part) {
                    found.push(part);
                }
            }
        }
        // Marks of two charts at one place: it is neither, or nobody knows.
        let unclear = |prefix: &[String]| found.iter().filter(|(_, other)| other == prefix).count() > 1;
        let clear: Vec<_> = found.iter().filter(|(_, prefix)| !unclear(prefix)).cloned().collect();
        let Project { sources, trees, .. } = &mut *self.project;
        self.charts.marked(&clear, sources, trees)
    }

    fn file(&self, path: &Path) -> Option<(SourceId, TreeId, Option<ConfigId>)> {
        let file = self.project.files.get(*self.by_path.get(path)?)?;
        Some((file.source, file.tree, file.config))
    }

    fn flag(&mut self, kind: FlagKind, text: &str, directory: &Path) -> Flag {
        let read = |name: &str| std::fs::read(absolute(directory, Path::new(name))).map_err(|error| error.to_string());
        let mut read = |name: &str| read(name).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        let Project { sources, trees, .. } = &mut *self.project;
        Flag::parse(kind, text, sources, trees, &mut read)
    }
}

/// Where the defaults of a chart in a folder stand.
fn chart_values(directory: &Path, chart: &str) -> Option<PathBuf> {
    let values = absolute(directory, Path::new(chart)).join("values.yaml");
    values.is_file().then_some(values)
}

/// The tree of a file, by the name that it is shown under.
fn read_before(by_path: &FxHashMap<PathBuf, usize>, files: &[File], directory: &Path, name: &str) -> Option<TreeId> {
    let index = by_path.get(&absolute(directory, Path::new(name)))?;
    files.get(*index).map(|file| file.tree)
}

/// The layers of each stack over a base: with a chart of its own the base is that chart's defaults.
fn layers(base: &Path, overlays: &[PathBuf], base_is_default: bool) -> Vec<Vec<PathBuf>> {
    let base: Vec<_> = if base_is_default { Vec::new() } else { vec![base.to_path_buf()] };
    if overlays.is_empty() {
        return vec![base];
    }
    overlays.iter().map(|overlay| base.iter().cloned().chain([overlay.clone()]).collect()).collect()
}

/// Keeps the stacks that were asked for: all that a wanted file takes part in.
fn keep(project: &mut Project, plans: Vec<Plan>, merged: Vec<Result<Merged, HelmError>>) -> Result<(), LoadError> {
    let wanted: BTreeSet<_> = project.files.iter().filter(|file| file.wanted).map(|file| file.source).collect();
    let mut bases = Vec::new();
    for (plan, merged) in plans.into_iter().zip(merged) {
        if !plan.explicit && !plan.sources.iter().any(|source| wanted.contains(source)) {
            continue;
        }
        if let Some(layer) = &plan.unread {
            project.notes.push(format!("{}: not judged: its layer `{layer}` cannot be read", plan.name));
            continue;
        }
        let merged = match merged {
            Ok(merged) => merged,
            Err(error) if plan.explicit => return Err(LoadError(error.message)),
            Err(error) => {
                // What is wrong with a file was said when it was read.
                let is_to_blame = |set: &&SetArgument| error.message.contains(&format!("parsing {} data", set.flag));
                let message = format!("Helm refuses these values: {error}");
                match plan.set.iter().find(is_to_blame) {
                    Some(set) => project.diagnostics.extend(problems::config(&project.trees, set.at, message)),
                    None => project.notes.push(format!("{}: {message}", plan.name)),
                }
                // No rule will see where they are cut short.
                let trees = plan.files.iter().filter_map(|file| project.trees.get(file.tree));
                project.diagnostics.extend(trees.flat_map(problems::syntax_of_rest));
                continue;
            }
        };
        bases.push(plan.base);
        let enabled = plan.below.parts.into_iter().filter(|(_, prefix)| is_enabled(&merged, prefix));
        let parts = enabled.map(|(chart, prefix)| Part::new(chart, prefix, &merged)).collect();
        project.stacks.push(Stack {
            name: plan.name,
            merged,
            parts,
            release: plan.release,
            namespace: plan.namespace,
            siblings: Vec::new(),
            sources: plan.sources,
            helm: plan.helm,
            schema: plan.below.chart.as_ref().and_then(|chart| serde_json::from_str(chart.schema.as_ref()?).ok()),
            is_marked: plan.below.is_marked,
            templates: plan.below.templates,
            inlined: None,
            config: plan.config,
        });
    }
    let mut same_base: BTreeMap<&PathBuf, Vec<usize>> = BTreeMap::new();
    for (index, base) in bases.iter().enumerate().filter_map(|(index, base)| Some((index, base.as_ref()?))) {
        same_base.entry(base).or_default().push(index);
    }
    let mut taking_part = BTreeSet::new();
    for (index, stack) in project.stacks.iter_mut().enumerate() {
        taking_part.extend(stack.sources.iter().copied());
        if let Some(others) = bases.get(index).and_then(Option::as_ref).and_then(|base| same_base.get(base)) {
            stack.siblings = others.iter().copied().filter(|&other| other != index).take(MAX_SIBLINGS).collect();
        }
    }
    for file in project.files.iter_mut().filter(|file| taking_part.contains(&file.source)) {
        file.wanted = true;
    }
    Ok(())
}

/// Whether the chart at a prefix renders; one whose chart is not in view does.
fn is_enabled(merged: &Merged, prefix: &[String]) -> bool {
    let Some(key) = prefix.last() else { return true };
    let ending = format!("/charts/{key}");
    merged.charts.is_empty() || merged.charts.iter().any(|path| path.ends_with(&ending))
}
