//! Embedded documents against texts from outside, where those lie beside the package.
#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};

use runnerlint::syntax::{Language, NodeRef, Tree, Trees, embedded, toml, yaml};
use runnerlint::text::SourceId;

fn beside(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared").join(path)
}

/// The scalars of a tree that `wanted` picks, each read as a document.
fn read_scalars(tree: Tree, wanted: impl Fn(&str) -> bool, language: Language, mut see: impl FnMut(&str, &Tree)) {
    let scalars = tree.nodes().filter(|node| node.kind().is_scalar() && wanted(node.text()));
    let scalars: Vec<_> = scalars.map(|node| node.id).collect();
    let mut trees = Trees::default();
    let tree = trees.add(tree);
    for node in scalars {
        let at = NodeRef { tree, node };
        let inner = embedded::parse(&trees, at, language).unwrap();
        see(trees.node(at).unwrap().text(), &inner);
    }
}

/// The text of an embedded document is what the reader says that its scalar holds.
#[test]
fn decodes_as_the_reader_does() {
    let mut seen = 0;
    for name in ["yaml-oracle/cases.jsonl", "yaml-oracle/suite.jsonl"] {
        let Ok(rows) = std::fs::read_to_string(beside(name)) else { continue };
        for row in rows.lines() {
            let row: serde_json::Value = serde_json::from_str(row).unwrap();
            let Some(text) = row.get("text").and_then(|text| text.as_str()) else { continue };
            let tree = yaml::parse(text.into(), SourceId(0));
            if !tree.errors.is_empty() {
                continue;
            }
            read_scalars(
                tree,
                |_| true,
                Language::Toml,
                |said, inner| {
                    assert_eq!(&*inner.text, said, "in {text:?}");
                    seen += 1;
                },
            );
        }
    }
    assert!(seen == 0 || seen > 5000, "{seen}");
}

/// Public runner configurations are read without an error, template markup included.
#[test]
fn public_runner_configs_have_no_errors() {
    for entry in walkdir::WalkDir::new(beside("corpus/gitlab")).into_iter().flatten() {
        let Ok(text) = std::fs::read_to_string(entry.path()) else { continue };
        let is = |extension: &str| entry.path().extension().is_some_and(|own| own == extension);
        if is("toml") || is("tftpl") {
            let tree = toml::parse(text.as_str().into(), SourceId(0));
            assert!(tree.errors.is_empty(), "{:?} {:?}", entry.path(), tree.errors);
            continue;
        }
        let tree = yaml::parse(text.as_str().into(), SourceId(0));
        read_scalars(
            tree,
            |text| text.contains("[[runners]]"),
            Language::Toml,
            |_, inner| {
                assert!(inner.errors.is_empty(), "{:?} {:?}", entry.path(), inner.errors);
            },
        );
    }
}
