use proptest::prelude::*;

use super::parse;
use crate::syntax::{Builder, Kind, Language, NodeRef, Tree, Trees};
use crate::text::{SourceId, Span};

/// A host text with one scalar, and for every character of the scalar's text its offset in that
/// text and its range in the host.
#[derive(Debug, Clone, Default)]
struct Written {
    host: String,
    scalar: Span,
    text: String,
    places: Vec<(usize, std::ops::Range<usize>)>,
}

impl Written {
    fn put(&mut self, char: char, written: &str) {
        self.places.push((self.text.len(), self.host.len()..self.host.len() + written.len()));
        self.text.push(char);
        self.host.push_str(written);
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Style {
    Literal { chomp: &'static str, indent: usize, explicit: bool },
    Folded,
    Double { folded: bool },
    Single,
}

/// Writes `text` as a value of `v:` under `k:`, so that the enclosing mapping stands in column 2.
fn write(text: &str, style: Style, newline: &str) -> Written {
    let mut out = Written { host: format!("# é\u{1f600}{newline}k:{newline}  v: "), ..Written::default() };
    let start = out.host.len();
    match style {
        Style::Literal { chomp, indent, explicit } => {
            let digit = if explicit { indent.to_string() } else { String::new() };
            out.host.push_str(&format!("|{digit}{chomp} # c{newline}"));
            block(&mut out, text, 2 + indent, newline, newline);
            if chomp == "-" {
                while out.text.ends_with('\n') {
                    out.text.pop();
                    out.places.pop();
                }
            }
        }
        Style::Folded => {
            out.host.push_str(&format!(">{newline}"));
            // One break more than is read.
            block(&mut out, text, 4, newline, &format!("{newline}{newline}"));
        }
        Style::Double { folded } => {
            out.host.push('"');
            for (index, char) in text.chars().enumerate() {
                match char {
                    '\n' => out.put(char, "\\n"),
                    '"' => out.put(char, "\\\""),
                    '\\' => out.put(char, "\\\\"),
                    'é' if index % 2 == 0 => out.put(char, "\\u00e9"),
                    _ => out.put(char, &char.to_string()),
                }
                if folded && char == '\n' {
                    out.host.push_str(&format!("\\{newline}    "));
                }
            }
            out.host.push('"');
        }
        Style::Single => {
            out.host.push('\'');
            for char in text.chars() {
                match char {
                    '\n' => {
                        out.host.push_str(newline);
                        out.put(char, newline);
                        out.host.push_str("    ");
                    }
                    '\'' => out.put(char, "''"),
                    _ => out.put(char, &char.to_string()),
                }
            }
            out.host.push('\'');
        }
    }
    out.scalar = Span::new(start, out.host.trim_end_matches(['\r', '\n', ' ']).len());
    if !out.host.ends_with('\n') {
        out.host.push_str(newline);
    }
    out.host.push_str(&format!("z: 1{newline}"));
    out
}

fn block(out: &mut Written, text: &str, indent: usize, newline: &str, between: &str) {
    for line in text.split_inclusive('\n') {
        if line != "\n" {
            out.host.push_str(&" ".repeat(indent));
        }
        for char in line.chars() {
            match char {
                '\n' if out.text.is_empty() || between == newline => out.put(char, newline),
                '\n' => {
                    out.host.push_str(newline);
                    out.put(char, newline);
                }
                _ => out.put(char, &char.to_string()),
            }
        }
    }
}

fn kind(style: Style) -> Kind {
    match style {
        Style::Literal { .. } => Kind::Literal,
        Style::Folded => Kind::Folded,
        Style::Double { .. } => Kind::DoubleQuoted,
        Style::Single => Kind::SingleQuoted,
    }
}

/// The host as the YAML reader would give it.
fn host(written: &Written, style: Style) -> (Trees, NodeRef) {
    let mut builder = Builder::new(Language::Yaml, written.host.as_str().into(), SourceId(7));
    let end = written.scalar.end as usize;
    let at = written.host.find("v: ").expect("key");
    let key = builder.scalar(Kind::Plain, Span::new(at, at + 1), None);
    let value = builder.scalar(kind(style), written.scalar, None);
    builder.mapping(Kind::BlockMap, Span::new(at, end), &[(key, value)]);
    let mut trees = Trees::default();
    let tree = trees.add(builder.finish());
    (trees, NodeRef { tree, node: value })
}

fn check(tree: &Tree, written: &Written) {
    assert_eq!(&*tree.text, written.text);
    let start =
        |offset: u32| written.places.iter().find(|(at, _)| *at == offset as usize).map(|(_, range)| range.start);
    let end =
        |offset: u32| written.places.iter().rev().find(|(at, _)| *at < offset as usize).map(|(_, range)| range.end);
    for node in tree.nodes().filter(|node| !node.span().is_empty()) {
        let location = tree.location(node.span());
        assert_eq!(location.source, SourceId(7));
        assert_eq!(Some(location.span.start as usize), start(node.span().start), "{node:?} in {:?}", written.host);
        assert_eq!(Some(location.span.end as usize), end(node.span().end), "{node:?} in {:?}", written.host);
    }
}

fn style() -> impl Strategy<Value = Style> {
    let chomp = prop_oneof![Just(""), Just("-"), Just("+")];
    prop_oneof![
        3 => (chomp, 1usize..5, any::<bool>()).prop_map(|(chomp, indent, explicit)| Style::Literal { chomp, indent, explicit }),
        1 => Just(Style::Folded),
        2 => any::<bool>().prop_map(|folded| Style::Double { folded }),
        1 => Just(Style::Single),
    ]
}

fn document() -> impl Strategy<Value = String> {
    let line = prop_oneof![
        Just("a = 'é'"),
        Just("[t]"),
        Just("[[r]]"),
        Just("b = \"x\\\"y\""),
        Just("c = [1, # é"),
        Just("2]"),
        Just("# c"),
        Just("d = {e = 1}"),
        Just("\"é😀\".f = '''g'''"),
        Just("h ="),
        Just("a = 2"),
    ];
    prop::collection::vec(line, 1..8).prop_map(|lines| lines.join("\n") + "\n")
}

proptest! {
    #[test]
    fn every_byte_has_its_place(text in document(), style in style(), crlf: bool) {
        let written = write(&text, style, if crlf { "\r\n" } else { "\n" });
        let (trees, scalar) = host(&written, style);
        let tree = parse(&trees, scalar, Language::Toml).expect("tree");
        check(&tree, &written);
    }
}
