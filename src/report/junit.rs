//! `junit`: a suite a file, a case a finding. Errors and warnings fail; advice passes and is printed.

use std::fmt::Write;

use super::placed::{placed, whole};
use crate::diagnostic::Severity;
use crate::lint::{Finding, Place, Report};

pub(super) fn render(report: &Report) -> String {
    let mut suites: Vec<(&str, Vec<(&Finding, &Place)>)> = Vec::new();
    for (finding, place) in placed(report) {
        match suites.last_mut().filter(|(file, _)| *file == place.file) {
            Some((_, cases)) => cases.push((finding, place)),
            None => suites.push((&place.file, vec![(finding, place)])),
        }
    }
    let cases = suites.iter().map(|(_, cases)| cases.len()).sum::<usize>().max(1);
    let failures = suites.iter().map(|(_, cases)| failures(cases)).sum::<usize>();
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let _ = writeln!(out, r#"<testsuites name="runnerlint" tests="{cases}" failures="{failures}" errors="0">"#);
    if suites.is_empty() {
        // A report without a single case counts as one that was lost.
        out.push_str("  <testsuite name=\"runnerlint\" tests=\"1\" failures=\"0\" errors=\"0\">\n");
        out.push_str("    <testcase classname=\"runnerlint\" name=\"no findings\"/>\n  </testsuite>\n");
    }
    for (file, cases) in &suites {
        suite(&mut out, file, cases);
    }
    out.push_str("</testsuites>\n");
    out
}

fn failures(cases: &[(&Finding, &Place)]) -> usize {
    cases.iter().filter(|(finding, _)| finding.severity > Severity::Info).count()
}

fn suite(out: &mut String, file: &str, cases: &[(&Finding, &Place)]) {
    let name = escape(file);
    let (tests, failures) = (cases.len(), failures(cases));
    let _ = writeln!(out, r#"  <testsuite name="{name}" tests="{tests}" failures="{failures}" errors="0">"#);
    for (finding, place) in cases {
        let (line, column) = (place.start.line, place.start.column);
        let rule = escape(finding.rule);
        let _ = writeln!(out, r#"    <testcase classname="{name}" name="{rule} at {line}:{column}">"#);
        let body = escape(&format!("{file}:{line}:{column}: {}", whole(finding))).replace("&#10;", "\n");
        if finding.severity > Severity::Info {
            let (message, level) = (escape(&finding.message), finding.severity.as_str());
            let _ = writeln!(out, r#"      <failure type="{level}" message="{message}">{body}</failure>"#);
        } else {
            let _ = writeln!(out, "      <system-out>{body}</system-out>");
        }
        out.push_str("    </testcase>\n");
    }
    out.push_str("  </testsuite>\n");
}

/// Text for elements and attributes; characters that XML cannot hold are replaced.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' => out.push_str("&#10;"),
            '\r' => out.push_str("&#13;"),
            '\t' => out.push_str("&#9;"),
            '\0'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            _ => out.push(c),
        }
    }
    out
}
