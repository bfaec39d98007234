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

/// Whether a kustomization in view, of Kustomize or of Flux, adds to objects what does not stand in them.
pub(super) fn any(files: &[File], trees: &Trees) -> bool {
    const WAYS: [&str; 5] = ["patches", "patchesStrategicMerge", "patchesJson6902", "components", "replacements"];
    let adds = |at: Node<'_>| WAYS.iter().any(|way| at.get(way).is_some_and(|list| list.items().next().is_some()));
    let is_patching = |root: Node<'_>| {
        let is_ours = root.get("kind").is_none_or(|kind| matches!(kind.text(), "Kustomization" | "Component"));
        is_ours && (adds(root) || root.get("spec").is_some_and(adds))
    };
    files.iter().any(|file| {
        trees.get(file.tree).is_some_and(|tree| {
            let is_named = file.path.file_stem().is_some_and(|stem| stem == "kustomization");
            (is_named || tree.text.contains("kind: Kustomization")) && tree.roots().any(is_patching)
        })
    })
}

/// Files that a kustomization calls patches.
fn named(root: Node<'_>) -> Vec<&str> {
    let items = |key| root.get(key).into_iter().flat_map(Node::items);
    let in_maps = items("patches").filter_map(|patch| patch.get("path"));
    in_maps.chain(items("patchesStrategicMerge")).filter(|name| name.kind().is_scalar()).map(Node::text).collect()
}
