//! `markdown`: a job's summary: a table of all findings, then each with its places.

use std::fmt::Write;

use super::paint::one_line;
use super::placed::placed;
use super::summary::counted;
use super::{Style, summary_line};
use crate::lint::{Finding, Place, Report};

/// Bytes that GitHub takes of a step's summary, with room for the last line.
const LARGEST: usize = (1 << 20) - 512;

pub(super) fn render(report: &Report, style: &Style<'_>) -> String {
    let mut out = String::from("## runnerlint\n\n");
    let line = summary_line(report, &Style { color: false, ..*style });
    // Without the time: the same input gives the same bytes.
    let line = line.rsplit_once(" in ").map_or(line.as_str(), |(line, _)| line);
    let _ = writeln!(out, "{}.", text(line));
    let found: Vec<_> = placed(report).collect();
    if found.is_empty() {
        return out;
    }
    out.push_str("\n| level | place | rule | message |\n| --- | --- | --- | --- |\n");
    let rows = found.iter().map(|&(finding, place)| row(finding, place));
    let left = fill(&mut out, rows);
    out.push('\n');
    let details = found.iter().map(|&(finding, place)| detail(report, finding, place));
    let left_details = if left > 0 { found.len() } else { fill(&mut out, details) };
    if left > 0 {
        let _ = writeln!(out, "{} did not fit into this summary.", counted(left, "finding"));
    } else if left_details > 0 {
        let _ = writeln!(out, "The details of {} did not fit into this summary.", counted(left_details, "finding"));
    }
    out
}

/// Appends what fits; how many did not.
fn fill(out: &mut String, parts: impl ExactSizeIterator<Item = String>) -> usize {
    let mut left = parts.len();
    for part in parts {
        if out.len() + part.len() > LARGEST {
            break;
        }
        out.push_str(&part);
        left -= 1;
    }
    left
}

fn row(finding: &Finding, place: &Place) -> String {
    format!(
        "| {} | {} | [{}]({}) | {} |\n",
        finding.severity.as_str(),
        at(place),
        finding.rule,
        finding.url,
        text(&finding.message)
    )
}

fn detail(report: &Report, finding: &Finding, place: &Place) -> String {
    let (level, rule) = (finding.severity.as_str(), finding.rule);
    let mut out = format!("### {level} {rule}\n\n{}: {}\n\n", at(place), text(&finding.message));
    out.push_str(&excerpt(report, place));
    for note in &finding.related {
        let _ = write!(out, "{}: {}\n\n{}", at(&note.place), text(&note.message), excerpt(report, &note.place));
    }
    if let Some(help) = &finding.help {
        let _ = write!(out, "**Help:** {}\n\n", text(help));
    }
    out
}

fn at(place: &Place) -> String {
    code(&format!("{}:{}:{}", place.file, place.start.line, place.start.column))
}

/// The line of a place, indented as it is, in a fence longer than any run of back ticks in it.
fn excerpt(report: &Report, place: &Place) -> String {
    const LONGEST: usize = 200;
    let Some(line) = report.texts.get(&place.file).and_then(|text| line_at(text, place.span.start)) else {
        return String::new();
    };
    let line = one_line(&super::placed::cut(line, LONGEST));
    if line.trim().is_empty() {
        return String::new();
    }
    let longest = line.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(3.max(longest + 1));
    format!("{fence}\n{line}\n{fence}\n\n")
}

fn line_at(text: &str, at: usize) -> Option<&str> {
    let (before, after) = text.split_at_checked(at)?;
    let start = before.rfind(['\n', '\r']).map_or(0, |at| at + 1);
    let end = after.find(['\n', '\r']).map_or(text.len(), |found| at + found);
    text.get(start..end)
}

/// Text with code in back ticks; nothing else in it is markup.
fn text(text: &str) -> String {
    let parts: Vec<_> = text.split('`').collect();
    if parts.len() % 2 == 0 {
        return plain(text);
    }
    let part = |(index, part): (usize, &&str)| match index % 2 {
        0 => plain(part),
        _ if part.is_empty() => plain("``"),
        _ => code(part),
    };
    parts.iter().enumerate().map(part).collect()
}

fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in one_line(text).chars() {
        match c {
            '<' | '>' | '&' | '@' | '|' | '\\' | '`' | '*' | '_' | '[' | ']' | '#' | '~' | '$' | '!' => {
                let _ = write!(out, "&#{};", u32::from(c));
            }
            _ => out.push(c),
        }
    }
    out
}

/// A code span; as HTML where Markdown has no escape for what is in it.
fn code(text: &str) -> String {
    let text = one_line(text);
    if text.contains(['`', '|', '\\']) || text.trim() != text {
        return format!("<code>{}</code>", plain(&text));
    }
    format!("`{text}`")
}
