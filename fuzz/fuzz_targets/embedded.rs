//! No bytes make a document inside a scalar panic, and every span lies in its host's text.
#![no_main]

use libfuzzer_sys::fuzz_target;
use runnerlint::syntax::{Language, NodeRef, Trees, embedded, yaml};
use runnerlint::text::SourceId;

fuzz_target!(|text: &str| {
    let mut trees = Trees::default();
    let tree = yaml::parse(text.into(), SourceId(0));
    let scalars: Vec<_> = tree.nodes().map(|node| node.id).collect();
    let tree = trees.add(tree);
    for node in scalars {
        for language in [Language::Toml, Language::Yaml] {
            let Some(inner) = embedded::parse(&trees, NodeRef { tree, node }, language) else { continue };
            for node in inner.nodes() {
                assert!(text.get(inner.location(node.span()).span.range()).is_some());
            }
        }
    }
});
