use proptest::prelude::*;
use toml::de::{DeTable, DeValue};

use super::{MAX_DEPTH, parse};
use crate::syntax::{Kind, Node, Place, Tree};
use crate::text::{SourceId, Span};

fn read(text: &str) -> Tree {
    parse(text.into(), SourceId(0))
}

fn find<'t>(tree: &'t Tree, path: &str) -> Node<'t> {
    tree.nodes().filter(|node| node.parent().is_some()).find(|node| node.path() == path).expect(path)
}

/// Every span lies in the text, on characters, inside its parent's.
fn check_spans(tree: &Tree) {
    for node in tree.nodes() {
        let span = node.span();
        assert!(tree.text.get(span.range()).is_some(), "{node:?}");
        if let Some(parent) = node.parent() {
            assert!(parent.span().contains(span), "{node:?} in {parent:?}");
        }
    }
    for error in &tree.errors {
        assert!(tree.text.get(error.span.range()).is_some(), "{error:?}");
    }
    for comment in &tree.comments {
        assert!(comment.span.slice(&tree.text).starts_with('#'));
    }
}

/// The `toml` crate's own reading, as an oracle for accepted texts.
fn same(node: Node<'_>, value: &DeValue<'_>) {
    match value {
        DeValue::Table(table) => {
            assert!(node.kind().is_map(), "{node:?}");
            assert_eq!(node.children().len(), table.len());
            for (key, value) in table {
                let child = node.get(key.get_ref()).expect("key");
                if !matches!(value.get_ref(), DeValue::Table(table) if !node.raw().starts_with('{') || !table.is_empty())
                {
                    assert!(node.tree.text.get(key.span()).is_some());
                }
                if !matches!(value.get_ref(), DeValue::Table(_) | DeValue::Array(_)) {
                    assert_eq!(child.key().expect("key").span().range(), key.span());
                    assert_eq!(child.span().range(), value.span());
                }
                same(child, value.get_ref());
            }
        }
        DeValue::Array(array) => {
            assert!(node.kind().is_seq(), "{node:?}");
            assert_eq!(node.children().len(), array.len());
            for (child, value) in node.children().zip(array) {
                same(child, value.get_ref());
            }
        }
        DeValue::String(text) => assert_eq!(node.text(), text),
        _ => assert_eq!(node.kind(), Kind::Plain),
    }
}

const RUNNER: &str = r#"concurrent = 4 # all
[[runners]] # first
  # who
  name = "é"
  [runners.kubernetes]
    image = 'alpine'
    [runners.kubernetes.node_selector]
      "kubernetes.io/arch" = "arm64"
  [[runners.kubernetes.volumes.empty_dir]]
    name = "a"
  [[runners.kubernetes.volumes.empty_dir]]
    name = "b" # last
[[runners]]
  pull.policy = [ "always", # one
    # two
    "never" ] # done
# end
"#;

#[test]
fn tables_and_arrays_of_tables() {
    let tree = read(RUNNER);
    assert!(tree.errors.is_empty(), "{:?}", tree.errors);
    check_spans(&tree);
    assert_eq!(find(&tree, "runners[0].kubernetes.node_selector.\"kubernetes.io/arch\"").text(), "arm64");
    assert_eq!(find(&tree, "runners[0].kubernetes.volumes.empty_dir[1].name").raw(), "\"b\"");
    assert_eq!(find(&tree, "runners[1].pull.policy[1]").text(), "never");
    let selector = find(&tree, "runners[0].kubernetes.node_selector");
    assert_eq!(selector.anchor_span().slice(&tree.text), "node_selector");
    assert_eq!(selector.anchor_span().start as usize, RUNNER.find("node_selector").unwrap());
    assert_eq!(find(&tree, "runners[1]").anchor_span().start as usize, RUNNER.rfind("[[runners]]").unwrap() + 2);
}

#[test]
fn comments_have_owners() {
    let tree = read(RUNNER);
    let said: Vec<_> = tree
        .comments
        .iter()
        .map(|comment| {
            let owner = comment.owner.map(|id| tree.node(id).path()).unwrap_or_default();
            (comment.span.slice(&tree.text), comment.place, owner)
        })
        .collect();
    let said: Vec<_> = said.iter().map(|(text, place, owner)| (*text, *place, owner.as_str())).collect();
    assert_eq!(
        said,
        [
            ("# all", Place::EndOfLine, "concurrent"),
            ("# first", Place::EndOfLine, "runners[0]"),
            ("# who", Place::Before, "runners[0].name"),
            ("# last", Place::EndOfLine, "runners[0].kubernetes.volumes.empty_dir[1].name"),
            ("# one", Place::EndOfLine, "runners[1].pull.policy[0]"),
            ("# two", Place::Before, "runners[1].pull.policy[1]"),
            ("# done", Place::EndOfLine, "runners[1].pull.policy"),
            ("# end", Place::End, ""),
        ]
    );
}

#[test]
fn duplicates_stay_and_name_the_first() {
    let tree = read("a = 1\na = 2\n[t]\nx = 1\n[t]\ny = 2\n[a.b]\nz = 3\n");
    let told: Vec<_> = tree
        .errors
        .iter()
        .map(|error| {
            (error.span.start, error.context.as_ref().unwrap().0.start, error.message.as_str(), error.duplicate)
        })
        .collect();
    assert_eq!(
        told,
        [
            (6, 0, "`a` is defined twice", true),
            (23, 13, "table `t` is defined twice", true),
            (33, 6, "`a` is defined twice", true),
        ]
    );
    let root = tree.root().unwrap();
    assert_eq!(root.entries().count(), 5);
    assert_eq!(root.at(&["t", "y"]).unwrap().raw(), "2");
    check_spans(&tree);
}

#[test]
fn supertables_may_come_later() {
    let tree = read("[a.b]\nx = 1\n[a]\ny = 2\n");
    assert!(tree.errors.is_empty());
    assert_eq!(find(&tree, "a").anchor_span().start, 13);
    check_spans(&tree);
}

#[test]
fn errors_do_not_stop_the_reading() {
    let tree = read(
        "a = harbor-robot\nb = 2\n[t\nkubernetes.io/arch = \"x\"\nc =\nd = 99999999999999999999\n[u]\nf = 1\ne = [1,\n[v]\ng = 1\n",
    );
    let lines: Vec<_> = tree
        .errors
        .iter()
        .map(|e| Span::new(0, e.span.start as usize).slice(&tree.text).matches('\n').count() + 1)
        .collect();
    assert_eq!(lines, [1, 3, 4, 5, 6, 9], "{:#?}", tree.errors);
    assert_eq!(find(&tree, "b").raw(), "2");
    assert_eq!(find(&tree, "u.f").raw(), "1");
    check_spans(&tree);
}

#[test]
fn depth_ends_in_a_diagnostic() {
    let nested = format!("a = {}1{}", "[".repeat(50_000), "]".repeat(50_000));
    let header = format!("[{}a]\nx = 1", "a.".repeat(50_000));
    let mixed = (0..5_000).fold("1".to_owned(), |inner, _| format!("{{ a.b.c.d.e = {inner} }}"));
    for text in [nested, header, format!("x = {mixed}")] {
        let tree = read(&text);
        assert!(!tree.errors.is_empty());
        assert!(tree.nodes().all(|node| std::iter::successors(Some(node), |n| n.parent()).count() < 4 * MAX_DEPTH));
        check_spans(&tree);
    }
}

#[test]
fn a_bom_and_crlf() {
    let tree = read("\u{feff}a = 1\r\nb = \"\"\"\r\nx\r\n\"\"\" # c\r\n");
    assert!(tree.errors.is_empty(), "{:?}", tree.errors);
    assert_eq!(tree.root().unwrap().get("a").unwrap().span().start, 7);
    assert_eq!(tree.comments[0].span.slice(&tree.text), "# c");
}

fn line() -> impl Strategy<Value = String> {
    let key = prop_oneof![Just("a"), Just("b"), Just("\"c d\""), Just("a.b"), Just("'é'.x"), Just("c.a"), Just("d")];
    let value = prop_oneof![
        Just("1"),
        Just("-0x1"),
        Just("0x1F"),
        Just("\"s\\n\\u00e9\""),
        Just("'l'"),
        Just("true"),
        Just("1.5e3"),
        Just("[1, 'x' , [ ], {a=1}]"),
        Just("{ a.b = 1, a.c = [2], \"q\"= 'r' }"),
        Just("1979-05-27T07:32:00Z"),
        Just("\"\"\"\nm\\\n  n\"\"\""),
        Just("'''\nm'''"),
        Just("[\n 1, # c\n]"),
        Just(""),
        Just("x"),
        Just("[1"),
    ];
    let name = prop_oneof![Just("a"), Just("a.b"), Just("b . \"c\""), Just("e"), Just("e.f")];
    prop_oneof![
        4 => (key, value).prop_map(|(key, value)| format!("{key} = {value}")),
        1 => name.clone().prop_map(|name| format!("[{name}]")),
        1 => name.prop_map(|name| format!("[[{name}]] # h")),
        1 => Just("# comment".to_owned()),
    ]
}

proptest! {
    #[test]
    fn reads_as_the_toml_crate(lines in prop::collection::vec(line(), 0..12), crlf: bool) {
        let text = lines.join(if crlf { "\r\n" } else { "\n" });
        let tree = read(&text);
        check_spans(&tree);
        match DeTable::parse(&text) {
            Ok(table) => {
                prop_assert!(tree.errors.is_empty(), "{:?}", tree.errors);
                same(tree.root().unwrap(), &DeValue::Table(table.into_inner()));
            }
            Err(error) => prop_assert!(!tree.errors.is_empty(), "{error}"),
        }
    }

    #[test]
    fn never_panics(text in "[a-c=\\[\\]{}\"'#.,\\\\ \n\r\t{%$é\u{0}-]{0,60}") {
        check_spans(&read(&text));
    }
}

#[test]
fn markup_mends_only_what_comes_after_it() {
    let count = |text: &str| parse(text.into(), SourceId(0)).errors.len();
    for broken in [
        "[[runners]] [runners.docker] image = \"{{ .Values.image }}\"\n",
        "[a]\nuid: {{ .Values.uid }}\n",
        "image = \"a\"\nimage = \"{{ .Values.image }}\"\n",
    ] {
        assert_eq!(count(broken), 1, "{broken}");
    }
    for doubtful in [
        "key = {{ if .Values.a }}\n",
        "{{ .Values.name }}: 1\n",
        "name = \"{{ .Values.rest }}\n",
        "list = [{{ .Values.rest }}\n",
        "image = \"a\"\n{{ if .Values.a }}\nimage = \"{{ .Values.image }}\"\n{{ end }}\n",
    ] {
        assert_eq!(count(doubtful), 0, "{doubtful}");
    }
}

#[test]
fn a_broken_line_doubles_nothing() {
    let tree = parse("[a]\n- b:\n- c:\n".into(), SourceId(0));
    assert!(tree.errors.iter().all(|error| !error.duplicate), "{:?}", tree.errors);
}

#[test]
fn bare_words_of_other_formats_are_told_from_texts() {
    let said =
        |word: &str| read(&format!("a = {word}\n")).errors.iter().map(|it| it.message.clone()).collect::<Vec<_>>();
    assert_eq!(said("yes"), ["`yes` is no boolean: write `true`"]);
    assert_eq!(said("False"), ["`False` is no boolean: write `false`"]);
    assert_eq!(said("null"), ["there is no `null`: leave the key out"]);
    for text in ["alpine", "info", "nginx", "12kb"] {
        assert_eq!(said(text), ["a text must stand in quotes"], "{text}");
    }
}
