//! Which files are patches of Kustomize: what they leave out stands in the object that they change.

use super::discover::absolute;
use super::{File, FileKind};
use crate::syntax::{Node, Trees};

/// Indices of manifests that a kustomization in view applies as patches.
pub(super) fn patches(files: &[File], trees: &Trees) -> Vec<usize> {
    let mut found = Vec::new();
    for file in files.iter().filter(|file| file.path.file_stem().is_some_and(|stem| stem == "kustomization")) {
        let Some(folder) = file.path.parent() else { continue };
        let roots = trees.get(file.tree).into_iter().flat_map(|tree| tree.roots());
        for name in roots.flat_map(named) {
            let path = absolute(folder, name.as_ref());
            let index = files.binary_search_by(|file| file.path.cmp(&path)).ok();
            found.extend(index.filter(|&index| files.get(index).is_some_and(|file| file.kind == FileKind::Manifest)));
        }
    }
    found
}

/// Files that a kustomization calls patches.
fn named(root: Node<'_>) -> Vec<&str> {
    let items = |key| root.get(key).into_iter().flat_map(Node::items);
    let in_maps = items("patches").filter_map(|patch| patch.get("path"));
    in_maps.chain(items("patchesStrategicMerge")).filter(|name| name.kind().is_scalar()).map(Node::text).collect()
}
