//! A values file holds more than one document.

use crate::rule::Checker;
use crate::syntax::{Kind, NodeRef};
use crate::view::Stack;

pub(crate) fn check(stack: &Stack<'_>, checker: &mut Checker<'_>) {
    let merges = stack.helm.map(|helm| helm.merges_documents());
    if merges == Some(true) {
        return;
    }
    for &file in &stack.files {
        let Some(tree) = checker.trees().get(file) else { continue };
        let roots = tree.documents.iter().map(|document| Some(tree.node(document.root?)));
        let mut roots = roots.map(|root| root.filter(|root| root.kind().is_map() && root.children().len() > 0));
        let first = roots.next().flatten();
        let Some(second) = roots.flatten().next() else { continue };
        let at = NodeRef { tree: file, node: second.id };
        let lost = match first {
            Some(_) => "Helm 3 reads the first document of a values file and drops this one",
            None => "Helm 3 reads the empty document before this one and drops this one",
        };
        let message = if merges.is_none() { format!("{lost}; Helm 4 merges both") } else { lost.to_owned() };
        let mut finding = checker.report(at, message);
        if let Some(first) = first.filter(|first| first.kind() != Kind::Empty) {
            finding.related(Some(NodeRef { tree: file, node: first.id }), "this document is read");
        }
        finding.help("put the values into one document, or into two files");
    }
}
