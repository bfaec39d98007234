//! Laws of the merge, on random trees.

use proptest::prelude::*;
use runnerlint::syntax::Dialect;
use runnerlint::syntax::scalar::{Scalar, resolve};
use runnerlint::text::Encoding;
use runnerlint::values::{Data, HelmVersion, Merged, StackInput, Value, merge, to_json};

use crate::run::World;

/// JSON, which is YAML, over few keys, so that layers meet.
fn document() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("null".to_owned()),
        Just("true".to_owned()),
        (0..1000i32).prop_map(|number| number.to_string()),
        "[a-z ]{0,4}".prop_map(|text| format!("{text:?}")),
    ];
    let key = || prop_oneof![Just("a"), Just("b"), Just("c"), Just("name")];
    let value = leaf.prop_recursive(4, 40, 4, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(|items| format!("[{}]", items.join(", "))),
            prop::collection::btree_map(key(), inner, 0..4).prop_map(|map| object(&map)),
        ]
    });
    prop::collection::btree_map(key(), value, 0..4).prop_map(|map| object(&map))
}

fn object(map: &std::collections::BTreeMap<&str, String>) -> String {
    let pairs: Vec<String> = map.iter().map(|(key, value)| format!("{key:?}: {value}")).collect();
    format!("{{{}}}", pairs.join(", "))
}

fn stack(world: &mut World, documents: &[&str], helm: HelmVersion) -> Merged {
    let mut files = Vec::new();
    for (index, text) in documents.iter().enumerate() {
        files.push(world.text(&format!("{index}.yaml"), text, Encoding::Utf8));
    }
    merge(&StackInput { files: &files, helm, ..StackInput::default() }, &world.trees).unwrap()
}

/// Every leaf, those in lists too.
fn leaves<'v>(value: &'v Value, found: &mut Vec<&'v Value>) {
    match &value.data {
        Data::Map(map) => map.entries.values().for_each(|value| leaves(value, found)),
        Data::List(items) => items.iter().for_each(|item| leaves(item, found)),
        _ => found.push(value),
    }
}

fn versions() -> impl Strategy<Value = HelmVersion> {
    prop::sample::select(vec!["3.11.1", "3.16.4", "3.19.0", "3.20.0", "3.22.0", "4.3.1"])
        .prop_map(|text| HelmVersion::parse(text).unwrap())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn an_overlay_over_itself_changes_nothing(text in document(), helm in versions()) {
        let once = stack(&mut World::default(), &[&text], helm);
        let twice = stack(&mut World::default(), &[&text, &text], helm);
        prop_assert_eq!(to_json(&once.values), to_json(&twice.values));
        prop_assert!(runnerlint::values::losses(&twice).is_empty());
    }

    #[test]
    fn each_leaf_has_one_winner_and_reads_as_its_text(
        chart in document(),
        low in document(),
        high in document(),
        helm in versions(),
    ) {
        let mut world = World::default();
        let defaults = world.text("values.yaml", &chart, Encoding::Utf8);
        let chart = runnerlint::values::Chart::of_defaults("top", "1.0.0", defaults.tree);
        let files = [world.text("low.yaml", &low, Encoding::Utf8), world.text("high.yaml", &high, Encoding::Utf8)];
        let input = StackInput { chart: Some(&chart), files: &files, helm, ..StackInput::default() };
        let merged = merge(&input, &world.trees).unwrap();
        let mut found = Vec::new();
        leaves(&merged.values, &mut found);
        for leaf in found {
            let node = world.trees.node(leaf.origin.node.unwrap()).unwrap();
            let layer = merged.layer(leaf.origin.layer).unwrap();
            let source = world.sources.get(node.tree.source).unwrap();
            let file = if layer.name.starts_with("chart:") { "values.yaml" } else { layer.name.as_str() };
            prop_assert_eq!(file, source.name.as_str());
            let text = match resolve(node, Dialect::Helm).unwrap() {
                Scalar::Null => Data::Null,
                Scalar::Bool(value) => Data::Bool(value),
                Scalar::Int(value) => Data::Float(value as f64),
                Scalar::Float(value) => Data::Float(value),
                Scalar::String(text) => Data::String(text),
            };
            prop_assert_eq!(&leaf.data, &text);
            prop_assert!(leaf.past.iter().all(|past| past.value.origin.layer <= leaf.origin.layer));
            prop_assert!(leaf.past.iter().all(|past| past.value.past.is_empty()));
        }
    }

    #[test]
    fn flags_never_panic(kind in 0..5usize, text in "[ab.=,{}\\[\\]0-9\\\\\"-]{0,24}", over in document()) {
        use runnerlint::values::{Flag, FlagKind};
        let kinds = [FlagKind::Json, FlagKind::Set, FlagKind::String, FlagKind::File, FlagKind::Literal];
        let mut world = World::default();
        let files = [world.text("low.yaml", &over, Encoding::Utf8)];
        let mut read_file = |_: &str| Ok("content".to_owned());
        let flag = Flag::parse(kinds[kind], &text, &mut world.sources, &mut world.trees, &mut read_file);
        let flags = [flag];
        let _ = merge(&StackInput { files: &files, flags: &flags, ..StackInput::default() }, &world.trees);
    }
}
