//! The program as its users see it: exit status, options, the shape of the output.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "a test")]

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

const CLEAN: &str = "[[runners]]\n  executor = \"kubernetes\"\n  [runners.kubernetes]\n    memory_limit = \"2Gi\"\n    helper_memory_limit = \"1Gi\"\n    service_memory_limit = \"1Gi\"\n";
const PRIVILEGED: &str = "[[runners]]\n  executor = \"kubernetes\"\n  [runners.kubernetes]\n    privileged = true\n    memory_limit = \"2Gi\"\n    helper_memory_limit = \"1Gi\"\n    service_memory_limit = \"1Gi\"\n";
const BROKEN: &str = "[[runners]]\n  name = \"a\"\n  name = \"b\"\n";

fn project(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    folder
}

fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_runnerlint"));
    command.current_dir(folder).args(arguments);
    for name in ["NO_COLOR", "FORCE_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS", "RUST_BACKTRACE"] {
        command.env_remove(name);
    }
    command
}

fn run(folder: &TempDir, arguments: &[&str]) -> Output {
    command(folder.path(), arguments).output().unwrap()
}

fn run_with_stdin(folder: &TempDir, arguments: &[&str], stdin: &str) -> Output {
    let mut command = command(folder.path(), arguments);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(stdin.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

fn status(output: &Output) -> i32 {
    output.status.code().unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// What was printed, without the time in the last line.
fn timeless(output: &Output) -> String {
    let text = stdout(output);
    let mut lines: Vec<_> = text.lines().map(str::to_owned).collect();
    if let Some(last) = lines.last_mut()
        && let Some((before, _)) = last.rsplit_once(" in ")
    {
        *last = before.to_owned();
    }
    lines.join("\n") + "\n"
}

fn json(output: &Output) -> serde_json::Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {}", stdout(output)))
}

fn rules(output: &Output) -> Vec<String> {
    let json = json(output);
    json["findings"].as_array().unwrap().iter().map(|found| found["rule"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn exit_status() {
    let clean = project(&[("config.toml", CLEAN)]);
    let info = project(&[("config.toml", PRIVILEGED)]);
    let broken = project(&[("config.toml", BROKEN)]);
    let nothing = project(&[("notes.txt", "x")]);
    let cases: &[(&TempDir, &[&str], i32)] = &[
        (&clean, &[], 0),
        (&clean, &["check"], 0),
        (&clean, &["check", "."], 0),
        (&clean, &["config.toml"], 0),
        (&info, &[], 0),
        (&info, &["--fail-on", "info"], 1),
        (&broken, &[], 1),
        (&broken, &["--fail-on", "never"], 0),
        (&broken, &["--exit-zero"], 0),
        (&broken, &["--ignore", "gitlab"], 0),
        (&broken, &["--output-format", "json"], 1),
        (&nothing, &[], 3),
        (&nothing, &["check", "."], 3),
        (&nothing, &["--exit-zero"], 3),
        (&nothing, &["notes.txt"], 0),
        (&clean, &["no-such-file.yaml"], 2),
        (&clean, &["--no-such-option"], 2),
        (&clean, &["--fail-on", "sometimes"], 2),
        (&clean, &["--output-format", "xml"], 2),
        (&clean, &["--config", "missing.toml"], 2),
        (&clean, &["--as-of", "yesterday"], 2),
        (&clean, &["--kube-version", "new"], 2),
        (&clean, &["--gitlab-runner-version", "new"], 2),
        (&clean, &["--gitlab-runner-version", "17.2"], 0),
        (&clean, &["--helm-version", "2"], 2),
        (&clean, &["--select", "gitlab/privileget"], 2),
        (&clean, &["-j", "0"], 2),
        (&clean, &["explain", "gitlab/privileged"], 0),
        (&clean, &["explain", "gitlab/privileget"], 2),
        (&clean, &["rules"], 0),
        (&clean, &["--help"], 0),
        (&clean, &["--version"], 0),
    ];
    for (folder, arguments, expected) in cases {
        let output = run(folder, arguments);
        assert_eq!(status(&output), *expected, "{arguments:?}\n{}{}", stdout(&output), stderr(&output));
    }
}

#[test]
fn wrong_usage_is_one_message() {
    let folder = project(&[("config.toml", CLEAN)]);
    let output = run(&folder, &["--select", "gitlab/privileget"]);
    assert_eq!(stdout(&output), "");
    insta::assert_snapshot!(stderr(&output), @"error: --select: there is no rule, family or category `gitlab/privileget`; did you mean `gitlab/privileged`?");
    let output = run(&folder, &["explain", "privileget"]);
    insta::assert_snapshot!(stderr(&output), @"error: there is no rule `privileget`; did you mean `gitlab/privileged`? `runnerlint rules` lists all");
    let output = run(&folder, &["no-such-file.yaml"]);
    assert_eq!(stderr(&output).lines().count(), 1, "{}", stderr(&output));
}

#[test]
fn text_for_people() {
    let folder = project(&[("config.toml", BROKEN)]);
    insta::assert_snapshot!(timeless(&run(&folder, &[])), @r#"
    error[gitlab/toml-duplicate]
      × `name` is defined twice
       ╭─[config.toml:3:3]
     1 │ [[runners]]
     2 │   name = "a"
       ·   ──┬─
       ·     ╰── first defined here
     3 │   name = "b"
       ·   ────
       ╰────
      help: the runner refuses the whole file: keep one of the two, with what both say
      docs: https://github.com/runnerlint/runnerlint/blob/v0.1.0/rules/gitlab/toml-duplicate.md

    Found 1 error. Looked at 1 file (1 document)
    "#);
    insta::assert_snapshot!(timeless(&run(&folder, &["--output-format", "concise"])), @r"
    config.toml:3:3: error gitlab/toml-duplicate `name` is defined twice
    Found 1 error. Looked at 1 file (1 document)
    ");
    insta::assert_snapshot!(timeless(&run(&folder, &["--statistics"])), @r"
    1  error    gitlab/toml-duplicate
    Found 1 error. Looked at 1 file (1 document)
    ");
}

#[test]
fn quiet_says_findings_only() {
    let clean = project(&[("config.toml", CLEAN)]);
    let output = run(&clean, &["-q"]);
    assert_eq!((stdout(&output).as_str(), stderr(&output).as_str()), ("", ""));
}

#[test]
fn nothing_looked_at_is_said() {
    let folder = project(&[("notes.txt", "x")]);
    let output = run(&folder, &[]);
    assert!(stderr(&output).contains("nothing to lint"), "{}", stderr(&output));
    let output = run(&folder, &["-v", "notes.txt"]);
    assert!(stderr(&output).contains("notes.txt"), "{}", stderr(&output));
}

#[test]
fn stdin_is_classified_by_its_name() {
    let folder = project(&[]);
    let output = run_with_stdin(&folder, &["-", "--stdin-filename", "config.toml", "--output-format", "json"], BROKEN);
    assert_eq!(status(&output), 1, "{}", stderr(&output));
    assert_eq!(json(&output)["findings"][0]["location"]["file"], "config.toml");
}

#[test]
fn rendered_output_is_read_from_stdin() {
    let folder = project(&[]);
    let config = BROKEN.replace('\n', "\n    ");
    let map =
        format!("apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: r}}\ndata:\n  config.toml: |\n    {config}\n");
    let output = run_with_stdin(&folder, &["--rendered", "-", "--output-format", "json"], &map);
    assert_eq!(status(&output), 1, "{}{}", stdout(&output), stderr(&output));
    let json = json(&output);
    assert_eq!(json["findings"][0]["location"]["start"]["line"], 8);
    assert_eq!(json["summary"]["embedded"], 1);
}

#[test]
fn json_shape() {
    let folder = project(&[("config.toml", BROKEN)]);
    let json = json(&run(&folder, &["--output-format", "json", "--as-of", "2026-11-30"]));
    let keys = |value: &serde_json::Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>().join(" ");
    assert_eq!(keys(&json), "version tool summary findings");
    assert_eq!(keys(&json["summary"]), "as_of files documents stacks embedded errors warnings infos");
    assert_eq!(json["summary"]["as_of"], "2026-11-30");
    let finding = &json["findings"][0];
    assert_eq!(keys(finding), "rule severity message location related help url fingerprint fix");
    assert_eq!(keys(&finding["location"]), "file path start end");
    assert_eq!(keys(&finding["location"]["start"]), "line column byte");
    assert_eq!(keys(&finding["related"][0]), "file path start end message");
}

#[test]
fn the_same_bytes_for_any_number_of_threads() {
    let names: Vec<String> = (0..40).map(|number| format!("f{number:02}/config.toml")).collect();
    let texts = [CLEAN, PRIVILEGED, BROKEN];
    let files: Vec<_> = names.iter().enumerate().map(|(number, name)| (name.as_str(), texts[number % 3])).collect();
    let folder = project(&files);
    let first = run(&folder, &["--output-format", "json", "-j", "1"]);
    assert_eq!(rules(&first).len(), 26);
    for jobs in ["2", "8"] {
        assert_eq!(stdout(&run(&folder, &["--output-format", "json", "-j", jobs])), stdout(&first));
    }
}

#[test]
fn findings_go_to_a_file() {
    let folder = project(&[("config.toml", BROKEN)]);
    let output = run(&folder, &["--output-format", "json", "--output-file", "report.json", "--color", "always"]);
    assert_eq!((status(&output), stdout(&output).as_str()), (1, ""));
    assert!(stderr(&output).starts_with("Found 1 error. Looked at 1 file"), "{}", stderr(&output));
    let text = std::fs::read_to_string(folder.path().join("report.json")).unwrap();
    assert!(serde_json::from_str::<serde_json::Value>(&text).is_ok());
    let output = run(&folder, &["--output-file", "no/such/folder/report.txt"]);
    assert_eq!(status(&output), 2);
}

#[test]
fn colours_are_asked_for() {
    let folder = project(&[("config.toml", BROKEN)]);
    let colored = |arguments: &[&str], variables: &[(&str, &str)]| {
        let output = command(folder.path(), arguments).envs(variables.iter().copied()).output().unwrap();
        stdout(&output).contains('\u{1b}')
    };
    assert!(!colored(&[], &[]));
    assert!(colored(&[], &[("FORCE_COLOR", "1")]));
    assert!(!colored(&[], &[("FORCE_COLOR", "1"), ("NO_COLOR", "1")]));
    assert!(colored(&["--color", "always"], &[("NO_COLOR", "1")]));
    assert!(!colored(&["--color", "never"], &[("FORCE_COLOR", "1")]));
    assert!(!colored(&["--color", "always", "--output-format", "json"], &[]));
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let names: Vec<String> = (0..300).map(|number| format!("f{number}/config.toml")).collect();
    let files: Vec<_> = names.iter().map(|name| (name.as_str(), BROKEN)).collect();
    let folder = project(&files);
    let mut command = command(folder.path(), &["--output-format", "json"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((status(&output), stderr(&output).as_str()), (1, ""));
}

#[test]
fn levels_come_from_the_configuration_and_the_command_line() {
    let levels = |config: &str, arguments: &[&str]| {
        let folder = project(&[("ci/config.toml", PRIVILEGED), ("runnerlint.toml", config)]);
        let output = run(&folder, &[&["--output-format", "json"], arguments].concat());
        let json = json(&output);
        let found = json["findings"].as_array().unwrap().iter();
        found.map(|found| found["severity"].as_str().unwrap().to_owned()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(levels("", &[]), "info");
    assert_eq!(levels("[rules]\ngitlab = \"error\"\n", &[]), "error");
    assert_eq!(levels("[rules]\ngitlab = \"error\"\n\"gitlab/privileged\" = \"warning\"\n", &[]), "warning");
    assert_eq!(levels("[rules]\nsecurity = \"off\"\n", &[]), "");
    assert_eq!(levels("[rules]\nsecurity = \"off\"\n", &["--select", "gitlab"]), "info");
    assert_eq!(levels("[[override]]\npaths = [\"ci/**\"]\nrules = { gitlab = \"error\" }\n", &[]), "error");
    assert_eq!(levels("[[override]]\npaths = [\"cd/**\"]\nrules = { gitlab = \"error\" }\n", &[]), "info");
    assert_eq!(levels("[rules]\ngitlab = \"error\"\n", &["--no-config"]), "info");
}

#[test]
fn suppressions_silence_and_are_watched() {
    let with = |comment: &str, arguments: &[&str]| {
        let text = PRIVILEGED.replace("privileged = true", &format!("privileged = true # runnerlint: {comment}"));
        let folder = project(&[("config.toml", &text)]);
        rules(&run(&folder, &[&["--output-format", "json"], arguments].concat()))
    };
    assert!(with("ignore[gitlab/privileged] builds images", &[]).is_empty());
    assert!(with("ignore[gitlab]", &[]).is_empty());
    assert!(with("ignore[security]", &[]).is_empty());
    assert_eq!(with("ignore[gitlab/privileget]", &[]), ["gitlab/privileged", "meta/unknown-suppression"]);
    assert_eq!(with("ignore[gitlab/privileged, gitlab/toml-syntax]", &[]), ["meta/unused-suppression"]);
    assert!(with("ignore[gitlab/privileged, gitlab/toml-syntax]", &["--ignore", "gitlab/toml-syntax"]).is_empty());
    // Where the file cannot be read, nobody knows what it would silence.
    assert_eq!(with("ignore[gitlab/unknown-key]\nbroken = \"", &[]), ["gitlab/privileged", "gitlab/toml-syntax"]);
}

#[test]
fn fingerprints_stay_where_lines_move() {
    let fingerprint = |text: &str| {
        let folder = project(&[("config.toml", text)]);
        json(&run(&folder, &["--output-format", "json"]))["findings"][0]["fingerprint"].as_str().unwrap().to_owned()
    };
    let first = fingerprint(PRIVILEGED);
    assert_eq!(first.len(), 32);
    assert_eq!(fingerprint(&format!("# moved\n\n{PRIVILEGED}")), first);
    assert_eq!(fingerprint(&PRIVILEGED.replace("executor", "name = \"a\"\n  executor")).len(), 32);
}

#[test]
fn rules_are_listed() {
    let folder = project(&[]);
    let listed: serde_json::Value =
        serde_json::from_slice(&run(&folder, &["rules", "--output-format", "json"]).stdout).unwrap();
    let first = listed[0].as_object().unwrap().keys().cloned().collect::<Vec<_>>().join(" ");
    assert_eq!(first, "id severity category summary inputs default since options url");
    let text = stdout(&run(&folder, &["rules"]));
    assert_eq!(text.lines().count(), listed.as_array().unwrap().len());
}

const VALUES: &str = "gitlabUrl: https://git.example.com\nrunnerToken: glrt-x\nrunners:\n  config: |\n    [[runners]]\n      [runners.kubernetes]\n        image = \"alpine\"\n        privileged = true\n";
const OVERLAY: &str = "runners:\n  config: |\n    [[runners]]\n      [runners.kubernetes]\n        image = \"alpine\"\n        namespace = \"ci\"\n";

#[test]
fn an_explicit_stack_needs_no_path() {
    let folder = project(&[("values.yaml", VALUES), ("prod/values.yaml", OVERLAY), ("config.toml", BROKEN)]);
    for arguments in
        [&["-f", "values.yaml,prod/values.yaml"][..], &["-f", "values.yaml", "--values", "prod/values.yaml"]]
    {
        let output = run(
            &folder,
            &[arguments, &["--output-format", "json", "--select", "gitlab/chart-config-replaced"]].concat(),
        );
        assert_eq!(status(&output), 1, "{}{}", stdout(&output), stderr(&output));
        let json = json(&output);
        assert_eq!(json["findings"][0]["location"]["file"], "prod/values.yaml");
        assert_eq!(json["findings"][0]["related"][0]["file"], "values.yaml");
        assert_eq!((&json["summary"]["files"], &json["summary"]["stacks"]), (&2.into(), &1.into()));
    }
    assert_eq!(status(&run(&folder, &["-f", "values.yaml", "-f", "missing.yaml"])), 2);
}

#[test]
fn a_stack_of_the_configuration_is_chosen() {
    let config = "[[stack]]\nname = \"prod\"\nvalues = [\"values.yaml\", \"prod.yaml\"]\n[[stack]]\nname = \"dev\"\nvalues = [\"values.yaml\"]\n";
    let folder = project(&[("values.yaml", VALUES), ("prod.yaml", OVERLAY), ("runnerlint.toml", config)]);
    let found = |stack: &str| rules(&run(&folder, &["--stack", stack, "--output-format", "json"]));
    assert!(found("prod").contains(&"gitlab/chart-config-replaced".to_owned()));
    assert!(!found("dev").contains(&"gitlab/chart-config-replaced".to_owned()));
    assert_eq!(status(&run(&folder, &["--stack", "test"])), 2);
}

#[test]
fn a_named_overlay_brings_in_its_base() {
    let folder = project(&[("values.yaml", VALUES), ("values-prod.yaml", OVERLAY)]);
    let output = run(&folder, &["values-prod.yaml", "--output-format", "json"]);
    assert!(rules(&output).contains(&"gitlab/chart-config-replaced".to_owned()), "{}", stdout(&output));
}

#[test]
fn a_suppression_in_values_silences_what_they_render_to() {
    let rendered = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ci-gitlab-runner\n  labels: {chart: gitlab-runner-0.86.0, release: ci}\ndata:\n  config.template.toml: |\n    [[runners]]\n      [runners.kubernetes]\n        privileged = true\n";
    let arguments = ["--output-format", "json", "--select", "gitlab/privileged,meta"];
    let both = project(&[("values.yaml", VALUES), ("rendered.yaml", rendered)]);
    let found = json(&run(&both, &arguments));
    assert_eq!(found["findings"].as_array().unwrap().len(), 1);
    assert_eq!(found["findings"][0]["location"]["file"], "values.yaml");
    assert_eq!(found["findings"][0]["related"][0]["message"], "rendered here");
    let silenced = VALUES.replace("config: |", "config: | # runnerlint: ignore[gitlab/privileged] builds images");
    let both = project(&[("values.yaml", &silenced), ("rendered.yaml", rendered)]);
    assert!(rules(&run(&both, &arguments)).is_empty());
}

#[test]
fn what_a_flag_brings_is_shown_where_it_won() {
    let values = "githubConfigUrl: https://github.com/acme\ntemplate:\n  spec:\n    containers:\n      - name: runner\n        image: ghcr.io/actions/actions-runner:2.337.0\n";
    let folder = project(&[("values.yaml", values)]);
    let set = "template.spec.containers[0].image=ghcr.io/actions/actions-runner:2.319.1";
    let select = ["--select", "arc/runner-version-expired", "--output-format", "json"];
    let output = run(&folder, &[&["check", "-f", "values.yaml", "--set", set], &select[..]].concat());
    let finding = &json(&output)["findings"][0];
    assert_eq!(finding["location"]["start"]["line"], 6, "{}", stdout(&output));
    // What the place shows is not what is wrong; the flag's own words may be secret.
    assert!(finding["message"].as_str().unwrap().ends_with("(set by `--set`)"), "{finding}");
}
