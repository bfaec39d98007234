//! `--diff-base` in repositories of git, where there is git.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "a test")]

use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;

const ONE: &str = "[[runners]]\n  name = \"one\"\n  executor = \"kubernetes\"\n  [runners.kubernetes]\n    privileged = true\n    memory_limit = \"2Gi\"\n    helper_memory_limit = \"1Gi\"\n    service_memory_limit = \"1Gi\"\n";
const TWO: &str = "[[runners]]\n  name = \"two\"\n  executor = \"kubernetes\"\n  [runners.kubernetes]\n    privileged = true\n    memory_limit = \"2Gi\"\n    helper_memory_limit = \"1Gi\"\n    service_memory_limit = \"1Gi\"\n";

fn git(folder: &Path, arguments: &[&str]) {
    let identity = ["-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"];
    let quiet = ["-c", "core.autocrlf=false", "-c", "core.hooksPath=none"];
    let output = Command::new("git").current_dir(folder).args(identity).args(quiet).args(arguments).output().unwrap();
    assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
}

fn commit(folder: &Path) {
    git(folder, &["add", "-A"]);
    git(folder, &["commit", "-q", "-m", "x"]);
}

fn write(folder: &Path, name: &str, text: &str) {
    let path = folder.join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

/// A repository with one commit; none where there is no git.
fn repository(files: &[(&str, &str)]) -> Option<TempDir> {
    Command::new("git").arg("--version").output().ok()?;
    let folder = tempfile::tempdir().unwrap();
    git(folder.path(), &["init", "-q", "-b", "main"]);
    for (name, text) in files {
        write(folder.path(), name, text);
    }
    commit(folder.path());
    Some(folder)
}

fn check(folder: &Path, more: &[&str]) -> Output {
    let arguments = [&["check", ".", "--output-format", "json", "--fail-on", "info"], more].concat();
    Command::new(env!("CARGO_BIN_EXE_runnerlint")).current_dir(folder).args(arguments).output().unwrap()
}

/// `file:line` of what is shown.
fn shown(folder: &Path, revision: &str) -> Vec<String> {
    let output = check(folder, &["--diff-base", revision]);
    let json: serde_json::Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&output.stderr)));
    let place = |found: &serde_json::Value| {
        let location = &found["location"];
        format!("{}:{}", location["file"].as_str().unwrap(), location["start"]["line"])
    };
    json["findings"].as_array().unwrap().iter().map(place).collect()
}

#[test]
fn changed_lines_only() {
    let Some(folder) = repository(&[("a/config.toml", ONE)]) else { return };
    let folder = folder.path();
    assert_eq!(shown(folder, "HEAD"), Vec::<String>::new());
    write(folder, "a/config.toml", &format!("{TWO}\n{ONE}"));
    assert_eq!(shown(folder, "HEAD"), ["a/config.toml:5"]);
    // From a folder inside, the same by another name; committed, there is nothing new.
    assert_eq!(shown(&folder.join("a"), "HEAD"), ["config.toml:5"]);
    commit(folder);
    assert_eq!(shown(folder, "HEAD"), Vec::<String>::new());
    assert_eq!(shown(folder, "HEAD~1"), ["a/config.toml:5"]);
}

#[test]
fn a_finding_whose_cause_is_on_a_changed_line() {
    let base = "runnerScaleSetName: a\ntemplate:\n  spec:\n    containers:\n      - name: runner\n        image: ghcr.io/actions/actions-runner:latest\n";
    let overlay = "template:\n  spec:\n    containers:\n      - name: runner\n        image: ghcr.io/actions/actions-runner:latest\n        resources: {limits: {memory: 1Gi}}\n";
    let config = "[[stack]]\nchart = \"gha-runner-scale-set\"\nvalues = [\"values.yaml\", \"values-prod.yaml\"]\n";
    let files = [("values.yaml", base), ("values-prod.yaml", overlay), ("runnerlint.toml", config)];
    let Some(folder) = repository(&files) else { return };
    let folder = folder.path();
    // Only the base changes; what is lost of it is reported in the overlay.
    write(folder, "values.yaml", &format!("{base}        env: [{{name: PROXY, value: x}}]\n"));
    let places = shown(folder, "HEAD");
    assert!(places.iter().any(|place| place.starts_with("values-prod.yaml:")), "{places:?}");
}

#[test]
fn added_renamed_and_converted_files() {
    let Some(folder) = repository(&[("old name.toml", ONE), ("same.toml", ONE)]) else { return };
    let folder = folder.path();
    std::fs::rename(folder.join("old name.toml"), folder.join("néw.toml")).unwrap();
    write(folder, "same.toml", &ONE.replace('\n', "\r\n"));
    assert_eq!(shown(folder, "HEAD"), Vec::<String>::new());
    write(folder, "added.toml", TWO);
    assert_eq!(shown(folder, "HEAD"), Vec::<String>::new(), "very like the one that is gone");
    write(folder, "old name.toml", ONE);
    assert_eq!(shown(folder, "HEAD"), ["added.toml:5", "néw.toml:5"]);
}

#[test]
fn a_file_that_broke_elsewhere() {
    let whole = "a: [\n1,\n2]\nb: c\nd: e\nf: g\nrunnerScaleSetName: x\n";
    let Some(folder) = repository(&[("values.yaml", whole)]) else { return };
    let folder = folder.path();
    write(folder, "values.yaml", &whole.replace("2]", "2"));
    let places = shown(folder, "HEAD");
    assert!(places.iter().any(|place| place.starts_with("values.yaml:")), "{places:?}");
    commit(folder);
    assert_eq!(shown(folder, "HEAD"), Vec::<String>::new());
}

#[test]
fn what_others_committed_meanwhile_is_not_new_here() {
    let Some(folder) = repository(&[("config.toml", &format!("# a\n{ONE}"))]) else { return };
    let folder = folder.path();
    git(folder, &["checkout", "-q", "-b", "feature"]);
    write(folder, "other.toml", TWO);
    commit(folder);
    git(folder, &["checkout", "-q", "main"]);
    write(folder, "config.toml", "# a\n");
    commit(folder);
    git(folder, &["checkout", "-q", "feature"]);
    assert_eq!(shown(folder, "main"), ["other.toml:5"]);
}

#[test]
fn says_what_is_missing() {
    let Some(folder) = repository(&[("config.toml", ONE)]) else { return };
    let folder = folder.path();
    for (revision, word) in [("nowhere", "no commit `nowhere`"), ("--help", "no commit"), ("", "no commit")] {
        let output = check(folder, &[&format!("--diff-base={revision}")]);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(word), "{said}");
    }
    let program = env!("CARGO_BIN_EXE_runnerlint");
    let without = |folder: &Path, path: &str| {
        let mut command = Command::new(program);
        command.current_dir(folder).env("PATH", path).env("GIT_CEILING_DIRECTORIES", std::env::temp_dir());
        command.args(["check", ".", "--diff-base", "HEAD"]).output().unwrap()
    };
    let no_git = without(folder, "");
    assert_eq!(no_git.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&no_git.stderr).contains("needs the program `git`"));
    let plain = tempfile::tempdir().unwrap();
    let no_repository = without(plain.path(), &std::env::var("PATH").unwrap());
    assert_eq!(no_repository.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&no_repository.stderr).contains("not a git repository"));
}

#[cfg(unix)]
#[test]
fn nothing_of_the_repository_is_run() {
    let Some(folder) = repository(&[("config.toml", ONE)]) else { return };
    let folder = folder.path();
    let mark = folder.join("ran");
    let program = format!("touch '{}' #", mark.display());
    write(folder, ".gitattributes", "* filter=evil diff=evil\n");
    for key in ["core.fsmonitor", "core.pager", "core.sshCommand", "diff.external", "diff.evil.command"]
        .into_iter()
        .chain(["diff.evil.textconv", "filter.evil.clean", "filter.evil.smudge", "filter.evil.process"])
        .chain(["alias.rev-parse", "alias.cat-file", "pager.ls-tree", "uploadpack.packObjectsHook"])
    {
        let value = if key.starts_with("alias") { format!("!{program}") } else { program.clone() };
        git(folder, &["config", key, &value]);
    }
    std::fs::remove_file(&mark).ok();
    write(folder, "config.toml", &format!("{TWO}\n{ONE}"));
    write(folder, "new.toml", TWO);
    assert_eq!(shown(folder, "HEAD"), ["config.toml:5", "new.toml:5"]);
    assert!(!mark.exists());
}
