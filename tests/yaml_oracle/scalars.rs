//! Each row of `scalars.tsv`: what a plain scalar is as a value and as a key.

use runnerlint::syntax::scalar::{Dialect, Scalar, resolve};
use runnerlint::syntax::{Trees, yaml};
use runnerlint::text::SourceId;
use runnerlint::values::read::{Numbers, ReadError, documents};
use runnerlint::values::{HelmVersion, LayerId, Value, go_type, printed, to_json};
use serde_json::Value as Json;

fn read(text: &str) -> Result<Value, ReadError> {
    let mut trees = Trees::default();
    let tree = trees.add(yaml::parse(text.into(), SourceId(0)));
    let helm = HelmVersion::new(3, 19, 0);
    documents(&trees, tree, helm, LayerId(0), Numbers::Float).map(|mut reads| reads.remove(0).value)
}

fn same(json: &str, value: &Value) -> bool {
    to_json(value) == json
        || serde_json::from_str::<Json>(&to_json(value)).unwrap() == serde_json::from_str::<Json>(json).unwrap()
}

#[test]
fn every_scalar_means_what_helm_says() {
    let rows = include_str!("../../testdata/merge/scalars.tsv");
    let mut wrong = Vec::new();
    for line in rows.lines().skip(1) {
        let columns: Vec<&str> = line.split('\t').collect();
        let &[scalar, kind, value, go, shown, keyed, ..] = columns.as_slice() else { panic!("{line}") };
        let scalar: String = serde_json::from_str(scalar).unwrap();
        let as_value = match read(&format!("v: {scalar}\n")) {
            Err(_) => kind == "error",
            Ok(top) => top.get("v").is_some_and(|got| {
                let shown: Option<String> = serde_json::from_str(shown).ok();
                kind != "error"
                    && same(value, got)
                    && (got.is_null()
                        || got.as_list().is_some()
                        || got.as_map().is_some()
                        || go_type(got) == go && shown.is_none_or(|shown| printed(got) == shown))
            }),
        };
        let as_key = match read(&format!("{scalar}: 1\n")) {
            Err(_) => !keyed.starts_with('{'),
            Ok(top) => keyed.starts_with('{') && same(keyed, &top),
        };
        if !as_value || !as_key {
            wrong.push(format!(
                "{as_value} {as_key} {line} {:?}",
                read(&format!("v: {scalar}\n")).map(|top| to_json(&top))
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn kubernetes_keeps_integers() {
    let tree = yaml::parse("a: 9007199254740993\nb: 1.0\nc: 18446744073709551615\nd: \"1\"\n".into(), SourceId(0));
    let root = tree.root().unwrap();
    let meant = |key| resolve(root.get(key).unwrap(), Dialect::Kubernetes).unwrap();
    assert_eq!(meant("a"), Scalar::Int(9007199254740993));
    assert_eq!(meant("b"), Scalar::Float(1.0));
    assert_eq!(meant("c"), Scalar::Float(18446744073709551615.0));
    assert_eq!(meant("d"), Scalar::String("1".into()));
}
