//! Formats for machines: escaping, limits, and what their receivers insist on.

use serde_json::Value;

use super::tests::{PLAIN, dropped, finding, place, report};
use super::*;
use crate::lint::{Finding, Note};

const ODD: &str = "a%b: 1,\n  c|d: \"é🦀 <x>\" # `y` ]]> \\ end\r\n";
const FILE: &str = "dir a/100%:é,[x].yaml";

fn odd() -> Report {
    let mut odd = finding(Some(place(FILE, "a.\"b:c\"", ODD, "🦀")), Vec::new());
    odd.message = "50% of `a|b`, <b>&amp;</b>\r\n::error::no ]]> \u{1b}[31m *x* [y](1) `".to_owned();
    odd.related = vec![Note { place: place(FILE, "", ODD, "1,\n  c|d"), message: "two\nlines | `\\|`".to_owned() }];
    report(vec![odd], &[(FILE, ODD)])
}

fn many(count: usize) -> Report {
    let one = |_| finding(Some(place("a.yaml", "a", "a: 1\n", "a")), Vec::new());
    report((0..count).map(one).collect(), &[("a.yaml", "a: 1\n")])
}

fn json(report: &Report, format: Format, style: &Style<'_>) -> Value {
    serde_json::from_str(&render(report, format, style)).unwrap()
}

fn result(report: &Report, style: &Style<'_>) -> Value {
    json(report, Format::Sarif, style)["runs"][0]["results"][0].clone()
}

#[test]
fn annotations_keep_to_one_line_and_escape() {
    let text = render(&odd(), Format::Github, &PLAIN);
    assert_eq!(text.lines().count(), 1, "{text}");
    let (head, message) = text.trim_end().split_once("::50%25 of").unwrap();
    assert!(head.starts_with("::error file=dir a/100%25%3Aé%2C[x].yaml,line=2,"), "{head}");
    assert!(head.ends_with(",title=arc/runner-command-dropped"), "{head}");
    assert!(message.contains("%0D%0A::error::no ]]> ?[31m"), "{message}");
}

#[test]
fn annotations_over_several_lines_have_no_columns() {
    let block = place("a.yaml", "", "a:\n  b: 1\n", "a:\n  b");
    let text = render(&report(vec![finding(Some(block), Vec::new())], &[]), Format::Github, &PLAIN);
    assert!(text.starts_with("::error file=a.yaml,line=1,endLine=2,title="), "{text}");
}

#[test]
fn annotations_that_are_not_shown_are_counted() {
    assert!(!render(&many(10), Format::Github, &PLAIN).contains("only in this log"));
    let text = render(&many(12), Format::Github, &PLAIN);
    assert!(text.ends_with("\nGitHub shows 10 annotations of a kind; only in this log: 2 errors\n"), "{text}");
}

#[test]
fn code_quality_is_unique_and_an_array() {
    assert_eq!(render(&report(Vec::new(), &[]), Format::Gitlab, &PLAIN), "[]\n");
    let issues = json(&many(30), Format::Gitlab, &PLAIN);
    let prints: std::collections::BTreeSet<_> =
        issues.as_array().unwrap().iter().map(|issue| issue["fingerprint"].as_str().unwrap()).collect();
    assert_eq!(prints.len(), 30);
    assert_eq!(issues[0]["location"]["lines"]["begin"], 1);
}

#[test]
fn sarif_points_at_one_line_of_an_encoded_path() {
    let style = Style { prefix: "ci/", category: Some("fleet/"), ..PLAIN };
    let odd = odd();
    let log = json(&odd, Format::Sarif, &style);
    assert_eq!(log["runs"][0]["automationDetails"]["id"], "fleet/");
    let result = result(&odd, &style);
    let location = &result["locations"][0]["physicalLocation"];
    assert_eq!(location["artifactLocation"]["uri"], "ci/dir%20a/100%25%3A%C3%A9%2C%5Bx%5D.yaml");
    assert_eq!(location["artifactLocation"]["uriBaseId"], "%SRCROOT%");
    assert_eq!(location["region"]["startColumn"], 10);
    assert!(result["message"]["text"].as_str().unwrap().contains("[dir a/100%:é,\\[x\\].yaml:1](1): two\nlines"));
    assert_eq!(result["codeFlows"][0]["threadFlows"][0]["locations"].as_array().unwrap().len(), 2);
    assert_eq!(result["partialFingerprints"].as_object().unwrap().keys().collect::<Vec<_>>(), ["runnerlint/v1"]);

    let block = finding(Some(place("/tmp/a b.yaml", "", "é: \n  b: 1\n", "é: \n  b")), Vec::new());
    let result = self::result(&report(vec![block], &[("/tmp/a b.yaml", "é: \n  b: 1\n")]), &style);
    let location = &result["locations"][0]["physicalLocation"];
    assert_eq!(location["artifactLocation"], serde_json::json!({"uri": "file:///tmp/a%20b.yaml"}));
    assert_eq!((&location["region"]["endLine"], &location["region"]["endColumn"]), (&1.into(), &4.into()));
}

#[test]
fn sarif_is_cut_and_says_so() {
    let at = || place("a.yaml", "a", "a: 1\n", "a");
    let related = (0..103).map(|_| Note { place: at(), message: "here".to_owned() }).collect();
    let result = result(&report(vec![finding(Some(at()), related)], &[("a.yaml", "a: 1\n")]), &PLAIN);
    assert_eq!(result["relatedLocations"].as_array().unwrap().len(), 100);
    assert!(result["message"]["text"].as_str().unwrap().contains("\n3 more places left out.\n"));

    let mut findings = many(25_001).findings;
    findings[0].severity = crate::diagnostic::Severity::Info;
    let log = json(&report(findings, &[]), Format::Sarif, &PLAIN);
    let run = &log["runs"][0];
    let results = run["results"].as_array().unwrap();
    assert_eq!((results.len(), &results[0]["level"]), (25_000, &"error".into()));
    let note = &run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"];
    assert_eq!(note, "1 finding left out: a run takes 25000 results.");
}

#[test]
fn reviewdog_counts_bytes() {
    let value = json(&odd(), Format::Rdjson, &PLAIN);
    let range = &value["diagnostics"][0]["location"]["range"];
    // `  c|d: "é` has one character of two bytes.
    assert_eq!((&range["start"]["column"], &range["end"]["column"]), (&11.into(), &15.into()));
}

#[test]
fn junit_is_xml() {
    let text = render(&odd(), Format::Junit, &PLAIN);
    assert!(
        text.contains("message=\"50% of `a|b`, &lt;b&gt;&amp;amp;&lt;/b&gt;&#13;&#10;::error::no ]]&gt; \u{fffd}[31m")
    );
    let clean = render(&report(Vec::new(), &[]), Format::Junit, &PLAIN);
    assert!(clean.contains(r#"<testsuites name="runnerlint" tests="1" failures="0" errors="0">"#), "{clean}");
}

#[test]
fn junit_lets_advice_pass() {
    let mut report = many(2);
    report.findings[0].severity = crate::diagnostic::Severity::Info;
    let text = render(&report, Format::Junit, &PLAIN);
    assert!(text.contains(r#"tests="2" failures="1""#) && text.contains("<system-out>"), "{text}");
}

#[test]
fn markdown_shows_both_places() {
    insta::assert_snapshot!(render(&dropped(), Format::Markdown, &PLAIN));
}

#[test]
fn markdown_holds_any_text_in_a_row() {
    let text = render(&odd(), Format::Markdown, &PLAIN);
    let row = text.lines().find(|line| line.starts_with("| error")).unwrap();
    assert_eq!(row.matches(" | ").count(), 3, "{row}");
    assert!(!row.contains("<b>") && !row.contains("*x*") && !row.contains("[y](1)"), "{row}");
}

#[test]
fn markdown_fits_into_a_summary() {
    for count in [3000, 8000] {
        let text = render(&many(count), Format::Markdown, &PLAIN);
        assert!(text.len() <= 1 << 20 && text.ends_with("did not fit into this summary.\n"), "{}", text.len());
    }
    let all = render(&many(3000), Format::Markdown, &PLAIN);
    assert_eq!(all.lines().filter(|line| line.starts_with("| error")).count(), 3000);
}

#[test]
fn what_has_no_file_is_left_out() {
    let report = report(vec![finding(None, Vec::new())], &[]);
    for format in [Format::Github, Format::Gitlab, Format::Rdjson, Format::Sarif, Format::Junit, Format::Markdown] {
        let text = render(&report, format, &PLAIN);
        assert!(!text.contains("the container `runner` has no"), "{text}");
    }
}

proptest::proptest! {
    /// Whatever a message and a file's name hold: JSON is read back whole, annotations are one line each.
    #[test]
    fn any_text_comes_through(message in "[a`|<&%:,\\\\\r\n\t\u{0}\u{1b}é🦀\\[\\]{}\"']{0,40}", name in "[a /%:é\\[#?\\\\.]{1,12}") {
        let mut one: Finding = finding(Some(place(&name, "", ODD, "🦀")), Vec::new());
        one.message = message.clone();
        let report = report(vec![one], &[(&name, ODD)]);
        let issues = json(&report, Format::Gitlab, &PLAIN);
        let description = issues[0]["description"].as_str().unwrap();
        proptest::prop_assert_eq!(description, format!("arc/runner-command-dropped: {message}"));
        let uri = result(&report, &PLAIN)["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].clone();
        proptest::prop_assert!(uri.as_str().unwrap().bytes().all(|b| b.is_ascii_alphanumeric() || b"-._~/%:".contains(&b)));
        proptest::prop_assert_eq!(render(&report, Format::Github, &PLAIN).lines().count(), 1);
        let rows = render(&report, Format::Markdown, &PLAIN);
        proptest::prop_assert_eq!(rows.lines().filter(|line| line.starts_with("| error |")).count(), 1);
        let xml = render(&report, Format::Junit, &PLAIN);
        proptest::prop_assert!(!xml.contains('\0') && xml.matches("</failure>").count() == 1);
    }
}
