//! Which files are pipelines because a pipeline includes them: their own names say nothing.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use globset::GlobBuilder;

use super::{File, FileKind};
use crate::syntax::{Language, Node, Trees};

/// Indices of files of no other kind that pipelines include, also by way of each other.
pub(super) fn included(files: &[File], trees: &Trees) -> Vec<usize> {
    let pipelines = files.iter().enumerate().filter(|(_, file)| file.kind == FileKind::Pipeline);
    let mut queue: Vec<usize> = pipelines.map(|(index, _)| index).collect();
    let mut found = BTreeSet::new();
    while let Some(file) = queue.pop().and_then(|index| files.get(index)) {
        let roots = trees.get(file.tree).into_iter().flat_map(|tree| tree.roots());
        for local in roots.flat_map(locals) {
            for target in targets(files, &file.path, local) {
                if may_be_pipeline(files, trees, target) && found.insert(target) {
                    queue.push(target);
                }
            }
        }
    }
    found.into_iter().collect()
}

fn may_be_pipeline(files: &[File], trees: &Trees, index: usize) -> bool {
    let other = files.get(index).filter(|file| file.kind == FileKind::Other);
    let tree = other.and_then(|file| trees.get(file.tree)).filter(|tree| tree.language == Language::Yaml);
    tree.and_then(|tree| tree.root()).is_some_and(|root| root.kind().is_map())
}

/// Local files that a pipeline includes, or that its jobs start as child pipelines.
fn locals(root: Node<'_>) -> Vec<&str> {
    let triggers = root.entries().filter_map(|(_, job)| job.get("trigger")?.get("include"));
    let includes = root.get("include").into_iter().chain(triggers);
    let entries =
        includes.flat_map(|include| if include.kind().is_seq() { include.items().collect() } else { vec![include] });
    let names = entries.filter_map(|entry| if entry.kind().is_map() { entry.get("local") } else { Some(entry) });
    // Other hosts' files, and names that only a running pipeline knows.
    names
        .filter(|name| name.kind().is_scalar())
        .map(Node::text)
        .filter(|name| !name.contains("://") && !name.contains('$'))
        .collect()
}

/// Files of a name that is relative to the repository's root, which is the nearest folder where it leads to any.
fn targets(files: &[File], from: &Path, local: &str) -> Vec<usize> {
    let local = local.trim_start_matches('/');
    let roots = from.ancestors().skip(1);
    if !local.contains('*') {
        let at = |path: PathBuf| files.binary_search_by(|file| file.path.cmp(&path)).ok();
        return roots.filter_map(|root| at(root.join(local))).take(1).collect();
    }
    let Ok(glob) = GlobBuilder::new(local).literal_separator(true).build() else { return Vec::new() };
    let glob = glob.compile_matcher();
    let below = |root: &Path| -> Vec<usize> {
        let matches = |file: &File| file.path.strip_prefix(root).is_ok_and(|path| glob.is_match(path));
        files.iter().enumerate().filter(|(_, file)| matches(file)).map(|(index, _)| index).collect()
    };
    roots.map(below).find(|found| !found.is_empty()).unwrap_or_default()
}
