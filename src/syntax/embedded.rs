//! Documents inside scalars: TOML in `runners.config`, YAML in a string, files in a ConfigMap.

mod decode;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use self::decode::decode;
use super::{Host, Language, Node, NodeRef, Segment, Tree, Trees, mask, toml, yaml};

/// Reads the text of a scalar as a document of its own, positions mapped to the host's bytes.
/// Template expressions `{{ … }}` are masked. None where the node is no scalar string.
pub fn parse(trees: &Trees, scalar: NodeRef, language: Language) -> Option<Tree> {
    let (text, host) = decode_in_host(trees, scalar)?;
    let mut tree = read(text.into(), trees.node(scalar)?.follow(), language);
    tree.host = Some(host);
    Some(tree)
}

/// How offsets into a scalar's text map to its file, for a tree that was made from that text elsewhere.
pub fn host(trees: &Trees, scalar: NodeRef) -> Option<Host> {
    decode_in_host(trees, scalar).map(|(_, host)| host)
}

fn decode_in_host(trees: &Trees, scalar: NodeRef) -> Option<(String, Host)> {
    let node = trees.node(scalar)?.follow();
    if !node.kind().is_scalar() {
        return None;
    }
    let decoded = decode(node)?;
    let segments = match &node.tree.host {
        None => decoded.segments,
        Some(host) => compose(&decoded.segments, host),
    };
    let end = segments.iter().map(|segment| segment.host_end).max().unwrap_or_default();
    Some((decoded.text, Host { scalar, source: node.tree.source, segments, end }))
}

/// A scalar's text, read anew from what is written.
pub(super) fn text(node: Node<'_>) -> Option<String> {
    Some(decode(node)?.text)
}

fn read(text: Arc<str>, host: Node<'_>, language: Language) -> Tree {
    let source = host.tree.source;
    match language {
        Language::Toml => toml::parse(text, source),
        Language::Yaml => match mask::mask(&text, language) {
            None => yaml::parse(text, source),
            Some(masked) => {
                let mut tree = yaml::parse(masked.text.into(), source);
                tree.unmask(text, masked.spans, masked.statements);
                tree
            }
        },
    }
}

/// Segments into a tree that is embedded itself, as segments into its host.
fn compose(inner: &[Segment], outer: &Host) -> Vec<Segment> {
    let mut composed = Vec::with_capacity(inner.len());
    for (index, segment) in inner.iter().enumerate() {
        let len = inner.get(index + 1).map_or(segment.inner, |next| next.inner) - segment.inner;
        if len != segment.host_end - segment.host || len == 0 {
            let (host, host_end) = (outer.map(segment.host, false), outer.map(segment.host_end, true));
            composed.push(Segment { inner: segment.inner, host, host_end: host_end.max(host) });
            continue;
        }
        let first = outer.segments.partition_point(|other| other.inner <= segment.host).saturating_sub(1);
        let cuts = outer.segments.get(first + 1..).unwrap_or_default().iter().map(|other| other.inner);
        let mut start = segment.host;
        for cut in cuts.take_while(|&cut| cut < segment.host_end).chain([segment.host_end]) {
            let (host, host_end) = (outer.map(start, false), outer.map(cut, true));
            let inner = segment.inner + (start - segment.host);
            composed.push(Segment { inner, host, host_end: host_end.max(host) });
            start = cut;
        }
    }
    composed
}
