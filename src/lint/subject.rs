//! What rules are shown: the project's stacks, objects and runner configs through their lenses.

use rustc_hash::FxHashMap;

use super::Options;
use crate::knowledge::Chart;
use crate::knowledge::gitlab_version::Minor;
use crate::project::{ConfigId, Document, File, Project, RunnerConfig, RunnerConfigHome, Stack};
use crate::syntax::NodeRef;
use crate::text::SourceId;
use crate::values::Value;
use crate::view;

/// Lenses that others look through.
#[derive(Debug)]
pub(super) struct Views<'a> {
    project: &'a Project,
    files: FxHashMap<SourceId, &'a File>,
    stacks: Vec<view::Stack<'a>>,
    objects: Vec<view::Object<'a>>,
    /// For each object, the number of the document that holds it.
    documents: Vec<usize>,
    embedded: Vec<view::Embedded<'a>>,
    pipelines: Vec<&'a Value>,
    workflows: Vec<&'a Value>,
    node_pools_closed: Option<bool>,
    gitlab_runner_version: Option<(u32, u32)>,
}

/// A runner config with what is known of its file.
#[derive(Debug)]
pub(super) struct RunnerConfigs<'v> {
    views: Vec<view::RunnerConfig<'v>>,
    /// For each, its number in the project.
    numbers: Vec<usize>,
}

/// A lens on one thing.
#[derive(Debug)]
pub(super) enum View<'v> {
    Stack(&'v view::Stack<'v>),
    ScaleSet(view::ScaleSet<'v>),
    Object(&'v view::Object<'v>),
    Pod(view::Pod<'v>),
    RunnerConfig(&'v view::RunnerConfig<'v>),
    Fleet(view::Fleet<'v>),
}

/// One thing to be judged.
#[derive(Debug)]
pub(super) struct Subject<'v> {
    pub(super) view: View<'v>,
    /// Whether it is an object rather than values or a file of its own.
    pub(super) in_object: bool,
    /// The configuration that applies.
    pub(super) config: Option<ConfigId>,
    /// The file to name when a rule fails on it.
    pub(super) source: Option<SourceId>,
}

impl Subject<'_> {
    /// Whether it is everything at once.
    pub(super) fn is_fleet(&self) -> bool {
        matches!(self.view, View::Fleet(_))
    }
}

impl<'a> Views<'a> {
    pub(super) fn new(project: &'a Project, options: &Options) -> Self {
        let said = || project.configs.first().and_then(|file| file.config.node_pools_closed);
        let (mut documents, mut objects) = (Vec::new(), Vec::new());
        for (number, document) in project.objects.iter().enumerate() {
            let found = view::Object::all(&document.value);
            documents.extend(found.iter().map(|_| number));
            objects.extend(found);
        }
        let files = files_of(project);
        Self {
            project,
            stacks: stack_views(project, &files),
            files,
            objects,
            documents,
            embedded: project.embedded.iter().map(embedded_view).collect(),
            pipelines: project.pipelines.iter().map(|document| &document.value).collect(),
            workflows: project.workflows.iter().map(|document| &document.value).collect(),
            node_pools_closed: options.node_pools_closed.or_else(said),
            gitlab_runner_version: options.gitlab_runner_version,
        }
    }

    /// The runner configs: they look through the stacks and objects.
    pub(super) fn runner_configs(&self) -> RunnerConfigs<'_> {
        let found =
            (0..self.project.runner_configs.len()).filter_map(|number| Some((number, self.runner_config(number)?)));
        let (numbers, views) = found.unzip();
        RunnerConfigs { views, numbers }
    }

    fn runner_config(&self, number: usize) -> Option<view::RunnerConfig<'_>> {
        let config = self.project.runner_configs.get(number)?;
        let home = match config.home {
            RunnerConfigHome::File => view::Home::File,
            RunnerConfigHome::Stack(stack, part) => {
                let part = part_view(self.project.stacks.get(stack)?, part)?;
                view::Home::Values(self.stacks.get(stack)?, part)
            }
            RunnerConfigHome::Object(document) => {
                let index = self.documents.iter().position(|&found| found == document)?;
                view::Home::Object(self.objects.get(index)?.clone())
            }
        };
        let file = self.config_of(config).and_then(|id| self.project.config(id));
        let said = self.gitlab_runner_version.or_else(|| file?.config.gitlab_runner_version);
        Some(view::RunnerConfig::new(home, config.document.tree, &config.document.value, said.map(Minor::from)))
    }

    /// Everything to be judged, in a fixed order.
    pub(super) fn subjects<'v>(&'v self, configs: &'v RunnerConfigs<'v>) -> Vec<Subject<'v>> {
        let mut subjects = Vec::new();
        self.stack_subjects(&mut subjects);
        self.object_subjects(&mut subjects);
        let runners = configs.numbers.iter().zip(&configs.views);
        subjects.extend(runners.filter_map(|(&number, view)| self.runner_subject(number, view)));
        subjects.push(Subject {
            view: View::Fleet(view::Fleet {
                stacks: &self.stacks,
                objects: &self.objects,
                runner_configs: &configs.views,
                embedded: &self.embedded,
                pipelines: &self.pipelines,
                workflows: &self.workflows,
                node_pools_closed: self.node_pools_closed,
                unread_node_sources: self.project.unread_node_sources,
                is_patched: self.project.is_patched,
                karpenter_install_in_view: self.project.karpenter_install_in_view,
            }),
            in_object: false,
            config: (!self.project.configs.is_empty()).then_some(ConfigId(0)),
            source: self.project.files.first().map(|file| file.source),
        });
        subjects
    }

    fn stack_subjects<'v>(&'v self, subjects: &mut Vec<Subject<'v>>) {
        for (stack, view) in self.project.stacks.iter().zip(&self.stacks).filter(|(stack, _)| self.wants(stack)) {
            let source = stack.sources.last().copied();
            let subject = |view| Subject { view, in_object: false, config: stack.config, source };
            subjects.push(subject(View::Stack(view)));
            subjects.extend(view::ScaleSet::of_stack(view).into_iter().map(View::ScaleSet).map(subject));
            subjects.extend(view::Pod::of_stack(view).into_iter().map(View::Pod).map(subject));
        }
    }

    fn object_subjects<'v>(&'v self, subjects: &mut Vec<Subject<'v>>) {
        for (&document, object) in self.documents.iter().zip(&self.objects) {
            let Some(document) = self.project.objects.get(document) else { continue };
            let file = self.files.get(&document.source);
            if !file.is_none_or(|file| file.wanted) {
                continue;
            }
            let config = file.and_then(|file| file.config);
            let subject = |view| Subject { view, in_object: true, config, source: Some(document.source) };
            subjects.push(subject(View::Object(object)));
            subjects.extend(view::ScaleSet::of_object(object).map(View::ScaleSet).map(subject));
            subjects.extend(view::Pod::of_object(object).into_iter().map(View::Pod).map(subject));
        }
    }

    fn runner_subject<'v>(&self, number: usize, view: &'v view::RunnerConfig<'v>) -> Option<Subject<'v>> {
        let config = self.project.runner_configs.get(number)?;
        let file = self.files.get(&config.document.source);
        let stack = match config.home {
            RunnerConfigHome::Stack(stack, _) => self.project.stacks.get(stack),
            _ => None,
        };
        let wanted = stack.map_or_else(|| file.is_none_or(|file| file.wanted), |stack| self.wants(stack));
        wanted.then_some(Subject {
            view: View::RunnerConfig(view),
            in_object: matches!(config.home, RunnerConfigHome::Object(_)),
            config: self.config_of(config),
            source: Some(config.document.source),
        })
    }

    /// The configuration that applies to a runner config.
    fn config_of(&self, config: &RunnerConfig) -> Option<ConfigId> {
        match config.home {
            RunnerConfigHome::Stack(stack, _) => self.project.stacks.get(stack)?.config,
            _ => self.files.get(&config.document.source)?.config,
        }
    }

    /// A stack is judged where one of its files was asked for; one from the command line always.
    fn wants(&self, stack: &Stack) -> bool {
        let wanted = |source: &SourceId| self.files.get(source).is_none_or(|file| file.wanted);
        stack.sources.is_empty() || stack.sources.iter().any(wanted)
    }
}

/// The values stacks of a project, as rules see them.
pub fn stacks(project: &Project) -> Vec<view::Stack<'_>> {
    stack_views(project, &files_of(project))
}

fn files_of(project: &Project) -> FxHashMap<SourceId, &File> {
    project.files.iter().map(|file| (file.source, file)).collect()
}

fn stack_views<'a>(project: &'a Project, files: &FxHashMap<SourceId, &File>) -> Vec<view::Stack<'a>> {
    let mut charts: FxHashMap<SourceId, Vec<Vec<Chart>>> = FxHashMap::default();
    for stack in project.stacks.iter().filter(|stack| stack.inlined.is_none()) {
        for source in &stack.sources {
            charts.entry(*source).or_default().push(charts_of(stack));
        }
    }
    let is_shared =
        |source: &&SourceId| charts.get(source).is_some_and(|all| all.iter().any(|of| Some(of) != all.first()));
    let tree = |source: &SourceId| files.get(source).map(|file| file.tree);
    let view = |stack: &'a Stack| view::Stack {
        files: whole_files(stack).filter_map(tree).collect(),
        shared: whole_files(stack).filter(is_shared).filter_map(tree).collect(),
        ..stack_view(project, stack)
    };
    project.stacks.iter().map(view).collect()
}

/// The files that are values as a whole.
fn whole_files(stack: &Stack) -> impl Iterator<Item = &SourceId> {
    stack.sources.iter().filter(|_| stack.inlined.is_none())
}

fn charts_of(stack: &Stack) -> Vec<Chart> {
    stack.parts.iter().map(|part| part.chart.chart).collect()
}

fn embedded_view((scalar, document): &(NodeRef, Document)) -> view::Embedded<'_> {
    view::Embedded { scalar: *scalar, value: &document.value }
}

fn stack_view<'a>(project: &'a Project, stack: &'a Stack) -> view::Stack<'a> {
    let sources = stack.sources.iter().filter_map(|&source| project.sources.get(source));
    view::Stack {
        name: &stack.name,
        merged: &stack.merged,
        parts: (0..stack.parts.len()).filter_map(|index| part_view(stack, index)).collect(),
        release: stack.release.as_deref(),
        namespace: stack.namespace.as_deref(),
        paths: sources.filter(|source| source.is_file).map(|source| source.name.as_str()).collect(),
        files: Vec::new(),
        shared: Vec::new(),
        is_marked: stack.is_marked,
        inlined: stack.inlined,
        helm: stack.helm,
        schema: stack.schema.as_ref(),
        templates: &stack.templates,
        siblings: stack.siblings.iter().filter_map(|&index| Some(&project.stacks.get(index)?.merged)).collect(),
    }
}

/// A known chart's block; none where the stack has no such block.
fn part_view(stack: &Stack, index: usize) -> Option<view::Part<'_>> {
    let part = stack.parts.get(index)?;
    let values = part.prefix.iter().try_fold(&stack.merged.values, |value: &Value, key| value.get(key))?;
    let settings = part.translated.as_ref().unwrap_or(values);
    Some(view::Part { chart: &part.chart, prefix: &part.prefix, values, settings })
}
