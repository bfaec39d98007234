//! What must hold for every input: spans, round trips, determinism, no panic on any bytes.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use proptest::prelude::*;
use runnerlint::syntax::{Kind, Node, Tree, toml, yaml};
use runnerlint::text::SourceId;

fn read_yaml(text: &str) -> Tree {
    yaml::parse(text.into(), SourceId(0))
}

/// Spans lie in the text and inside their parents' spans; children follow each other.
fn assert_spans_hold(tree: &Tree) {
    for node in tree.nodes() {
        let span = node.span();
        assert!(span.start <= span.end && span.end as usize <= tree.text.len(), "{node:?} is out of bounds");
        assert!(tree.text.get(span.range()).is_some(), "{span:?} cuts a character");
        if let Some(parent) = node.parent() {
            assert!(parent.span().contains(span), "{node:?} is not inside {parent:?}");
        }
    }
    for comment in &tree.comments {
        assert!(comment.span.slice(&tree.text).starts_with('#'), "{comment:?}");
    }
    for error in &tree.errors {
        assert!(tree.text.get(error.span.range()).is_some(), "{error:?}");
    }
}

/// A scalar's slice, read alone, is that scalar again.
fn assert_slices_read_back(tree: &Tree) {
    for node in tree.nodes().filter(|node| node.kind().is_scalar() && node.tag().is_none()) {
        let alone = format!("v: {}\n", node.raw());
        let again = read_yaml(&alone);
        let value = again.root().and_then(|root| root.get("v"));
        let Some(value) = value else { panic!("{alone:?} does not read: {:?}", again.errors) };
        // Chomping with `+` depends on the blank lines that follow, which are outside of the span.
        if !matches!(node.kind(), Kind::Literal | Kind::Folded) {
            assert_eq!(value.text(), node.text(), "{alone:?}");
        } else {
            assert_eq!(value.text().trim_end(), node.text().trim_end(), "{alone:?}");
        }
    }
}

/// A value to be written as YAML.
#[derive(Debug, Clone)]
enum Doc {
    Scalar(String, u8),
    Seq(Vec<Doc>, bool),
    Map(Vec<(String, Doc)>, bool),
}

fn doc() -> impl Strategy<Value = Doc> {
    let scalar = ("[ -~é→🦀]{0,12}", any::<u8>()).prop_map(|(text, style)| Doc::Scalar(text, style));
    scalar.prop_recursive(4, 40, 5, |inner| {
        prop_oneof![
            (prop::collection::vec(inner.clone(), 1..4), any::<bool>()).prop_map(|(items, flow)| Doc::Seq(items, flow)),
            (prop::collection::vec(("[a-zé]{1,6}", inner), 1..4), any::<bool>())
                .prop_map(|(pairs, flow)| Doc::Map(pairs, flow)),
        ]
    })
}

fn top() -> impl Strategy<Value = Doc> {
    prop::collection::vec(("[a-zé]{1,6}", doc()), 1..5).prop_map(|pairs| Doc::Map(pairs, false))
}

fn single_quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

fn write_scalar(out: &mut String, text: &str, style: u8, depth: usize, flow: bool) {
    let simple = !text.is_empty() && text.chars().all(char::is_alphanumeric);
    match style % 5 {
        0 if simple => out.push_str(text),
        1 => out.push_str(&serde_json::to_string(text).unwrap()),
        2 | 3 if !flow && !text.trim().is_empty() => {
            let indicator = if style.is_multiple_of(2) { '|' } else { '>' };
            let pad = "  ".repeat(depth + 1);
            out.push_str(&format!("{indicator}-\n{pad}  {text}\n{pad}  second {text}"));
        }
        _ => out.push_str(&single_quoted(text)),
    }
}

fn write(out: &mut String, doc: &Doc, depth: usize, flow: bool) {
    let pad = "  ".repeat(depth);
    match doc {
        Doc::Scalar(text, style) => {
            // Leading blanks would be taken for indentation of a block scalar.
            let text = text.trim_start();
            write_scalar(out, text, *style, depth, flow);
        }
        Doc::Seq(items, as_flow) if flow || *as_flow => {
            out.push('[');
            for item in items {
                write(out, item, depth, true);
                out.push_str(", ");
            }
            out.push(']');
        }
        Doc::Map(pairs, as_flow) if flow || *as_flow => {
            out.push('{');
            for (key, value) in pairs {
                out.push_str(&format!("{key}: "));
                write(out, value, depth, true);
                out.push_str(", ");
            }
            out.push('}');
        }
        Doc::Seq(items, _) => {
            for item in items {
                out.push_str(&format!("\n{pad}- "));
                write(out, item, depth + 1, false);
            }
        }
        Doc::Map(pairs, _) => {
            for (key, value) in pairs {
                out.push_str(&format!("\n{pad}{key}: "));
                write(out, value, depth + 1, false);
            }
        }
    }
}

fn yaml_text(doc: &Doc, crlf: bool, bom: bool) -> String {
    let mut text = String::new();
    write(&mut text, doc, 0, false);
    let text = text.trim_start_matches('\n').to_owned() + "\n# the end\n";
    let text = if crlf { text.replace('\n', "\r\n") } else { text };
    if bom { format!("\u{feff}{text}") } else { text }
}

/// The values that were written, leaf by leaf, against the tree.
fn assert_same(doc: &Doc, node: Node<'_>) {
    match doc {
        Doc::Seq(items, _) => {
            assert_eq!(node.children().len(), items.len());
            items.iter().zip(node.items()).for_each(|(item, node)| assert_same(item, node));
        }
        Doc::Map(pairs, _) => {
            assert_eq!(node.children().len(), pairs.len());
            for ((name, value), (key, node)) in pairs.iter().zip(node.entries()) {
                assert_eq!(key.text(), name);
                assert_same(value, node);
            }
        }
        Doc::Scalar(text, style) => {
            let text = text.trim_start();
            match node.kind() {
                Kind::Literal => assert_eq!(node.text(), format!("{text}\nsecond {text}")),
                Kind::Folded => assert_eq!(node.text(), format!("{text} second {text}")),
                _ => assert_eq!(node.text(), text, "style {style}"),
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_was_written_is_read(doc in top(), crlf: bool, bom: bool) {
        let text = yaml_text(&doc, crlf, bom);
        let tree = read_yaml(&text);
        prop_assert!(tree.errors.is_empty(), "{text:?}: {:?}", tree.errors);
        assert_spans_hold(&tree);
        assert_slices_read_back(&tree);
        if !crlf {
            assert_same(&doc, tree.root().unwrap());
        }
    }

    #[test]
    fn any_text_is_read_without_panic(text in "(?s)[a-c:\\-{}\\[\\],&*!|>'\"%@`#?~ \t\r\n\u{85}\u{2028}\u{feff}0-9é🦀]{0,120}") {
        assert_spans_hold(&read_yaml(&text));
        assert_spans_hold(&toml::parse(text.as_str().into(), SourceId(0)));
    }

    #[test]
    fn a_damaged_document_is_read_without_panic(doc in top(), at in any::<prop::sample::Index>(), with in "[:\\-{}\\[\\],&*!|>'\"#?\t\n ]{1,3}") {
        let mut text = yaml_text(&doc, false, false);
        let mut offset = at.index(text.len());
        while !text.is_char_boundary(offset) {
            offset -= 1;
        }
        text.insert_str(offset, &with);
        assert_spans_hold(&read_yaml(&text));
    }
}

/// The same files, made in another order, give the same bytes.
#[test]
fn the_order_of_a_folder_does_not_show() {
    let files: Vec<(String, String)> = walkdir::WalkDir::new("testdata/projects/fleet")
        .sort_by_file_name()
        .into_iter()
        .map(|entry| entry.unwrap())
        .filter(|entry| entry.file_type().is_file())
        .map(|entry| {
            let name = entry.path().strip_prefix("testdata/projects/fleet").unwrap();
            (name.to_string_lossy().into_owned(), std::fs::read_to_string(entry.path()).unwrap())
        })
        .collect();
    let check = |files: &[&(String, String)]| {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_runnerlint"));
        command.args(["check", "--output-format", "json", "--as-of", "2026-08-31"]).current_dir(folder.path());
        String::from_utf8(command.output().unwrap().stdout).unwrap()
    };
    let forwards = check(&files.iter().collect::<Vec<_>>());
    let backwards = check(&files.iter().rev().collect::<Vec<_>>());
    assert!(forwards.contains("\"rule\""), "{forwards}");
    assert_eq!(forwards, backwards);
}
