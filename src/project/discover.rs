//! Which files there are: walks folders, keeps what was named, finds what belongs to it.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use ignore::WalkBuilder;

use super::{LoadError, Request};

/// Extensions of what is read; others are never opened.
const EXTENSIONS: [&str; 3] = ["yaml", "yml", "toml"];
/// Extensions of what makes nodes and is not read.
const TERRAFORM: [&str; 2] = ["tf", "tofu"];

/// A file to be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Wish {
    /// Named itself on the command line: it must be readable, and is read whatever it is called.
    pub named: bool,
    /// Its findings are asked for.
    pub wanted: bool,
}

/// Files to be read, by absolute path.
pub(super) type Files = BTreeMap<PathBuf, Wish>;

/// What a search found.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// Files to be read.
    pub files: Files,
    /// Whether a folder was searched.
    pub searched: bool,
    /// Whether a file that is not read may define nodes.
    pub terraform: bool,
}

/// Files under the paths of a request.
pub(super) fn discover(request: &Request) -> Result<Found, LoadError> {
    let mut found = Found::default();
    for path in &request.paths {
        let full = absolute(&request.directory, path);
        if full.is_dir() {
            found.searched = true;
            walk(&full, &mut found);
        } else if full.is_file() {
            found.files.insert(full, Wish { named: true, wanted: true });
        } else {
            return Err(LoadError(format!("cannot read `{}`: no such file or folder", path.display())));
        }
    }
    let explicit = request.stack.iter().flat_map(|stack| stack.files.iter().map(PathBuf::from));
    for path in explicit.chain(request.rendered.iter().cloned()) {
        let full = absolute(&request.directory, &path);
        if request.stdin.as_ref().is_some_and(|(name, _)| Path::new(name) == path) {
            continue;
        }
        if !full.is_file() {
            return Err(LoadError(format!("cannot read `{}`: no such file", path.display())));
        }
        found.files.insert(full, Wish { named: true, wanted: true });
    }
    Ok(found)
}

fn walk(top: &Path, found: &mut Found) {
    let mut builder = WalkBuilder::new(top);
    builder.hidden(false).require_git(false).follow_links(false);
    builder.filter_entry(|entry| entry.file_name() != ".git");
    for entry in builder.build().flatten() {
        if !entry.file_type().is_some_and(|kind| kind.is_file()) {
            continue;
        }
        let path = entry.into_path();
        if has_extension(&path, &TERRAFORM) {
            found.terraform = true;
        } else if has_extension(&path, &EXTENSIONS) || is_template(&path) {
            found.files.entry(path).or_insert(Wish { named: false, wanted: true });
        }
    }
}

fn is_template(path: &Path) -> bool {
    let name = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    crate::syntax::recognise::is_template_name(&name) && name.contains("values")
}

pub(super) fn has_extension(path: &Path, extensions: &[&str]) -> bool {
    path.extension().is_some_and(|found| extensions.iter().any(|extension| found == *extension))
}

/// Files near a named one that may form a stack with it: values files in its folder, and the base of
/// `environments/<env>/values.yaml`.
pub(super) fn neighbours(file: &Path) -> Vec<PathBuf> {
    let mut near = Vec::new();
    let Some(folder) = file.parent() else { return near };
    near.extend(values_files(folder));
    let environments = folder.join("environments");
    for environment in subfolders(&environments) {
        near.extend(values_files(&environment));
    }
    if let Some(parent) = folder.parent().filter(|parent| parent.file_name().is_some_and(|name| name == "environments"))
    {
        near.extend(parent.parent().into_iter().flat_map(values_files));
    }
    near
}

fn values_files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    entries.filter(|path| path.is_file() && (is_values_name(path) || is_chart_file(path))).collect()
}

pub(super) fn subfolders(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut folders: Vec<_> = entries.filter(|path| path.is_dir()).collect();
    folders.sort();
    folders
}

fn is_chart_file(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name == "Chart.yaml" || name == "requirements.yaml")
}

/// Whether a file is called like values: `values.yaml`, `values-prod.yaml`, `values.prod.yaml`, `prod-values.yaml`.
pub(super) fn is_values_name(path: &Path) -> bool {
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().to_lowercase()).unwrap_or_default();
    has_extension(path, &["yaml", "yml"])
        && (stem == "values"
            || ["values-", "values.", "values_"].iter().any(|start| stem.starts_with(start))
            || ["-values", ".values", "_values"].iter().any(|end| stem.ends_with(end)))
}

/// An absolute path without `.` and `..`, by its text alone.
pub(super) fn absolute(directory: &Path, path: &Path) -> PathBuf {
    let mut full = PathBuf::new();
    for part in directory.join(path).components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                full.pop();
            }
            part => full.push(part),
        }
    }
    full
}
