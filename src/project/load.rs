//! Reads what was asked for: files, their configurations, their trees.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::assemble::assemble;
use super::basis::{Basis, Listed, basis, listed};
use super::classify::{classify, is_object, is_ours_by_name};
use super::discover::{Files, Wish, absolute, discover, has_extension, neighbours};
use super::includes::included;
use super::patches;
use super::{ConfigChoice, ConfigFile, ConfigId, File, FileKind, LoadError, Project, Request, problems, relative};
use crate::config::Config;
use crate::rule::Meta;
use crate::syntax::{Dialect, Tree, TreeId, recognise, toml, yaml};
use crate::text::decode::{NotText, decode};
use crate::text::{Encoding, SourceId};
use crate::values::read::{Read, ReadError, read};
use crate::values::{LayerId, Value};

const CONFIG_NAMES: [&str; 2] = ["runnerlint.toml", ".runnerlint.toml"];

/// Reads and assembles everything that `request` names; `rules` are all that the configuration may name.
pub fn load(request: &Request, rules: &[&Meta]) -> Result<Project, LoadError> {
    let mut loader = Loader::new(request, rules);
    loader.listed = request.runner_releases.as_deref().map(|path| listed(&request.directory, path)).transpose()?;
    let found = discover(request)?;
    loader.project.searched = found.searched;
    loader.project.unread_node_sources = found.terraform;
    let mut files = found.files;
    loader.configure(&files)?;
    loader.layers = loader.project.configs.iter().flat_map(ConfigFile::layers).collect();
    loader.add_companions(&mut files);
    loader.exclude(&mut files);
    loader.read(files)?;
    let (values, skipped) = (std::mem::take(&mut loader.values), std::mem::take(&mut loader.skipped));
    let mut project = loader.project;
    assemble(request, &mut project, values, skipped)?;
    Ok(project)
}

/// The first documents of values files, by their tree.
pub(super) type Values = FxHashMap<TreeId, Value>;

struct Loader<'a> {
    request: &'a Request,
    rules: &'a [&'a Meta],
    project: Project,
    /// `--runner-releases`.
    listed: Option<Listed>,
    /// The configuration of a folder.
    by_folder: FxHashMap<PathBuf, Option<ConfigId>>,
    values: Values,
    /// Files that a `[[stack]]` names.
    layers: BTreeSet<PathBuf>,
    /// Files that are there and that nobody can read: encrypted, templates, no text.
    skipped: BTreeSet<PathBuf>,
}

/// A file as it came from the disk.
struct Raw {
    path: PathBuf,
    wish: Wish,
    text: Result<(Arc<str>, Encoding), Unread>,
}

/// A text that became a source.
type Accepted = (PathBuf, Wish, SourceId, Arc<str>);

/// Why there is no text.
enum Unread {
    Failed(String),
    NotText(NotText, Arc<str>),
}

/// A file that was parsed.
struct Parsed {
    path: PathBuf,
    wish: Wish,
    source: SourceId,
    tree: Tree,
}

impl<'a> Loader<'a> {
    fn new(request: &'a Request, rules: &'a [&'a Meta]) -> Self {
        Self {
            request,
            rules,
            project: Project::default(),
            listed: None,
            by_folder: FxHashMap::default(),
            values: Values::default(),
            layers: BTreeSet::new(),
            skipped: BTreeSet::new(),
        }
    }

    /// Finds the configuration of each file's folder.
    fn configure(&mut self, files: &Files) -> Result<(), LoadError> {
        if let ConfigChoice::File(path) = &self.request.config {
            let full = absolute(&self.request.directory, path);
            let text = read_text(&full).map_err(|why| LoadError(format!("cannot read `{}`: {why}", path.display())))?;
            self.add_config(&full, text);
            return Ok(());
        }
        // Files on the command line of an explicit stack have the folder's configuration, too.
        let own = self.request.directory.clone();
        let folders = files.keys().filter_map(|path| path.parent()).map(Path::to_path_buf).chain([own]);
        for folder in folders.collect::<Vec<_>>() {
            self.config_of(&folder);
        }
        // A lock beside a configuration is that configuration's.
        let own = self.request.directory.clone();
        let own = (self.request.config == ConfigChoice::Nearest && self.config_of(&own).is_none()).then_some(own);
        self.project.basis = self.basis(own.as_deref());
        Ok(())
    }

    /// What is judged by where the lock lies in a folder, if there may be one.
    fn basis(&mut self, folder: Option<&Path>) -> Basis {
        basis(&mut self.project, &self.request.directory, folder, self.listed.as_ref())
    }

    fn config_of(&mut self, folder: &Path) -> Option<ConfigId> {
        match self.request.config {
            ConfigChoice::None => return None,
            ConfigChoice::File(_) => return Some(ConfigId(0)),
            ConfigChoice::Nearest => {}
        }
        if let Some(known) = self.by_folder.get(folder) {
            return *known;
        }
        let own = CONFIG_NAMES.iter().map(|name| folder.join(name)).find(|path| path.is_file());
        let id = match own {
            Some(path) => match read_text(&path) {
                Ok(text) => Some(self.add_config(&path, text)),
                Err(why) => {
                    let name = relative(&path, &self.request.directory);
                    let source = self.project.sources.add(name, "", Encoding::Utf8, true);
                    self.project.diagnostics.push(problems::unreadable(source, 0, why));
                    None
                }
            },
            None => folder.parent().and_then(|parent| self.config_of(parent)),
        };
        self.by_folder.insert(folder.to_path_buf(), id);
        id
    }

    fn add_config(&mut self, path: &Path, text: Arc<str>) -> ConfigId {
        let name = relative(path, &self.request.directory);
        let source = self.project.sources.add(name, Arc::clone(&text), Encoding::Utf8, true);
        let tree = self.project.trees.add(toml::parse(text, source));
        let (config, found) = Config::read(&self.project.trees, tree, self.rules);
        self.project.diagnostics.extend(found);
        let directory = path.parent().unwrap_or(path).to_path_buf();
        let basis = self.basis(Some(&directory));
        self.project.configs.push(ConfigFile { directory, source, tree, config, basis });
        ConfigId(self.project.configs.len() - 1)
    }

    /// Adds what named files need to be judged: the other files of their stacks, and neighbours for the convention.
    fn add_companions(&self, files: &mut Files) {
        let context = Wish { named: false, wanted: false };
        let named: Vec<_> = files.iter().filter(|(_, wish)| wish.named).map(|(path, _)| path.clone()).collect();
        for path in named.iter().flat_map(|path| neighbours(path)) {
            files.entry(path).or_insert(context);
        }
        for config in &self.project.configs {
            // A folder that was searched with its configuration: its stacks are asked for, wherever their files lie.
            let tops = self.request.paths.iter().map(|path| absolute(&self.request.directory, path));
            let wanted = tops.into_iter().any(|top| config.directory.starts_with(top));
            for name in config.config.stacks.iter().flat_map(|stack| &stack.values) {
                let path = absolute(&config.directory, Path::new(name));
                if path.is_file() {
                    files.entry(path).or_insert(Wish { named: false, wanted });
                }
            }
        }
    }

    fn exclude(&mut self, files: &mut Files) {
        let all: Vec<_> = files.iter().filter(|(_, wish)| !wish.named).map(|(path, _)| path.clone()).collect();
        for path in all {
            let config = path.parent().and_then(|folder| self.config_of(folder)).and_then(|id| self.project.config(id));
            let excluded = config.is_some_and(|config| {
                config.config.excludes(&relative(&path, &config.directory))
                    || CONFIG_NAMES.iter().any(|name| path.ends_with(name))
            });
            if excluded && self.layers.contains(&path) {
                // Not asked for, and yet the stack is no stack without it.
                files.insert(path, Wish { named: false, wanted: false });
            } else if excluded {
                files.remove(&path);
            }
        }
    }

    fn read(&mut self, files: Files) -> Result<(), LoadError> {
        let raw: Vec<Raw> =
            files.into_par_iter().map(|(path, wish)| Raw { text: read_raw(&path), path, wish }).collect();
        let mut texts = Vec::new();
        for raw in raw {
            if let Some(text) = self.accept(raw)? {
                texts.push(text);
            }
        }
        if let Some((name, bytes)) = &self.request.stdin {
            let path = absolute(&self.request.directory, Path::new(name));
            let wish = Wish { named: true, wanted: true };
            let text = to_text(bytes.clone());
            texts.extend(self.accept(Raw { path, wish, text })?);
        }
        let parsed: Vec<Parsed> = texts.into_par_iter().map(parse).collect();
        for file in parsed {
            self.add(file);
        }
        // Stdin came last.
        self.project.files.sort_by(|one, other| one.path.cmp(&other.path));
        self.add_included();
        self.mark_patches();
        Ok(())
    }

    /// A text becomes a source; what is none is said.
    fn accept(&mut self, raw: Raw) -> Result<Option<Accepted>, LoadError> {
        let name = relative(&raw.path, &self.request.directory);
        if raw.text.is_err() {
            self.skipped.insert(raw.path.clone());
        }
        match raw.text {
            Ok((text, encoding)) => {
                let source = self.project.sources.add(name, Arc::clone(&text), encoding, true);
                return Ok(Some((raw.path, raw.wish, source, text)));
            }
            Err(Unread::Failed(why)) if raw.wish.named => {
                return Err(LoadError(format!("cannot read `{name}`: {why}")));
            }
            Err(Unread::Failed(why)) => {
                let source = self.project.sources.add(name, "", Encoding::Utf8, true);
                self.project.diagnostics.push(problems::unreadable(source, 0, why));
            }
            Err(Unread::NotText(why, before))
                if !why.is_expected() && (raw.wish.named || is_ours_by_name(&raw.path)) =>
            {
                let end = before.len();
                let source = self.project.sources.add(name, before, Encoding::Utf8, true);
                self.project.diagnostics.push(problems::unreadable(source, end, why.to_string()));
            }
            Err(Unread::NotText(why, _)) => self.project.notes.push(format!("{name}: skipped: {why}")),
        }
        Ok(None)
    }

    fn add(&mut self, file: Parsed) {
        let Parsed { path, wish, source, tree } = file;
        let name = relative(&path, &self.request.directory);
        if recognise::is_template_name(&name) || (!tree.errors.is_empty() && recognise::is_template(&tree.text)) {
            self.project.unread_node_sources |= tree.text.contains("karpenter.sh/v1");
            self.project.notes.push(format!("{name}: skipped: {TEMPLATE}"));
            self.skipped.insert(path);
            return;
        }
        if tree.root().is_some_and(recognise::is_sops) {
            self.project.notes.push(format!("{name}: encrypted by SOPS: its values are not known"));
        }
        let id = self.project.trees.add(tree);
        let folder = path.parent().map(Path::to_path_buf);
        let config = folder.and_then(|folder| self.config_of(&folder));
        let first = self.first_document(id);
        let kind = self.kind(&path, id, first.as_ref().and_then(|first| first.as_ref().ok()).map(|read| &read.value));
        self.report(&path, id, kind, wish, first.as_ref());
        if let Some(Ok(read)) = first {
            self.values.insert(id, read.value);
        }
        self.project.files.push(File { source, tree: id, kind, path, config, wanted: wish.wanted, is_patch: false });
    }

    fn kind(&self, path: &Path, id: TreeId, value: Option<&Value>) -> FileKind {
        let is_rendered = self.request.rendered.iter().any(|name| absolute(&self.request.directory, name) == path)
            || (self.request.stdin_is_rendered && self.is_stdin(path));
        let in_stack = self.request.stack.iter().flat_map(|stack| &stack.files);
        let is_explicit = in_stack.into_iter().any(|name| absolute(&self.request.directory, Path::new(name)) == path);
        match self.project.trees.get(id) {
            _ if is_rendered => FileKind::Manifest,
            _ if is_explicit || self.layers.contains(path) => FileKind::Values,
            Some(tree) => classify(path, tree, value),
            None => FileKind::Other,
        }
    }

    /// Files that only a pipeline's `include` tells for what they are.
    fn add_included(&mut self) {
        for index in included(&self.project.files, &self.project.trees) {
            let Some(file) = self.project.files.get_mut(index) else { continue };
            file.kind = FileKind::Pipeline;
            let (path, tree, wanted) = (file.path.clone(), file.tree, file.wanted);
            let skipped = format!("{}: skipped: ", relative(&path, &self.request.directory));
            self.project.notes.retain(|note| !note.starts_with(&skipped));
            self.report(&path, tree, FileKind::Pipeline, Wish { named: false, wanted }, None);
        }
    }

    fn mark_patches(&mut self) {
        self.project.is_patched = patches::any(&self.project.files, &self.project.trees);
        for index in patches::patches(&self.project.files, &self.project.trees) {
            if let Some(file) = self.project.files.get_mut(index) {
                file.is_patch = true;
            }
        }
    }

    fn is_stdin(&self, path: &Path) -> bool {
        self.request.stdin.as_ref().is_some_and(|(name, _)| absolute(&self.request.directory, Path::new(name)) == path)
    }

    /// The first document of a YAML file that may hold values.
    fn first_document(&self, id: TreeId) -> Option<Result<Read, ReadError>> {
        let tree = self.project.trees.get(id)?;
        let root = tree.root().filter(|root| root.kind().is_map() && !is_object(*root))?;
        (tree.language == crate::syntax::Language::Yaml).then(|| read(tree, id, root.id, Dialect::Helm, LayerId(0)))
    }

    /// What is wrong with the file itself, if it is of a kind that we lint.
    fn report(&mut self, path: &Path, id: TreeId, kind: FileKind, wish: Wish, first: Option<&Result<Read, ReadError>>) {
        let project = &mut self.project;
        let Some(tree) = project.trees.get(id) else { return };
        if kind == FileKind::RunnerConfig || (kind == FileKind::Other && !is_ours_by_name(path)) {
            let broken = kind == FileKind::Other && !tree.errors.is_empty();
            if broken || (wish.named && kind == FileKind::Other) {
                let name = relative(path, &self.request.directory);
                let why =
                    if broken { "it does not parse, and nothing says what it is" } else { "of no kind that is linted" };
                project.notes.push(format!("{name}: skipped: {why}"));
            }
            return;
        }
        let mut found: Vec<_> = match kind {
            FileKind::Values => problems::syntax_of_values(tree).collect(),
            _ => problems::syntax(tree).collect(),
        };
        found.extend(problems::duplicates(&project.trees, id));
        match first {
            // `{{ x }}` is YAML as well, for a map that has a map for a key.
            Some(Err(_)) if kind == FileKind::Values && recognise::is_template(&tree.text) => {
                project.notes.push(format!("{}: skipped: {TEMPLATE}", relative(path, &self.request.directory)));
                self.skipped.insert(path.to_owned());
                return;
            }
            Some(Err(error)) if kind == FileKind::Values => found.push(problems::refused(tree, error.clone())),
            Some(Ok(read)) if kind == FileKind::Values => {
                // Keys such as `1` and `"1"` are two in YAML: which of them wins is the truth to tell.
                let collide = |two| problems::collision(&project.trees, two);
                let collisions: Vec<_> = read.collisions.iter().filter_map(collide).collect();
                let known: BTreeSet<_> = collisions.iter().filter_map(problems::place).collect();
                found.retain(|old| problems::place(old).is_none_or(|at| !known.contains(&at)));
                found.extend(collisions);
            }
            _ => {}
        }
        project.diagnostics.extend(found);
    }
}

/// Why a text with markup in the place of values is not read.
const TEMPLATE: &str = "a template, to be rendered first";

fn parse((path, wish, source, text): Accepted) -> Parsed {
    let is_toml = has_extension(&path, &["toml"]);
    let tree = if is_toml { toml::parse(text, source) } else { yaml::parse(text, source) };
    Parsed { path, wish, source, tree }
}

fn read_raw(path: &Path) -> Result<(Arc<str>, Encoding), Unread> {
    let size = std::fs::metadata(path).map_err(|error| Unread::Failed(error.to_string()))?.len();
    if size > crate::text::decode::MAX_BYTES as u64 {
        let size = usize::try_from(size).unwrap_or(usize::MAX);
        return Err(Unread::NotText(NotText::TooLarge(size), "".into()));
    }
    to_text(std::fs::read(path).map_err(|error| Unread::Failed(error.to_string()))?)
}

fn to_text(bytes: Vec<u8>) -> Result<(Arc<str>, Encoding), Unread> {
    let kept = bytes.clone();
    match decode(bytes) {
        Ok(text) => Ok((text.text.into(), text.encoding)),
        Err(why) => {
            let end = if let NotText::InvalidUtf8(at) = why { at } else { 0 };
            let before = kept.get(..end).map(|before| String::from_utf8_lossy(before).into_owned());
            Err(Unread::NotText(why, before.unwrap_or_default().into()))
        }
    }
}

/// The text of a file that is no input of the linter: a baseline.
pub fn read_file(directory: &Path, path: &Path) -> Result<Arc<str>, LoadError> {
    let failed = |why| LoadError(format!("cannot read `{}`: {why}", path.display()));
    read_text(&absolute(directory, path)).map_err(failed)
}

pub(super) fn read_text(path: &Path) -> Result<Arc<str>, String> {
    match read_raw(path) {
        Ok((text, _)) => Ok(text),
        Err(Unread::Failed(why)) => Err(why),
        Err(Unread::NotText(why, _)) => Err(why.to_string()),
    }
}
