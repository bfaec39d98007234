//! `--runner-releases` and `runnerlint lock`: by which day and releases findings are judged.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "a test")]

mod harness;

use std::path::Path;
use std::process::{Command, Output};

use harness::write;
use serde_json::Value;
use tempfile::TempDir;

const PINNED: &str = "\
githubConfigUrl: https://github.com/acme
template:
  spec:
    containers:
      - name: runner
        image: ghcr.io/actions/actions-runner:2.337.0
        command: [\"/home/runner/run.sh\"]
        resources: {requests: {cpu: 1}, limits: {memory: 2Gi}}
";
const RELEASES: &str = r#"[{"tag_name": "v2.338.0", "published_at": "2026-09-14T12:00:00Z", "draft": false}]
[{"tag_name": "v2.337.0", "published_at": "2026-08-26T12:00:00Z", "prerelease": false}]"#;

/// A folder with values that pin the newest version of the built-in table, and a list with one newer.
fn project() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "values.yaml", PINNED);
    write(folder.path(), "releases.json", RELEASES);
    folder
}

fn run(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_runnerlint")).current_dir(folder).args(arguments).output().unwrap()
}

/// The summary's day, and rule, file, line and message of each finding about versions or the configuration.
fn check(folder: &Path, arguments: &[&str]) -> (String, Vec<[String; 4]>) {
    let options = ["check", ".", "--output-format", "json", "--select", "arc/runner-version-expired"];
    let more = ["--select", "arc/runner-version-stale"];
    let output = run(folder, &[&options[..], &more, arguments].concat());
    let json: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&output.stderr)));
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let of = |found: &Value| {
        let place = &found["location"];
        [&found["rule"], &place["file"], &place["start"]["line"], &found["message"]].map(text)
    };
    let found = json["findings"].as_array().unwrap().iter().map(of).collect();
    (text(&json["summary"]["as_of"]), found)
}

fn lock(folder: &Path, arguments: &[&str]) -> String {
    let output = run(folder, &[&["lock"], arguments].concat());
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stderr).unwrap()
}

fn read(folder: &Path, name: &str) -> String {
    std::fs::read_to_string(folder.join(name)).unwrap()
}

#[test]
fn newer_releases_come_from_a_file() {
    let folder = project();
    let folder = folder.path();
    assert_eq!(check(folder, &["--as-of", "2026-11-30"]).1, Vec::<[String; 4]>::new());
    let (day, found) = check(folder, &["--as-of", "2026-11-30", "--runner-releases", "releases.json"]);
    let message = "runner 2.337.0 has been refused jobs since 2026-11-16: 2.338.0 came out on 2026-09-14 \
                   (releases known up to 2026-09-14, from `releases.json`)";
    assert_eq!(day, "2026-11-30");
    assert_eq!(found, [["arc/runner-version-expired", "values.yaml", "6", message]]);
    let stale = check(folder, &["--as-of", "2026-10-14", "--runner-releases", "releases.json"]).1;
    assert_eq!(stale[0][0], "arc/runner-version-stale");
    assert!(check(folder, &["--as-of", "2026-10-13", "--runner-releases", "releases.json"]).1.is_empty());
}

#[test]
fn a_bad_file_ends_the_run_with_one_message() {
    let folder = project();
    let folder = folder.path();
    write(folder, "not-found.json", r#"{"message": "Not Found", "status": "404"}"#);
    write(folder, "empty.json", "");
    for command in ["check", "lock"] {
        for (name, word) in [
            ("not-found.json", "`not-found.json` holds no releases of the runner: it is no list of releases"),
            ("empty.json", "`empty.json` holds no releases of the runner: it is empty"),
            ("values.yaml", "`values.yaml` holds no releases of the runner: it is no JSON"),
            ("missing.json", "cannot read `missing.json`"),
            (".", "cannot read `.`"),
        ] {
            let output = run(folder, &[command, "--runner-releases", name]);
            let said = String::from_utf8(output.stderr).unwrap();
            assert_eq!(output.status.code(), Some(2), "{command} {name}: {said}");
            assert!(said.contains(word) && said.lines().count() == 1 && output.stdout.is_empty(), "{said}");
        }
    }
    assert!(!folder.join("runnerlint.lock").exists());
}

#[test]
fn a_lock_is_written_and_judged_by() {
    let folder = project();
    let folder = folder.path();
    let said = lock(folder, &["--as-of", "2026-11-30", "--runner-releases", "releases.json"]);
    assert_eq!(said, "wrote `runnerlint.lock` as of 2026-11-30, with 12 releases up to 2026-09-14\n");
    let text = read(folder, "runnerlint.lock");
    assert!(text.starts_with("# "), "{text}");
    assert!(text.ends_with("\"2.336.0\" = 2026-07-20\n\"2.337.0\" = 2026-08-26\n\"2.338.0\" = 2026-09-14\n"), "{text}");
    let (day, found) = check(folder, &[]);
    assert_eq!(day, "2026-11-30");
    assert_eq!(found[0][0], "arc/runner-version-expired");
    assert!(found[0][3].ends_with("(releases known up to 2026-09-14, from `runnerlint.lock`)"), "{found:?}");
    // The command line wins, then the configuration.
    assert_eq!(check(folder, &["--as-of", "2026-09-20"]), ("2026-09-20".to_owned(), Vec::new()));
    assert_ne!(check(folder, &["--no-config"]).0, "2026-11-30");
    write(folder, "runnerlint.toml", "as-of = 2026-09-21\n");
    assert_eq!(check(folder, &[]), ("2026-09-21".to_owned(), Vec::new()));
    assert_eq!(check(folder, &["--as-of", "2026-11-29"]).0, "2026-11-29");
}

#[test]
fn a_lock_is_renewed_line_by_line() {
    let folder = project();
    let folder = folder.path();
    lock(folder, &["--as-of", "2026-11-30", "--runner-releases", "releases.json"]);
    let first = read(folder, "runnerlint.lock");
    let said = lock(folder, &["--as-of", "2026-11-30"]);
    assert_eq!(said, "`runnerlint.lock` is fresh: nothing to write\n");
    // What the lock holds is kept.
    lock(folder, &["--as-of", "2026-12-07"]);
    assert_eq!(read(folder, "runnerlint.lock"), first.replace("2026-11-30", "2026-12-07"));
}

#[test]
fn a_lock_hides_what_came_out_after_it() {
    let folder = project();
    let folder = folder.path();
    write(folder, "values.yaml", &PINNED.replace("2.337.0", "2.336.0"));
    write(folder, "runnerlint.lock", "version = 1\nas-of = 2026-11-30\nreleases-up-to = 2026-08-01\n");
    assert_eq!(check(folder, &[]), ("2026-11-30".to_owned(), Vec::new()));
    let (_, found) = check(folder, &["--runner-releases", "releases.json"]);
    assert!(found[0][3].ends_with("from `runnerlint.lock` and `releases.json`)"), "{found:?}");
}

#[test]
fn a_lock_lies_beside_its_configuration() {
    let folder = project();
    let folder = folder.path();
    write(folder, "fleet/runnerlint.toml", "");
    write(folder, "fleet/linux/values.yaml", PINNED);
    lock(&folder.join("fleet/linux"), &["--as-of", "2026-11-30", "--runner-releases", "../../releases.json"]);
    assert!(folder.join("fleet/runnerlint.lock").exists());
    assert_eq!(check(&folder.join("fleet/linux"), &[]).0, "2026-11-30");
    // Other files are not judged by it.
    let (day, found) = check(folder, &["--as-of", "2026-11-30"]);
    assert_eq!((day.as_str(), found.len(), &*found[0][1]), ("2026-11-30", 1, "fleet/linux/values.yaml"));
    assert!(found[0][3].ends_with("from `fleet/runnerlint.lock`)"), "{found:?}");
    lock(folder, &["--config", "fleet/runnerlint.toml", "--as-of", "2026-12-24"]);
    assert!(read(folder, "fleet/runnerlint.lock").contains("as-of = 2026-12-24\n"));
    assert!(!folder.join("runnerlint.lock").exists());
}

#[test]
fn a_broken_lock_is_a_finding_and_the_run_goes_on() {
    let folder = project();
    let folder = folder.path();
    write(folder, "values.yaml", &PINNED.replace("2.337.0", "2.325.0"));
    write(folder, "runnerlint.lock", "version = 1\nas-of = 2026-11-31\n");
    let (_, found) = check(folder, &[]);
    let places: Vec<_> = found.iter().map(|[rule, file, line, _]| format!("{rule} {file}:{line}")).collect();
    assert_eq!(places, ["meta/invalid-config runnerlint.lock:2", "arc/runner-version-expired values.yaml:6"]);
    assert!(found[1][3].ends_with("(releases known up to 2026-08-26, built in)"), "{found:?}");
    write(folder, "runnerlint.lock", "<<<<<<< ours\n");
    assert_eq!(check(folder, &[]).1[0][0], "meta/invalid-config");
    let said = lock(folder, &["--as-of", "2026-11-30"]);
    assert!(said.starts_with("`runnerlint.lock` was broken, and what could not be read of it is lost: "), "{said}");
    assert_eq!(check(folder, &[]).1.len(), 1);
    std::fs::write(folder.join("runnerlint.lock"), b"\xff\xfe\xff").unwrap();
    assert_eq!(check(folder, &[]).1[0][0], "meta/unreadable-file");
}

#[test]
fn a_lock_says_at_v_that_it_is_judged_by() {
    let folder = project();
    let folder = folder.path();
    lock(folder, &["--as-of", "2026-11-30"]);
    let said = String::from_utf8(run(folder, &["check", "-v"]).stderr).unwrap();
    let line = "runnerlint.lock: judged as of 2026-11-30, by releases known up to 2026-08-26, from `runnerlint.lock`";
    assert!(said.lines().any(|said| said == line), "{said}");
}
