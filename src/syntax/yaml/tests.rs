//! Any text is read without a panic, into a tree whose spans hold, in time linear in its length.

use proptest::prelude::*;

use super::parse;
use crate::syntax::{Node, Tree};
use crate::text::SourceId;

fn read(text: &str) -> Tree {
    parse(text.into(), SourceId(0))
}

/// Spans are in bounds, on characters, nested and in order; documents follow each other.
fn assert_holds(tree: &Tree) {
    let text = &tree.text;
    let sound = |span: crate::text::Span| span.start <= span.end && text.get(span.range()).is_some();
    for node in tree.nodes() {
        assert!(sound(node.span()), "{node:?}");
        assert!([node.anchor(), node.tag()].into_iter().flatten().all(sound), "{node:?}");
        let parts = node.children().flat_map(|child| child.key().into_iter().chain([child]));
        let spans: Vec<_> = parts.map(Node::span).collect();
        assert!(spans.iter().all(|&span| node.span().contains(span)), "{node:?}");
        assert!(spans.is_sorted_by(|before, after| before.end <= after.start), "{node:?}");
    }
    assert!(tree.errors.iter().all(|error| sound(error.span) && error.document < tree.documents.len()));
    assert!(tree.comments.iter().all(|comment| sound(comment.span) && comment.span.slice(text).starts_with('#')));
    assert!(tree.comments.is_sorted_by_key(|comment| comment.span.start));
    assert!(tree.documents.is_sorted_by(|before, after| before.span.end <= after.span.start));
}

const PIECES: &[&str] = &[
    "a",
    "b",
    "1",
    "é",
    "😀",
    " ",
    "  ",
    "\t",
    "\n",
    "\r\n",
    "\r",
    "\u{85}",
    "\u{2028}",
    ":",
    ": ",
    "- ",
    "-",
    "? ",
    "?",
    "[",
    "]",
    "{",
    "}",
    ",",
    ", ",
    "'",
    "\"",
    "\\",
    "\\x4",
    "|",
    "|+\n",
    ">-\n",
    "|2\n",
    "#",
    " # c\n",
    "&x",
    "*x",
    "*x ",
    "!",
    "!!str ",
    "!<a>",
    "%YAML 1.1\n",
    "%TAG ! a\n",
    "---\n",
    "--- ",
    "...\n",
    "<<: ",
    "\u{feff}",
    "\0",
    "\u{7f}",
    "\u{ffff}",
    "~",
    "@",
    "`",
    "\n  ",
    "\n    ",
    "a: ",
    "a: b\n",
];

fn soup() -> impl Strategy<Value = String> {
    proptest::collection::vec(proptest::sample::select(PIECES), 0..60).prop_map(|parts| parts.concat())
}

const SAMPLE: &str = "# head\n%YAML 1.1\n---\na: &x {b: [1, 'two', \"th\\u0072ee\"], ? c : d}\nlist:\n- x # eol\n-\n  - y\n  # end\ntext: |+\n  é\n\n  z\n\nfold: >2-\n  a\n b: *x\n...\n---\n<<: *x\n? - k\n: v\n";

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn soup_is_read(text in soup()) {
        assert_holds(&read(&text));
    }

    #[test]
    fn damaged_yaml_is_read(from in 0..SAMPLE.len(), len in 0usize..9, patch in soup()) {
        let mut bytes = SAMPLE.as_bytes().to_vec();
        let to = (from + len).min(bytes.len());
        bytes.splice(from..to, patch.bytes());
        assert_holds(&read(&String::from_utf8_lossy(&bytes)));
    }

    #[test]
    fn any_text_is_read(text in any::<String>()) {
        assert_holds(&read(&text));
    }
}

#[test]
fn traps_are_read() {
    let many = 50_000;
    let traps = [
        "[".repeat(many),
        "{".repeat(many),
        "? ".repeat(many),
        "- ".repeat(many),
        "[a,".repeat(many),
        "? - ".repeat(many),
        "# c\n".repeat(many),
        "a: # c\n".repeat(many),
        format!("[{}]", "1,\n# c\n".repeat(many)),
        format!("a: {}", "x".repeat(many)),
        format!("a: {}", "x ".repeat(many)),
        format!("a: '{}", "x ".repeat(many)),
        format!("a: \"{}\"", "\\\n".repeat(many)),
        format!("a:\n{}b", " ".repeat(many)),
        format!("a: |\n{}", " \n".repeat(many)),
        format!("a: |\n{}", "  é\n".repeat(many)),
        (0..many).map(|number| format!("k{number}: &a{number} 1\n")).collect(),
        "&a a: *a\n".repeat(many),
        "--- *x\n".repeat(many),
        "--- \u{7f}\n".repeat(many),
        "---\n- '\n".repeat(many),
        "!a ".repeat(many),
        "a: b: c\n---\n".repeat(many),
        "\u{85}".repeat(many),
        "{a: [b, # c\n".repeat(many),
    ];
    for trap in traps {
        let tree = read(&trap);
        assert_holds(&tree);
        assert!(tree.comments.iter().all(|comment| !comment.span.is_empty()));
    }
}

#[test]
fn what_follows_an_error_is_read() {
    let tree = read("a: [\n---\nb: 1\n---\nc: \"\n---\nd: *e\n---\nf: 2\n");
    let roots: Vec<_> = tree.documents.iter().map(|document| document.root.is_some()).collect();
    assert_eq!(roots, [false, true, false, false, true]);
    assert_eq!(tree.errors.iter().map(|error| error.document).collect::<Vec<_>>(), [0, 2, 3]);
    let tree = read("a: 1\n---\nb: \u{1}\n---\nc: 3\n");
    assert_eq!(tree.roots().count(), 2);
    assert_eq!(tree.errors[0].span.slice(&tree.text), "\u{1}");
}
