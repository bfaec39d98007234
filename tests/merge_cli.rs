//! `runnerlint merge` as its users see it.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test")]

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};
use tempfile::TempDir;

const BASE: &str = "\
template:
  spec:
    containers:
      - name: runner
        image: img:1
        command: [\"/home/runner/run.sh\"]
      - name: side
keep: {x: 1}
";
const PROD: &str = "\
template:
  spec:
    containers:
      - name: runner
        image: img:2
keep: {x: null}
";

fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [
        ("values.yaml", BASE),
        ("prod.yaml", PROD),
        ("runnerlint.toml", "[[stack]]\nname = \"prod\"\nvalues = [\"values.yaml\", \"prod.yaml\"]\nset = [\"n=1\"]\n"),
        ("ch/Chart.yaml", "{name: top, version: 1.0.0}"),
        ("ch/values.yaml", "keep: {x: 0, z: 0}\nsub: {k: 1}\n"),
        ("ch/values.schema.json", r#"{"properties": {"port": {"type": "integer"}}}"#),
        ("ch/charts/sub/Chart.yaml", "{name: sub, version: 0.1.0}"),
        ("ch/charts/sub/values.yaml", "k: 0\n"),
    ] {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    folder
}

/// Exit status, stdout, stderr.
fn run(folder: &Path, arguments: &str) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_runnerlint"));
    command.current_dir(folder).arg("merge").args(arguments.split(' ')).env("NO_COLOR", "1");
    let output = command.output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

fn json_of(folder: &Path, arguments: &str) -> Value {
    let (status, out, err) = run(folder, &format!("{arguments} --output-format json"));
    assert_eq!(status, Some(0), "{err}");
    serde_json::from_str(&out).unwrap()
}

#[test]
fn json_has_values_charts_origins_and_losses() {
    let folder = folder();
    let merged = json_of(folder.path(), "--chart ./ch -f values.yaml,prod.yaml --set n=1000000");
    assert_eq!(merged["values"]["keep"], json!({"z": 0}));
    assert_eq!(merged["charts"], json!(["top", "top/charts/sub"]));
    assert_eq!(merged["warnings"], json!([]));
    let origins = &merged["origins"];
    let n = json!({"layer": "--set n=1000000", "line": 1, "type": "int64", "printed": "1000000"});
    assert_eq!(origins["/n"], n);
    let z = json!({"layer": "chart:top@1.0.0", "line": 1, "type": "float64", "printed": "0"});
    assert_eq!(origins["/keep/z"], z);
    assert_eq!(origins["/template/spec/containers/0/image"]["line"], 5);
    let lost = json!([
        {"path": "template.spec.containers[0]", "layer": "prod.yaml", "line": 3, "lost_from": "values.yaml",
         "lost_line": 6, "what": "`command` of `runner`"},
        {"path": "template.spec.containers", "layer": "prod.yaml", "line": 3, "lost_from": "values.yaml",
         "lost_line": 7, "what": "item `side`"},
        {"path": "keep.x", "layer": "prod.yaml", "line": 6, "lost_from": "values.yaml", "lost_line": 8,
         "what": "key `x`, deleted by null"},
    ]);
    assert_eq!(merged["lost"], lost);
}

#[test]
fn yaml_marks_what_was_lost() {
    let folder = folder();
    let (_, plain, _) = run(folder.path(), "-f values.yaml -f prod.yaml");
    let marked = "values.yaml:6 │ -         command:  # lost: replaced by prod.yaml:3\n";
    assert!(plain.contains(marked), "{plain}");
    assert!(plain.contains("prod.yaml:5   │           image: img:2\n"), "{plain}");
    let (_, colored, _) = run(folder.path(), "-f values.yaml -f prod.yaml --color always");
    assert!(colored.contains("\u{1b}[9;31m        command:\u{1b}[0m"), "{colored}");
}

#[test]
fn diff_shows_the_last_layer_only() {
    let folder = folder();
    let (_, text, _) = run(folder.path(), "-f values.yaml -f prod.yaml --diff");
    assert!(text.starts_with("--- without prod.yaml\n+++ with prod.yaml\n"), "{text}");
    for line in ["-        image: img:1", "+      - image: img:2", "-  x: 1", "+  x: null"] {
        assert!(text.lines().any(|found| found == line), "{line}\n{text}");
    }
    let patch = json_of(folder.path(), "-f values.yaml -f prod.yaml --set a=1 --diff");
    assert_eq!(patch, json!([{"op": "add", "path": "/a", "value": 1}]));
}

#[test]
fn what_helm_refuses_ends_with_2() {
    let folder = folder();
    for (arguments, message) in [
        ("-f absent.yaml", "absent.yaml"),
        ("-f values.yaml --set a[-1]=1", "failed parsing --set data: negative -1 index not allowed"),
        ("--chart ./ch --set sub=1", "type mismatch on sub: %!t(int64=1)"),
        ("--chart ./ch --set-string port=x", "values don't meet the specifications of the schema(s)"),
        ("--chart ./nowhere", "nowhere"),
        ("--stack other", "no stack `other`"),
        ("--helm-version 2", "neither"),
    ] {
        let (status, out, err) = run(folder.path(), arguments);
        assert_eq!((status, out.as_str()), (Some(2), ""), "{arguments}: {err}");
        assert!(err.contains(message), "{arguments}: {err}");
    }
    let (status, _, _) = run(folder.path(), "--chart ./ch --set-string port=x --skip-schema-validation");
    assert_eq!(status, Some(0));
}

#[test]
fn stacks_of_the_configuration_and_known_charts() {
    let folder = folder();
    let merged = json_of(folder.path(), "--stack prod --chart gha-runner-scale-set@0.14.2");
    assert_eq!(merged["values"]["n"], 1);
    assert_eq!(merged["origins"]["/scaleSetLabels"]["layer"], "chart:gha-runner-scale-set@0.14.2");
    // Of an unknown chart the defaults are unknown, which is no error.
    assert_eq!(json_of(folder.path(), "--stack prod --chart nobody-knows-it")["charts"], json!([]));
}

#[test]
fn upgrades_start_from_the_last_release() {
    let folder = folder();
    std::fs::write(folder.path().join("old.yaml"), "a: 1\n").unwrap();
    let values = |mode: &str| json_of(folder.path(), &format!("--previous old.yaml --set b=2{mode}"))["values"].clone();
    assert_eq!(values(""), json!({"b": 2}));
    assert_eq!(values(" --reuse-values"), json!({"a": 1, "b": 2}));
    assert_eq!(values(" --reset-then-reuse-values --reset-values"), json!({"b": 2}));
    assert_eq!(json_of(folder.path(), "--previous old.yaml")["values"], json!({"a": 1}));
}
