use super::*;
use crate::syntax::{Trees, yaml};
use crate::text::SourceId;
use crate::values::{HelmVersion, to_json};

const V3: HelmVersion = HelmVersion::new(3, 19, 0);
const V4: HelmVersion = HelmVersion::new(4, 3, 1);

fn trees(text: &str) -> (Trees, TreeId) {
    let mut trees = Trees::default();
    let tree = trees.add(yaml::parse(text.into(), SourceId(0)));
    (trees, tree)
}

fn read_first(text: &str) -> Result<Read, ReadError> {
    let (trees, id) = trees(text);
    let tree = trees.get(id).unwrap();
    read(tree, id, tree.root().unwrap().id, Dialect::Helm, LayerId(0))
}

#[test]
fn an_alias_is_a_copy_that_says_where_it_stands() {
    let text = "a: &a {b: [1]}\nc: *a\n";
    let (trees, id) = trees(text);
    let tree = trees.get(id).unwrap();
    let value = to_value(tree, id, tree.root().unwrap().id, Dialect::Kubernetes, LayerId(7)).unwrap();
    let at = |value: &Value| trees.node(value.origin.node.unwrap()).unwrap().raw();
    let copy = value.get("c").unwrap();
    assert_eq!(at(copy), "*a");
    assert_eq!(at(copy.get("b").unwrap()), "[1]");
    assert_eq!(copy.at(&["b"]).unwrap().as_list().unwrap()[0].data, Data::Int(1));
    assert_eq!(copy.origin.layer, LayerId(7));
}

#[test]
fn keys_that_meet_in_json_are_told() {
    let read = read_first("1: a\n\"1\": b\nyes: c\ntrue: d\n\"true\": e\n").unwrap();
    let keys: Vec<_> = read.collisions.iter().map(|collision| collision.key.as_str()).collect();
    assert_eq!(keys, ["1", "true"]);
    assert!(read_first("a: 1\na: 2\n1: x\n1: y\n").unwrap().collisions.is_empty());
}

#[test]
fn what_a_later_duplicate_beat_is_not_refused() {
    assert_eq!(to_json(&read_first("a: .inf\na: 1\n").unwrap().value), r#"{"a":1}"#);
    assert_eq!(to_json(&read_first("a: {~: 1}\na: 2\n").unwrap().value), r#"{"a":2}"#);
    assert!(read_first("a: 1\na: .inf\n").is_err());
    assert!(read_first("a: !!int x\na: 1\n").is_err());
}

#[test]
fn copies_upon_copies_are_refused_soon() {
    let mut text = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n".to_owned();
    for level in 1..60 {
        let items = vec![format!("*a{}", level - 1); 9].join(", ");
        text.push_str(&format!("a{level}: &a{level} [{items}]\n"));
    }
    assert!(read_first(&text).unwrap_err().message.contains("copies"));
    let mut text = "a0: &a0 {x: 1}\n".to_owned();
    for level in 1..60 {
        let items = vec![format!("*a{}", level - 1); 9].join(", ");
        text.push_str(&format!("a{level}: &a{level}\n  <<: [{items}]\n"));
    }
    assert!(read_first(&text).unwrap_err().message.contains("copies"));
}

#[test]
fn a_small_stack_holds_the_deepest_value() {
    let run = || {
        let text = format!("a: {}{}", "[".repeat(MAX_DEPTH - 1), "]".repeat(MAX_DEPTH - 1));
        let value = read_first(&text).unwrap().value;
        assert_eq!(value.clone(), value);
        assert!(read_first(&format!("a: {}{}", "[".repeat(MAX_DEPTH), "]".repeat(MAX_DEPTH))).is_err());
        assert!(read_first(&format!("{}{}", "{a: ".repeat(9000), "}".repeat(9000))).is_err());
    };
    std::thread::Builder::new().stack_size(2 << 20).spawn(run).unwrap().join().unwrap();
}

#[test]
fn helm_3_reads_one_document_and_helm_4_all() {
    let values = |text: &str, helm| {
        let (trees, id) = trees(text);
        let reads = documents(&trees, id, helm, LayerId(0), Numbers::Float)?;
        Ok::<_, ReadError>(reads.iter().map(|read| to_json(&read.value)).collect::<Vec<_>>())
    };
    let text = "a: 1\n---\n# nothing\n---\nb: |\n  x";
    assert_eq!(values(text, V3).unwrap(), [r#"{"a":1}"#]);
    assert_eq!(values(text, V4).unwrap(), [r#"{"a":1}"#, "{}", r#"{"b":"x\n"}"#]);
    let text = "a: 1\n---\nb: [\n";
    assert!(values(text, V3).is_ok() && values(text, V4).is_err());
    let text = "a: 1\n--- b\n";
    assert!(values(text, V3).is_ok() && values(text, V4).is_err());
    assert_eq!(values("", V4).unwrap(), ["{}"; 0]);
    assert_eq!(values("", V3).unwrap(), ["{}"]);
}

#[test]
fn toml_means_what_it_says() {
    let mut trees = Trees::default();
    let text = "a = 1_000\nb = 0x1F\nc = 1.5\nd = true\ne = 'x'\n\"1\" = [1979-05-27]\nf = inf\n";
    let id = trees.add(crate::syntax::toml::parse(text.into(), SourceId(0)));
    let tree = trees.get(id).unwrap();
    let value = to_value(tree, id, tree.root().unwrap().id, Dialect::Toml, LayerId(0)).unwrap();
    assert_eq!(value.get("a").unwrap().data, Data::Int(1000));
    assert_eq!(value.get("b").unwrap().data, Data::Int(31));
    assert_eq!(value.get("c").unwrap().data, Data::Float(1.5));
    assert_eq!(value.get("d").unwrap().data, Data::Bool(true));
    assert_eq!(value.get("1").unwrap().as_list().unwrap()[0].as_str(), Some("1979-05-27"));
}
