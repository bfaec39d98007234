//! What stays the same of a finding wherever its lines move: rule, file, object, and the path of keys and names.

use crate::project::Project;
use crate::syntax::{Node, Tree};
use crate::text::{Location, Span};

/// Identity of the node at a location of a file: its object, and the keys and item names that lead to it.
pub(super) fn identity(project: &Project, at: Location, path: &str) -> String {
    let Some(tree) = project.file(at.source).and_then(|file| project.trees.get(file.tree)) else {
        return path.to_owned();
    };
    let Some(node) = tree.node_at(at.span.start) else { return path.to_owned() };
    // The part of the path inside an embedded document has no node in the host.
    let inner = path.split_once(" > ").map_or_else(String::new, |(_, inner)| embedded(project, at, inner));
    format!("{}|{}|{inner}", object(tree, at.span.start), names(node))
}

/// The names that lead to a node of an embedded document; its path where the node is not found again.
fn embedded(project: &Project, at: Location, path: &str) -> String {
    let own_path = path.rsplit_once(" > ").map_or(path, |(_, own)| own);
    let trees = project.trees.iter().filter_map(|(_, tree)| Some((tree, tree.host.as_ref()?)));
    let mut trees = trees.filter(|(_, host)| host.source == at.source);
    let node = trees.find_map(|(tree, host)| {
        let starts = |span: Span| host.map(span.start, false) == at.span.start;
        let is_there = |node: &Node<'_>| starts(node.anchor_span()) || starts(node.span());
        tree.nodes().find(|node| is_there(node) && node.path() == own_path)
    });
    node.map_or_else(|| path.to_owned(), names)
}

/// Kind, namespace and name of the document around an offset, where it is a Kubernetes object.
fn object(tree: &Tree, offset: u32) -> String {
    let Some(root) = tree.root_at(offset) else { return String::new() };
    let text = |path: &[&str]| root.at(path).map(Node::text).unwrap_or_default();
    format!("{}/{}/{}", text(&["kind"]), text(&["metadata", "namespace"]), text(&["metadata", "name"]))
}

/// What items of lists are called by, the first that there is.
const NAMES: [&str; 5] = ["name", "key", "mountPath", "url", "containerPort"];

/// Keys from the top; items by their name or, scalars, by themselves, else by their place in the list.
fn names(node: Node<'_>) -> String {
    let mut parts = Vec::new();
    let mut node = node;
    while let Some(parent) = node.parent() {
        let name = NAMES.iter().find_map(|name| node.get(name).filter(|name| name.kind().is_scalar()));
        match (node.key(), name.or_else(|| Some(node).filter(|node| node.kind().is_scalar()))) {
            (Some(key), _) => parts.push(key.text().to_owned()),
            // A key itself.
            (None, _) if parent.kind().is_map() => parts.push(node.text().to_owned()),
            (None, Some(name)) => parts.push(format!("[{}]", name.text())),
            (None, None) => parts.push(format!("[{}]", parent.position_of(node))),
        }
        node = parent;
    }
    parts.reverse();
    parts.join("/")
}

/// 128 bits of FNV-1a as 32 hexadecimal digits.
pub(super) fn hash(text: &str) -> String {
    const OFFSET: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
    let step = |hash: u128, byte: u8| (hash ^ u128::from(byte)).wrapping_mul(PRIME);
    format!("{:032x}", text.bytes().fold(OFFSET, step))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fnv_1a_as_published() {
        assert_eq!(hash(""), "6c62272e07bb014262b821756295c58d");
        assert_eq!(hash("a"), "d228cb696f1a8caf78912b704e4a8964");
    }
}
