//! Formats for machines over one project with many findings: each lists the same ones, and gives the same bytes twice.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "a test")]

use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// Rule, file, first line.
type Found = (String, String, u64);

fn run(folder: &Path, arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_runnerlint"))
        .current_dir(folder)
        .args(["check", "--exit-zero", "-q", "--as-of", "2026-08-17", "--output-format"])
        .args(arguments)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn cases() -> &'static Path {
    Path::new("testdata/cases")
}

fn json(format: &str) -> Value {
    serde_json::from_str(&run(cases(), &[format])).unwrap()
}

fn list(items: &Value, read: impl Fn(&Value) -> Option<Found>) -> Vec<Found> {
    items.as_array().unwrap().iter().map(|item| read(item).unwrap_or_else(|| panic!("{item:#}"))).collect()
}

fn found(rule: &Value, file: &Value, line: &Value) -> Option<Found> {
    Some((rule.as_str()?.to_owned(), file.as_str()?.to_owned(), line.as_u64()?))
}

/// What every format must list: the findings that have a file.
fn expected() -> Vec<Found> {
    let report = json("json");
    let findings = report["findings"].as_array().unwrap().iter();
    let placed: Vec<Value> = findings.filter(|finding| !finding["location"]["file"].is_null()).cloned().collect();
    let expected = list(&placed.into(), |finding| {
        found(&finding["rule"], &finding["location"]["file"], &finding["location"]["start"]["line"])
    });
    assert!(expected.len() > 40, "{} findings show little", expected.len());
    expected
}

#[test]
fn sarif_lists_them_all() {
    let log = json("sarif");
    let run = &log["runs"][0];
    let results = list(&run["results"], |result| {
        let place = &result["locations"][0]["physicalLocation"];
        let region = &place["region"];
        assert_eq!(region["startLine"], region["endLine"], "{result:#}");
        assert!(region["startColumn"].as_u64()? <= region["endColumn"].as_u64()?, "{result:#}");
        let index = usize::try_from(result["ruleIndex"].as_u64()?).unwrap();
        assert_eq!(run["tool"]["driver"]["rules"][index]["id"], result["ruleId"]);
        let uri = place["artifactLocation"]["uri"].as_str()?.strip_prefix("testdata/cases/")?;
        found(&result["ruleId"], &uri.into(), &region["startLine"])
    });
    assert_eq!(results, expected());
}

#[test]
fn sarif_describes_its_rules() {
    let log = json("sarif");
    for rule in log["runs"][0]["tool"]["driver"]["rules"].as_array().unwrap() {
        for text in ["shortDescription", "fullDescription"] {
            let text = rule[text]["text"].as_str().unwrap();
            assert!((1..=1024).contains(&text.chars().count()), "{rule:#}");
        }
        let help = rule["help"]["markdown"].as_str().unwrap();
        assert!(help.starts_with("## ") && !help.contains("# expect:"), "{help}");
        let (tags, properties) = (&rule["properties"]["tags"], &rule["properties"]);
        let is_security = tags[0] == "security";
        assert_eq!(properties["security-severity"].is_string(), is_security, "{rule:#}");
        assert_eq!(properties["problem.severity"].is_string(), !is_security, "{rule:#}");
    }
}

#[test]
fn fingerprints_are_unique() {
    let issues = json("gitlab");
    let all: Vec<&str> =
        issues.as_array().unwrap().iter().map(|issue| issue["fingerprint"].as_str().unwrap()).collect();
    let unique: std::collections::BTreeSet<_> = all.iter().collect();
    assert_eq!(all.len(), unique.len());
}

#[test]
fn code_quality_lists_them_all() {
    let issues = list(&json("gitlab"), |issue| {
        assert!(issue["description"].is_string() && issue["severity"].is_string());
        let file = issue["location"]["path"].as_str()?.strip_prefix("testdata/cases/")?;
        found(&issue["check_name"], &file.into(), &issue["location"]["lines"]["begin"])
    });
    assert_eq!(issues, expected());
}

#[test]
fn reviewdog_gets_them_all() {
    let diagnostics = list(&json("rdjson")["diagnostics"], |diagnostic| {
        let location = &diagnostic["location"];
        found(&diagnostic["code"]["value"], &location["path"], &location["range"]["start"]["line"])
    });
    assert_eq!(diagnostics, expected());
}

#[test]
fn annotations_list_them_all() {
    let text = run(cases(), &["github"]);
    let mut annotations: Vec<Found> = text.lines().filter_map(annotation).collect();
    let mut expected = expected();
    // Errors come first.
    annotations.sort();
    expected.sort();
    assert_eq!(annotations, expected);
    assert!(text.lines().filter(|line| !line.starts_with("::")).all(|line| line.starts_with("GitHub shows 10 ")));
}

/// Reads a workflow command as GitHub's runner does.
fn annotation(line: &str) -> Option<Found> {
    let (head, _) = line.strip_prefix("::")?.split_once("::")?;
    let (_, properties) = head.split_once(' ')?;
    let property = |name: &str| {
        let (_, value) = properties.split(',').filter_map(|pair| pair.split_once('=')).find(|(key, _)| *key == name)?;
        Some(value.replace("%3A", ":").replace("%2C", ",").replace("%0A", "\n").replace("%25", "%"))
    };
    let file = property("file")?.strip_prefix("testdata/cases/")?.to_owned();
    Some((property("title")?, file, property("line")?.parse().ok()?))
}

#[test]
fn junit_lists_them_all() {
    let text = run(cases(), &["junit"]);
    let cases: Vec<Found> = text.lines().filter_map(test_case).collect();
    assert_eq!(cases, expected());
    assert_eq!(text.matches("<testcase ").count(), text.matches("</testcase>").count());
}

fn test_case(line: &str) -> Option<Found> {
    let rest = line.trim_start().strip_prefix("<testcase classname=\"")?;
    let (file, rest) = rest.split_once("\" name=\"")?;
    let (rule, at) = rest.split_once(" at ")?;
    Some((rule.to_owned(), file.to_owned(), at.split_once(':')?.0.parse().ok()?))
}

#[test]
fn the_summary_lists_them_all() {
    let text = run(cases(), &["markdown"]);
    let rows: Vec<Found> = text.lines().filter_map(row).collect();
    assert_eq!(rows, expected());
}

fn row(line: &str) -> Option<Found> {
    let mut cells = line.strip_prefix("| ")?.split(" | ").skip(1);
    let mut place = cells.next()?.trim_matches('`').rsplitn(3, ':').skip(1);
    let (line, file) = (place.next()?.parse().ok()?, place.next()?.to_owned());
    let rule = cells.next()?.strip_prefix('[')?.split_once(']')?.0.to_owned();
    Some((rule, file, line))
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    for format in ["sarif", "github", "gitlab", "junit", "rdjson", "markdown"] {
        assert_eq!(run(cases(), &[format, "-j", "1"]), run(cases(), &[format, "-j", "4"]), "{format}");
    }
}

#[test]
fn names_start_at_the_repositorys_root() {
    let temp = tempfile::tempdir().unwrap();
    let inner = temp.path().join("ci/fleet");
    std::fs::create_dir_all(&inner).unwrap();
    std::fs::create_dir(temp.path().join(".git")).unwrap();
    std::fs::write(inner.join("config.toml"), "[[runners]]\n  executor = \"kubernetes\"\n  executor = \"docker\"\n")
        .unwrap();
    let sarif: Value = serde_json::from_str(&run(&inner, &["sarif", "--sarif-category", "fleet/prod"])).unwrap();
    let result = &sarif["runs"][0]["results"][0];
    assert_eq!(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "ci/fleet/config.toml");
    assert_eq!(sarif["runs"][0]["automationDetails"]["id"], "fleet/prod/");
    let issues: Value = serde_json::from_str(&run(&inner, &["gitlab"])).unwrap();
    assert_eq!(issues[0]["location"]["path"], "ci/fleet/config.toml");
    assert!(run(&inner, &["github"]).starts_with("::error file=ci/fleet/config.toml,line=3,"));
}
