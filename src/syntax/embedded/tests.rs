use proptest::prelude::*;

use super::parse;
use crate::syntax::{Builder, Kind, Language, NodeRef, Tree, Trees, yaml};
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
    let value = builder.scalar(kind(style), written.scalar, Some(written.text.as_str().into()));
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

#[test]
fn toml_strings_decode_as_the_reader_does() {
    for value in ["'a'", "\"a\\tb\\u00e9\\\"\"", "\"\"\"\r\na\\\r\n  b\\x41\"\"\"", "'''\na\n'''", "12", "\"\\e\\n\""] {
        let tree = crate::syntax::toml::parse(format!("x = {value}").into(), SourceId(0));
        assert!(tree.errors.is_empty(), "{value}: {:?}", tree.errors);
        let node = tree.root().and_then(|root| root.get("x")).expect("x");
        assert_eq!(super::decode::decode(node).expect("scalar").text, node.text(), "{value}");
    }
}

fn add(trees: &mut Trees, tree: Tree, path: &[&str]) -> NodeRef {
    let node = tree.root().and_then(|root| root.at(path)).expect("node").id;
    NodeRef { tree: trees.add(tree), node }
}

/// TOML inside YAML inside a YAML string: as Argo CD's `helm.values` holds `runners.config`.
#[test]
fn embedded_in_embedded() {
    let host = "é: 1\nspec:\n  values: |-2\n    runners:\n      config: \"[[runners]]\\n  na\\u006de = \\\"é\\\" \\\n        # c\\n\"\n    z: 1\n";
    let host = host.replace("|-2", "|-");
    for host in [host.clone(), host.replace('\n', "\r\n")] {
        let mut trees = Trees::default();
        let outer = add(&mut trees, yaml::parse(host.as_str().into(), SourceId(3)), &["spec", "values"]);
        let middle = parse(&trees, outer, Language::Yaml).expect("middle");
        let middle = add(&mut trees, middle, &["runners", "config"]);
        let inner = parse(&trees, middle, Language::Toml).expect("inner");
        let said = |node: crate::syntax::Node<'_>| inner.location(node.span()).span.slice(&host).to_owned();
        let runner = inner
            .root()
            .and_then(|root| root.get("runners"))
            .and_then(|runners| runners.items().next())
            .expect("runner");
        let name = runner.get("name").expect("name");
        assert_eq!(said(name), "\\\"é\\\"");
        assert_eq!(said(name.key().expect("key")), "na\\u006de");
        let at = NodeRef { tree: trees.add(inner.clone()), node: name.id };
        assert_eq!(trees.path(at), "spec.values > runners.config > runners[0].name");
        assert_eq!(inner.location(inner.comments[0].span).span.slice(&host), "# c");
    }
}

#[test]
fn markup_is_unknown_and_no_error() {
    let host =
        "c: |\n  a = {{ .x }}\n  b = \"{{ .y }}-1\"\n  {{- if .z }}\n  a = 2\n  {{- end }}\n  d = ${x}y\n  e = 1 1\n";
    let mut trees = Trees::default();
    let scalar = add(&mut trees, yaml::parse(host.into(), SourceId(0)), &["c"]);
    let tree = parse(&trees, scalar, Language::Toml).expect("tree");
    let root = tree.root().expect("root");
    assert!(root.get("b").expect("b").is_masked());
    assert_eq!(root.get("b").expect("b").text(), "{{ .y }}-1");
    let first = root.children().next().expect("a");
    assert_eq!((first.text(), first.is_masked()), ("{{ .x }}", true));
    assert!(!root.get("a").expect("a").is_masked());
    assert_eq!(tree.statements.len(), 2);
    let said: Vec<_> = tree.errors.iter().map(|error| tree.location(error.span).span.start).collect();
    assert_eq!(said, [u32::try_from(host.rfind("1 1").expect("1")).expect("u32")]);
}

#[test]
fn yaml_inside_yaml_with_markup() {
    let host = "c: |\n  a: {{ .x }}\n  {{- with .y }}\n  b: [{{ . }}, 1]\n  {{- end }}\n";
    let mut trees = Trees::default();
    let scalar = add(&mut trees, yaml::parse(host.into(), SourceId(0)), &["c"]);
    let tree = parse(&trees, scalar, Language::Yaml).expect("tree");
    assert!(tree.errors.is_empty(), "{:?}", tree.errors);
    let root = tree.root().expect("root");
    assert_eq!(root.get("a").expect("a").text(), "{{ .x }}");
    assert_eq!(root.get("b").expect("b").items().map(|item| item.raw()).collect::<Vec<_>>(), ["{{ . }}", "1"]);
}

proptest! {
    /// The same through the real reader, and once more around it.
    #[test]
    fn every_byte_has_its_place_in_yaml(text in document(), style in style(), crlf: bool, nested: bool) {
        let newline = if crlf { "\r\n" } else { "\n" };
        let written = write(&text, style, newline);
        let mut trees = Trees::default();
        let outer = if nested {
            let body: String = written.host.split_inclusive('\n').map(|line| format!("   {line}")).collect();
            format!("x: |{newline}{body}")
        } else {
            written.host.clone()
        };
        let tree = yaml::parse(outer.as_str().into(), SourceId(7));
        prop_assert!(tree.errors.is_empty(), "{:?} {outer:?}", tree.errors);
        let scalar = if nested {
            let node = add(&mut trees, tree, &["x"]);
            let inner = parse(&trees, node, Language::Yaml).expect("inner");
            add(&mut trees, inner, &["k", "v"])
        } else {
            add(&mut trees, tree, &["k", "v"])
        };
        let tree = parse(&trees, scalar, Language::Toml).expect("tree");
        prop_assert_eq!(&*tree.text, written.text.as_str());
        if !nested {
            check(&tree, &written);
        }
        for node in tree.nodes().filter(|node| !node.span().is_empty() && !node.raw().contains('\n')) {
            let said = tree.location(node.span()).span.slice(&outer);
            let plain = match style {
                Style::Double { .. } => said.replace("\\\"", "\"").replace("\\\\", "\\").replace("\\u00e9", "é"),
                Style::Single => said.replace("''", "'"),
                _ => said.to_owned(),
            };
            prop_assert_eq!(plain, node.raw());
        }
    }
}

/// What markup stands in is decoded like any other scalar.
#[test]
fn masked_scalars_are_decoded() {
    let host = "c: |\n  v: |\n    a = \"{{ .x }}\"\n    b = 'é'\n  w: 'it''s {{ .y }}'\n  x: \"\\\"{{ \"z\" }}\"\n";
    let mut trees = Trees::default();
    let scalar = add(&mut trees, yaml::parse(host.into(), SourceId(0)), &["c"]);
    let tree = parse(&trees, scalar, Language::Yaml).expect("tree");
    let said = |key| tree.root().and_then(|root| root.get(key)).expect(key).text();
    assert_eq!(said("v"), "a = \"{{ .x }}\"\nb = 'é'\n");
    assert_eq!(said("w"), "it's {{ .y }}");
    assert_eq!(said("x"), "\"{{ \"z\" }}");
    let inner = add(&mut trees, tree.clone(), &["v"]);
    let inner = parse(&trees, inner, Language::Toml).expect("inner");
    let b = inner.root().and_then(|root| root.get("b")).expect("b");
    assert_eq!(inner.location(b.span()).span.slice(host), "'é'");
    assert!(inner.root().and_then(|root| root.get("a")).is_some_and(crate::syntax::Node::is_masked));
}

/// Every span of a tree lies in its host's text, on characters.
fn check_locations(tree: &Tree, host: &str) {
    let spans = tree.nodes().map(|node| node.span()).chain(tree.errors.iter().map(|error| error.span));
    for span in spans.chain(tree.comments.iter().map(|comment| comment.span)).chain(tree.masked.iter().copied()) {
        let location = tree.location(span).span;
        assert!(host.get(location.range()).is_some(), "{location:?} {:?} in {host:?}", span.slice(&tree.text));
    }
}

proptest! {
    #[test]
    fn no_text_makes_it_panic(
        lines in prop::collection::vec("[ ]{0,3}([a-c]: ?)?([|>][-+12]?|[\"'])?[a-cé=\\[\\]{}\"'#.,\\\\|>&*!%$: -]{0,14}", 0..8),
        markup in prop::collection::vec(prop_oneof![Just("{{ if x }}"), Just("{{ y }}"), Just("{{"), Just("}}"), Just("${z}"), Just("{%- e %}"), Just("\r"), Just("\u{85}"), Just("\t")], 0..4),
        seed: usize,
    ) {
        let mut host = lines.join("\n");
        for (index, markup) in markup.iter().enumerate() {
            let at = seed.wrapping_mul(index + 7) % (host.len() + 1);
            let at = (0..=at).rev().find(|at| host.is_char_boundary(*at)).unwrap_or(0);
            host.insert_str(at, markup);
        }
        for outer in [yaml::parse(host.as_str().into(), SourceId(0)), crate::syntax::toml::parse(host.as_str().into(), SourceId(0))] {
            let mut trees = Trees::default();
            let outer = trees.add(outer);
            for language in [Language::Yaml, Language::Toml] {
                let scalars: Vec<_> = trees.get(outer).expect("tree").nodes().map(|node| node.id).collect();
                for node in scalars {
                    let Some(inner) = parse(&trees, NodeRef { tree: outer, node }, language) else { continue };
                    check_locations(&inner, &host);
                    let inner = trees.add(inner);
                    let scalars: Vec<_> = trees.get(inner).expect("tree").nodes().map(|node| node.id).collect();
                    for node in scalars {
                        if let Some(last) = parse(&trees, NodeRef { tree: inner, node }, Language::Toml) {
                            check_locations(&last, &host);
                        }
                    }
                }
            }
        }
    }
}
