//! `init`, `completions` and `man` as their users see them.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "a test")]

use std::path::Path;
use std::process::{Command, Output};

fn run(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_runnerlint")).current_dir(folder).args(arguments).output().unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// Copies a project without its configuration.
fn copy(from: &Path, to: &Path) {
    for entry in walkdir::WalkDir::new(from).into_iter().map(Result::unwrap) {
        let target = to.join(entry.path().strip_prefix(from).unwrap());
        if entry.file_type().is_dir() {
            std::fs::create_dir_all(target).unwrap();
        } else if !["runnerlint.toml", "expect.yaml"].contains(&&*entry.file_name().to_string_lossy()) {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// Fingerprints of what is found.
fn findings(folder: &Path) -> Vec<String> {
    let output = run(folder, &["check", ".", "--as-of", "2026-11-30", "--output-format", "json"]);
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let findings = json["findings"].as_array().unwrap().iter();
    let mut all: Vec<_> = findings.map(|found| format!("{} {}", found["rule"], found["fingerprint"])).collect();
    all.sort();
    all
}

#[test]
fn what_is_written_down_is_what_was_found() {
    let families = std::fs::read_dir("testdata/cases").unwrap().map(|entry| entry.unwrap().path());
    let families = families.filter(|path| path.is_dir());
    let cases = families.flat_map(|family| std::fs::read_dir(family).unwrap().map(|entry| entry.unwrap().path()));
    let projects = cases.chain([Path::new("testdata/projects/fleet").to_owned()]);
    let mut written = 0;
    for project in projects {
        let folder = tempfile::tempdir().unwrap();
        copy(&project, folder.path());
        let before = findings(folder.path());
        let init = run(folder.path(), &["init"]);
        assert_eq!(init.status.code(), Some(0), "{}: {}", project.display(), stderr(&init));
        written += usize::from(!stderr(&init).contains(" 0 stacks"));
        let text = std::fs::read_to_string(folder.path().join("runnerlint.toml")).unwrap();
        assert_eq!(findings(folder.path()), before, "{}\n{text}", project.display());
    }
    assert!(written > 20, "few stacks were found: {written}");
}

#[test]
fn nothing_is_overwritten() {
    for name in ["runnerlint.toml", ".runnerlint.toml"] {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(name), "# mine\n").unwrap();
        let output = run(folder.path(), &["init"]);
        assert_eq!((output.status.code(), stderr(&output).contains(name)), (Some(2), true));
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
        assert_eq!(std::fs::read_to_string(folder.path().join(name)).unwrap(), "# mine\n");
    }
}

#[test]
fn shells_and_man_know_the_options() {
    let here = Path::new(".");
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let output = run(here, &["completions", shell]);
        let script = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success() && script.contains("write-baseline"), "{shell}");
    }
    let page = String::from_utf8(run(here, &["man"]).stdout).unwrap();
    assert!(page.contains(".TH runnerlint") && page.contains("RUNNERLINT CHECK") && page.contains("diff\\-base"));
    assert_eq!(run(here, &["completions", "cmd"]).status.code(), Some(2));
}
