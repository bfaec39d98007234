//! `--baseline` and `--write-baseline` as their users see them.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "a test")]

use std::path::Path;
use std::process::{Command, Output};

const RUNNER: &str = "[[runners]]\n  executor = \"kubernetes\"\n  [runners.kubernetes]\n    memory_limit = \"2Gi\"\n    helper_memory_limit = \"1Gi\"\n    service_memory_limit = \"1Gi\"\n";

fn run(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_runnerlint")).current_dir(folder).args(arguments).output().unwrap()
}

fn write(folder: &Path, name: &str, text: &str) {
    std::fs::write(folder.join(name), text).unwrap();
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn json(output: &Output) -> serde_json::Value {
    serde_json::from_slice(&output.stdout).unwrap()
}

const FAIL: [&str; 2] = ["--fail-on", "info"];

fn check(folder: &Path, more: &[&str]) -> Output {
    let all = [&["check", ".", "--output-format", "json"], &FAIL[..], more].concat();
    run(folder, &all)
}

#[test]
fn shows_only_what_is_new_and_says_what_is_fixed() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write(folder, "config.toml", &(RUNNER.to_owned() + "    privileged = true\n"));
    assert_eq!(check(folder, &[]).status.code(), Some(1));

    let written = check(folder, &["--write-baseline", "known.json"]);
    assert_eq!((written.status.code(), stderr(&written)), (Some(0), "wrote 1 finding to `known.json`\n".to_owned()));
    let first = std::fs::read(folder.join("known.json")).unwrap();

    // Lines move, another fault comes in.
    write(folder, "config.toml", &format!("# moved\n\n{RUNNER}    # and on\n    privileged = true\n"));
    let known = check(folder, &["--baseline", "known.json"]);
    assert_eq!((known.status.code(), json(&known)["summary"]["known"].as_u64()), (Some(0), Some(1)));
    check(folder, &["--write-baseline", "again.json"]);
    assert_eq!(std::fs::read(folder.join("again.json")).unwrap(), first);

    write(folder, "config.toml", &RUNNER.replace("    memory_limit = \"2Gi\"\n", ""));
    let new = check(folder, &["--baseline", "known.json", "-v"]);
    assert_eq!(new.status.code(), Some(1));
    assert_eq!(json(&new)["findings"].as_array().unwrap().len(), 1, "{}", json(&new));
    assert_eq!(json(&new)["summary"]["fixed"], 1);
    let said = stderr(&new);
    assert!(said.contains("fixed: config.toml: ") && said.contains("1 finding of the baseline fixed"), "{said}");
}

#[test]
fn what_was_not_looked_for_is_not_fixed() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write(folder, "a.toml", &(RUNNER.to_owned() + "    privileged = true\n"));
    write(folder, "b.toml", RUNNER);
    check(folder, &["--write-baseline", "known.json"]);
    for more in [&["b.toml"][..], &["a.toml", "--ignore", "kubernetes,gitlab"]] {
        let arguments = [&["check", "--baseline", "known.json", "--output-format", "json"], more].concat();
        assert_eq!(json(&run(folder, &arguments))["summary"]["fixed"], 0, "{more:?}");
    }
    std::fs::remove_file(folder.join("a.toml")).unwrap();
    assert_eq!(json(&check(folder, &["--baseline", "known.json"]))["summary"]["fixed"], 1);
}

#[test]
fn another_fault_of_a_broken_file_is_new() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write(folder, "values.yaml", "runnerScaleSetName: x\na: [1\n");
    check(folder, &["--write-baseline", "known.json"]);
    write(folder, "values.yaml", "# moved\nrunnerScaleSetName: x\na: [1\n");
    assert_eq!(check(folder, &["--baseline", "known.json"]).status.code(), Some(0));
    write(folder, "values.yaml", "runnerScaleSetName: x\na: 'b\n");
    assert_eq!(check(folder, &["--baseline", "known.json"]).status.code(), Some(1));
}

#[test]
fn a_broken_baseline_is_no_baseline() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write(folder, "config.toml", RUNNER);
    write(folder, "broken.json", "{\"version\": 1, \"findings\": [");
    write(folder, "newer.json", "{\"version\": 2}");
    for (name, word) in [("broken.json", "line 1"), ("newer.json", "version is 2"), ("none.json", "cannot read")] {
        let output = check(folder, &["--baseline", name, "--write-baseline", name]);
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains(word) && stderr(&output).contains(name), "{}", stderr(&output));
    }
    assert!(!folder.join("none.json").exists());
}
