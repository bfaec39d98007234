//! Answers of real Helm (3.19.0, 4.3.1) to charts that random trials found.

use std::collections::BTreeMap;

use runnerlint::values::{Chart, HelmError, HelmVersion, Merged, StackInput, merge, to_json};

use crate::run::World;

const LEAF: [(&str, &str); 2] = [
    ("charts/mid/charts/leaf/Chart.yaml", "{name: leaf, version: 0.1.0}"),
    ("charts/mid/charts/leaf/values.yaml", "{m: {x: 1}}"),
];
const MID: &str = "{name: mid, version: 0.1.0, dependencies: [{name: leaf, version: '*', condition: leaf.enabled,
    import-values: [{child: m, parent: imp}]}]}";

fn chart(files: &[(&str, &str)], helm: HelmVersion) -> Result<Merged, HelmError> {
    let mut world = World::default();
    let files: BTreeMap<String, Vec<u8>> =
        files.iter().map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec())).collect();
    let chart = Chart::load(&files, "", &mut world.sources, &mut world.trees)?;
    merge(&StackInput { chart: Some(&chart), helm, ..StackInput::default() }, &world.trees)
}

#[test]
fn below_a_chart_without_dependencies_imports_run_and_switches_do_not() {
    let files = [
        ("Chart.yaml", "{name: top, version: 0.1.0}"),
        ("charts/mid/Chart.yaml", MID),
        ("charts/mid/values.yaml", "{leaf: {enabled: false}}"),
    ];
    for helm in [HelmVersion::new(3, 19, 0), HelmVersion::NEWEST_4] {
        let merged = chart(&[files.as_slice(), &LEAF].concat(), helm).unwrap();
        let leaf = r#"{"enabled":false,"global":{},"m":{"x":1}}"#;
        assert_eq!(to_json(&merged.values), format!(r#"{{"mid":{{"global":{{}},"imp":{{"x":1}},"leaf":{leaf}}}}}"#));
        assert_eq!(merged.charts, ["top", "top/charts/mid", "top/charts/mid/charts/leaf"]);
    }
}

#[test]
fn templates_below_an_alias_lie_in_the_original_in_helm_3() {
    let files = [
        ("Chart.yaml", "{name: top, version: 0.1.0, dependencies: [{name: mid, version: '*', alias: al}]}"),
        ("charts/mid/Chart.yaml", "{name: mid, version: 0.1.0}"),
    ];
    let paths = |helm| chart(&[files.as_slice(), &LEAF].concat(), helm).unwrap().charts;
    assert_eq!(paths(HelmVersion::new(3, 19, 0)), ["top", "top/charts/al", "top/charts/mid/charts/leaf"]);
    assert_eq!(paths(HelmVersion::NEWEST_4), ["top", "top/charts/al", "top/charts/al/charts/leaf"]);
}

#[test]
fn two_entries_of_one_name_are_refused() {
    let entries = "dependencies: [{name: a, version: '*', alias: s}, {name: s, version: '*'}]";
    let error = chart(&[("Chart.yaml", &format!("{{name: top, version: 0.1.0, {entries}}}"))], HelmVersion::NEWEST_4);
    assert_eq!(error.unwrap_err().message, "validation: more than one dependency with name or alias \"s\"");
}

#[test]
fn imports_that_nest_a_table_in_itself_end() {
    let imports = "import-values: [{child: t, parent: p}, {child: t, parent: p.x}, {child: t, parent: p.y}]";
    let files = [
        (
            "Chart.yaml",
            format!("{{name: top, version: 0.1.0, dependencies: [{{name: sub, version: '*', {imports}}}]}}"),
        ),
        ("charts/sub/Chart.yaml", "{name: sub, version: 0.1.0}".to_owned()),
        ("charts/sub/values.yaml", "{t: {k: 1}}".to_owned()),
    ];
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (*path, text.as_str())).collect();
    for helm in [HelmVersion::new(3, 11, 1), HelmVersion::new(3, 19, 0), HelmVersion::NEWEST_4] {
        assert!(chart(&files, helm).is_err());
    }
}

/// A chart that is listed twice, once under an alias.
const TWICE: &str = "{name: top, version: 0.1.0, dependencies: [{name: mid, version: '*'},
    {name: mid, version: '*', alias: al}]}";

#[test]
fn copies_of_a_chart_share_their_entries_in_helm_3() {
    let renames = "{name: mid, version: 0.1.0, dependencies: [{name: leaf, version: '*', alias: ga}]}";
    let imports = "{name: mid, version: 0.1.0, dependencies: [{name: leaf, version: '*',
        import-values: [{child: m, parent: imp}]}]}";
    let leaf = r#"{"global":{},"m":{"x":1}}"#;
    let values = |mid: &str, helm| {
        let files = [("Chart.yaml", TWICE), ("charts/mid/Chart.yaml", mid)];
        to_json(&chart(&[files.as_slice(), &LEAF].concat(), helm).unwrap().values)
    };
    let both = |first: &str, second: &str| format!(r#"{{"al":{{{second}}},"mid":{{{first}}}}}"#);
    let (ga, own) = (format!(r#""ga":{leaf},"global":{{}}"#), format!(r#""global":{{}},"leaf":{leaf}"#));
    assert_eq!(values(renames, HelmVersion::new(3, 19, 0)), both(&ga, &own));
    assert_eq!(values(renames, HelmVersion::NEWEST_4), both(&ga, &ga));
    let imported = format!(r#""global":{{}},"imp":{{"x":1}},"leaf":{leaf}"#);
    assert_eq!(values(imports, HelmVersion::new(3, 19, 0)), both(&imported, &own));
    assert_eq!(values(imports, HelmVersion::NEWEST_4), both(&imported, &imported));
}

#[test]
fn schemas_that_are_not_valid_are_refused() {
    let refused = |schema: &str, helm| {
        let files =
            [("Chart.yaml", "{name: top, version: 0.1.0}"), ("values.yaml", "{a: 1}"), ("values.schema.json", schema)];
        chart(&files, helm).is_err()
    };
    for schema in [
        r##"{"properties": {"a": {"$ref": "#/nope"}}}"##,
        r##"{"properties": {"a": {"$ref": "#nope"}}}"##,
        r#"{"properties": {"a": {"$ref": "other.json"}}}"#,
        r#"{"properties": {"b": {"type": "strin"}}}"#,
        r#"{"properties": {"b": {"pattern": "^(?!x)"}}}"#,
        r#"{"properties": {"b": {"exclusiveMaximum": true}}}"#,
        r#"{"$schema": "http://json-schema.org/draft-07/schema#", "required": true}"#,
        "null",
        "{",
    ] {
        assert!(refused(schema, HelmVersion::new(3, 19, 0)), "{schema}");
        assert!(refused(schema, HelmVersion::NEWEST_4), "{schema}");
    }
    // Nothing is known of what lies in the network.
    assert!(!refused(r#"{"properties": {"a": {"$ref": "https://example.com/a.json"}}}"#, HelmVersion::NEWEST_4));
}

#[test]
fn charts_that_helm_does_not_load_say_so() {
    let refusal = |chart: &str, below: &str| {
        let mut world = World::default();
        let files = [("Chart.yaml", chart), ("charts/sub/Chart.yaml", below)];
        let files: BTreeMap<String, Vec<u8>> =
            files.iter().map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec())).collect();
        Chart::load(&files, "", &mut world.sources, &mut world.trees).unwrap().refusal()
    };
    let top = |rest: &str| format!("{{name: top, {rest}}}");
    let good = "{name: sub, version: 0.1.0}";
    for fine in [
        "version: 1",
        "version: 1.0",
        "version: v1.2.3",
        "version: 01.2.3",
        "version: 1.2.3+b.c",
        "version: 1.2.3, type: ''",
        "version: 1.2.3, type: application",
        "version: 1.2.3, dependencies: null",
        "version: 1.2.3, dependencies: [{name: sub, version: '*', alias: a_b-C9}]",
    ] {
        assert_eq!(refusal(&top(fine), good), None, "{fine}");
    }
    for bad in [
        "type: application",
        "version: abc",
        "version: 1.2.3.4",
        "version: 1.2.3-",
        "version: ' 1.0.0'",
        "version: 1.2.3, type: foo",
        "version: 1.2.3, dependencies: {}",
        "version: 1.2.3, dependencies: x",
        "version: 1.2.3, dependencies: [{name: sub, version: '*', import-values: x}]",
        "version: 1.2.3, dependencies: [{name: sub, version: '*', tags: t}]",
        "version: 1.2.3, dependencies: [{name: sub, version: '*', condition: [a]}]",
        "version: 1.2.3, dependencies: [{name: sub, version: '*', alias: a.b}]",
        "version: 1.2.3, dependencies: [{name: sub, version: '*', alias: é}]",
    ] {
        assert!(refusal(&top(bad), good).is_some(), "{bad}");
    }
    for bad in ["{name: a/b, version: 0.1.0}", "{name: sub}"] {
        assert!(refusal(&top("version: 0.1.0"), bad).is_some(), "{bad}");
    }
}
