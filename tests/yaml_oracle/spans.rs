//! Each row of `spans.jsonl`: spans of keys and values, anchors, tags, comments with their owners.

use std::collections::BTreeMap;

use runnerlint::syntax::{Kind, Node, NodeId, Place, Tree, yaml};
use runnerlint::text::{SourceId, Span};
use serde_json::{Value, json};

fn kind_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Plain => "plain",
        Kind::SingleQuoted => "single",
        Kind::DoubleQuoted => "double",
        Kind::Literal => "literal",
        Kind::Folded => "folded",
        Kind::Empty => "empty",
        Kind::Alias => "alias",
        Kind::BlockMap => "block-map",
        Kind::FlowMap => "flow-map",
        Kind::FlowPair => "flow-pair",
        Kind::BlockSeq => "block-seq",
        Kind::FlowSeq => "flow-seq",
    }
}

fn span(span: Span) -> Value {
    json!([span.start, span.end])
}

fn entry(node: Node<'_>, path: &[Value]) -> Value {
    let mut row = json!({"path": path, "kind": kind_name(node.kind()), "value": span(node.span())});
    let mut put = |name: &str, at: Option<Span>| {
        if let Some(at) = at {
            row[name] = span(at);
        }
    };
    put("anchor", node.anchor());
    put("tag", node.tag());
    if let Some(key) = node.key() {
        put("key", Some(key.span()));
        put("key_anchor", key.anchor());
        put("key_tag", key.tag());
        row["key_kind"] = json!(kind_name(key.kind()));
    }
    row
}

/// Entries in document order, with the path of each.
fn entries(node: Node<'_>, path: &mut Vec<Value>, rows: &mut Vec<Value>, paths: &mut BTreeMap<NodeId, Value>) {
    for (index, child) in node.children().enumerate() {
        path.push(child.key().map_or(json!(index), |key| json!(key.text())));
        rows.push(entry(child, path));
        paths.insert(child.id, json!(path));
        entries(child, path, rows, paths);
        path.pop();
    }
}

fn comments(tree: &Tree, paths: &BTreeMap<NodeId, Value>) -> Vec<Value> {
    let row = |comment: &runnerlint::syntax::Comment| {
        let place = match comment.place {
            Place::Before => "before",
            Place::EndOfLine => "eol",
            Place::End => "end",
        };
        let owner = comment.owner.map_or(Value::Null, |owner| paths[&owner].clone());
        json!({"span": span(comment.span), "place": place, "owner": owner})
    };
    tree.comments.iter().map(row).collect()
}

fn read(text: &str) -> Value {
    let tree = yaml::parse(text.into(), SourceId(0));
    if let Some(error) = tree.errors.first() {
        return json!({"error": error.message});
    }
    let mut rows = Vec::new();
    let mut paths = BTreeMap::new();
    let root = tree.root();
    if let Some(root) = root {
        entries(root, &mut Vec::new(), &mut rows, &mut paths);
    }
    let root = root.filter(|root| root.kind() != Kind::Empty).map(|root| {
        let mut row = entry(root, &[]);
        row.as_object_mut().unwrap().remove("path");
        row
    });
    json!({"root": root, "entries": rows, "comments": comments(&tree, &paths)})
}

/// Its spans are those of a pair, while its value (`"b:"`) is the scalar that go-yaml reads there.
const WRONG_ROWS: [&str; 1] = ["from-flow/55"];

#[test]
fn every_span_is_exact() {
    let rows = include_str!("../../testdata/syntax/spans.jsonl");
    let mut misses = Vec::new();
    for line in rows.lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        let mut expected = json!({"root": row["root"], "entries": row["entries"], "comments": row["comments"]});
        for entry in expected["entries"].as_array_mut().unwrap() {
            let entry = entry.as_object_mut().unwrap();
            for name in ["colon", "dash", "question"] {
                entry.remove(name);
            }
        }
        let got = read(row["text"].as_str().unwrap());
        if WRONG_ROWS.contains(&row["name"].as_str().unwrap()) {
            assert_ne!(got, expected, "the row was mended");
        } else if got != expected {
            misses.push(format!("{}\n{}\n  want {expected}\n  got  {got}", row["name"], row["text"]));
        }
    }
    assert!(misses.is_empty(), "{} rows differ:\n{}", misses.len(), misses.join("\n\n"));
}
