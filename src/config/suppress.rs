//! Suppressions: comments in files and annotations on objects that silence findings.

use crate::syntax::{Comment, Kind, Node, Place, Tree, TreeId, Trees};
use crate::text::{Location, Span};

/// The annotation that suppresses rules for an object.
const ANNOTATION: &str = "runnerlint-ignore";

/// One rule (or family or category) that is silenced in one place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suppression {
    /// The word between the brackets.
    pub rule: String,
    /// Where that word stands, in the host file.
    pub at: Location,
    /// What is silenced, in the host file.
    pub covers: Location,
    /// What is wrong with the comment itself; such a one silences nothing.
    pub fault: Option<String>,
}

impl Suppression {
    /// Whether a place lies in what is silenced.
    pub fn covers(&self, at: Location) -> bool {
        self.fault.is_none() && at.source == self.covers.source && self.covers.span.contains(at.span)
    }
}

/// All suppressions of a tree.
pub fn collect(trees: &Trees, id: TreeId) -> Vec<Suppression> {
    let Some(tree) = trees.get(id) else { return Vec::new() };
    let mut found = Vec::new();
    for comment in &tree.comments {
        let text = comment.span.slice(&tree.text);
        if text.contains("runnerlint:") {
            found.extend(of_comment(tree, comment, text));
        }
    }
    if tree.text.contains(ANNOTATION) {
        found.extend(tree.roots().flat_map(|root| of_annotations(tree, root)));
    }
    found
}

fn of_comment(tree: &Tree, comment: &Comment, text: &str) -> Vec<Suppression> {
    let Some(directive) = text.trim_start_matches('#').trim_start().strip_prefix("runnerlint:") else {
        return Vec::new();
    };
    let directive = directive.trim_start();
    let whole_file = directive.starts_with("ignore-file");
    let list = directive.strip_prefix(if whole_file { "ignore-file" } else { "ignore" });
    let list = list.and_then(|rest| rest.trim_start().strip_prefix('[')).and_then(|rest| rest.split_once(']'));
    let Some((list, _)) = list else {
        let fault = "a suppression is written `runnerlint: ignore[rule]` or `runnerlint: ignore-file[rule]`";
        return vec![faulty(tree, comment.span, fault)];
    };
    let first = tree.roots().next().map_or(u32::MAX, |root| root.span().start);
    if whole_file && comment.span.start > first {
        return vec![faulty(tree, comment.span, "`ignore-file` must stand in the head of the file")];
    }
    let covers = if whole_file { Some(whole(tree)) } else { covered(tree, comment) };
    let covers = tree.location(covers.unwrap_or(Span::empty(comment.span.start as usize)));
    words(tree, list, offset_in(tree, list), covers)
}

/// The words of a list, each with its place.
fn words(tree: &Tree, list: &str, start: usize, covers: Location) -> Vec<Suppression> {
    let mut found = Vec::new();
    let mut at = start;
    for item in list.split(',') {
        let word = item.trim();
        let begin = at + (item.len() - item.trim_start().len());
        at += item.len() + 1;
        if !word.is_empty() {
            let span = Span::new(begin, begin + word.len());
            found.push(Suppression { rule: word.to_owned(), at: tree.location(span), covers, fault: None });
        }
    }
    found
}

/// Offset of a slice of the tree's text.
fn offset_in(tree: &Tree, slice: &str) -> usize {
    (slice.as_ptr() as usize).saturating_sub(tree.text.as_ptr() as usize)
}

fn faulty(tree: &Tree, span: Span, fault: &str) -> Suppression {
    let at = tree.location(span);
    Suppression { rule: String::new(), at, covers: at, fault: Some(fault.to_owned()) }
}

fn whole(tree: &Tree) -> Span {
    Span::new(0, tree.text.len())
}

/// What a comment silences: the node that starts on its line, or that begins next, with what is under it.
fn covered(tree: &Tree, comment: &Comment) -> Option<Span> {
    if comment.place == Place::End {
        return None;
    }
    let mut node = tree.node(comment.owner?);
    // `- name: x # …`: the item begins there as well as its first pair.
    if let Some(parent) = node.parent().filter(|parent| parent.kind() == Kind::BlockMap && parent.key().is_none()) {
        let first = parent.children().next().is_some_and(|child| child.id == node.id);
        if first && parent.parent().is_some_and(|list| list.kind().is_seq()) {
            node = parent;
        }
    }
    Some(extent(node))
}

/// From the start of a node's key to the end of the last thing under it.
fn extent(node: Node<'_>) -> Span {
    let start = node.key().map_or(node.span().start, |key| key.span().start);
    let mut end = node.span().end.max(start);
    // A TOML table's own span is its header.
    let mut open = vec![node];
    while let Some(next) = open.pop() {
        end = end.max(next.span().end);
        open.extend(next.children().next_back());
    }
    Span { start, end }
}

fn of_annotations(tree: &Tree, root: Node<'_>) -> Vec<Suppression> {
    let templates = [root.get("spec").and_then(|spec| spec.get("template"))];
    let mut found = Vec::new();
    for object in [Some(root)].into_iter().chain(templates).flatten() {
        if let Some(list) = object.at(&["metadata", "annotations", ANNOTATION]).filter(|list| list.kind().is_scalar()) {
            let inside = list.span().start as usize + list.raw().find(list.text()).unwrap_or_default();
            found.extend(words(tree, list.text(), inside, tree.location(object.span())));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::{toml, yaml};
    use crate::text::SourceId;

    fn silenced(tree: Tree) -> Vec<(String, String)> {
        let text = tree.text.clone();
        let mut trees = Trees::default();
        let id = trees.add(tree);
        let slice = |at: Location| at.span.slice(&text).to_owned();
        collect(&trees, id).into_iter().map(|found| (slice(found.at), slice(found.covers))).collect()
    }

    fn in_yaml(text: &str) -> Vec<(String, String)> {
        silenced(yaml::parse(text.into(), SourceId(0)))
    }

    fn pair(a: &str, b: &str) -> (String, String) {
        (a.to_owned(), b.to_owned())
    }

    #[test]
    fn a_comment_at_the_end_of_a_line_covers_what_starts_there() {
        let found = in_yaml("a:\n  b: 1 # runnerlint: ignore[x/y, arc] since\n  c: 2\n");
        assert_eq!(found, [pair("x/y", "b: 1"), pair("arc", "b: 1")]);
        let found = in_yaml("- name: x # runnerlint: ignore[x/y]\n  image: y\n- z\n");
        assert_eq!(found.len(), 1);
        assert!(found[0].1.starts_with("name: x") && found[0].1.ends_with("image: y"), "{found:?}");
    }

    #[test]
    fn a_comment_on_its_own_line_covers_the_next_node() {
        let found = in_yaml("# runnerlint: ignore[x/y]\na:\n  b: 1\nc: 2\n");
        assert_eq!(found, [pair("x/y", "a:\n  b: 1")]);
    }

    #[test]
    fn a_file_is_covered_from_its_head_only() {
        let text = "# runnerlint: ignore-file[x/y]\na: 1\n";
        assert_eq!(in_yaml(text), [pair("x/y", text)]);
        let mut trees = Trees::default();
        let id = trees.add(yaml::parse("a: 1\n# runnerlint: ignore-file[x/y]\nb: 1\n".into(), SourceId(0)));
        assert!(collect(&trees, id)[0].fault.is_some());
    }

    #[test]
    fn a_toml_table_is_covered_with_its_keys() {
        let text = "[a] # runnerlint: ignore[x/y]\nb = 1\nc = 2\n";
        let found = silenced(toml::parse(text.into(), SourceId(0)));
        assert!(found[0].1.ends_with("c = 2"), "{found:?}");
    }

    #[test]
    fn an_annotation_covers_its_object() {
        let text = "kind: Pod\nmetadata:\n  annotations:\n    runnerlint-ignore: x/y, z/w\n";
        let found = in_yaml(text);
        assert_eq!(found.iter().map(|(word, _)| word.as_str()).collect::<Vec<_>>(), ["x/y", "z/w"]);
        assert!(found[0].1.starts_with("kind"));
    }
}
