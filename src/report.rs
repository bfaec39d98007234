//! From a finished report to bytes: one pure function per format, one file each.

mod concise;
mod github;
mod gitlab;
mod json;
mod junit;
mod markdown;
pub mod merge;
mod paint;
mod placed;
mod rdjson;
mod sarif;
mod summary;
mod text;
mod wrap;

use crate::lint::Report;

pub use paint::Paint;
pub use summary::{counted, summary_line};
pub use wrap::wrap;

/// How to write a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// For people: excerpts of both places.
    Text,
    /// One line a finding.
    Concise,
    /// For machines, version 1.
    Json,
    /// SARIF 2.1.0: code scanning, editors.
    Sarif,
    /// Annotations of GitHub Actions.
    Github,
    /// GitLab Code Quality.
    Gitlab,
    /// JUnit XML.
    Junit,
    /// reviewdog's DiagnosticResult.
    Rdjson,
    /// A job's summary.
    Markdown,
}

impl Format {
    /// All of them with their names on the command line.
    pub const ALL: [(&'static str, Self); 9] = [
        ("text", Self::Text),
        ("concise", Self::Concise),
        ("json", Self::Json),
        ("sarif", Self::Sarif),
        ("github", Self::Github),
        ("gitlab", Self::Gitlab),
        ("junit", Self::Junit),
        ("rdjson", Self::Rdjson),
        ("markdown", Self::Markdown),
    ];

    /// The format of a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(found, _)| *found == name).map(|&(_, format)| format)
    }

    /// Whether it is read by people: then it ends with the summary line.
    pub fn is_for_people(self) -> bool {
        matches!(self, Self::Text | Self::Concise)
    }
}

/// What a format is asked to look like.
#[derive(Debug, Clone, Copy)]
pub struct Style<'a> {
    /// Whether to write escape sequences for colours.
    pub color: bool,
    /// Columns to wrap at.
    pub width: usize,
    /// Whether to count findings per rule instead of showing them.
    pub statistics: bool,
    /// Whether to leave the summary line out.
    pub quiet: bool,
    /// The working directory seen from the repository's root: empty, or `ci/fleet/`.
    pub prefix: &'a str,
    /// What tells several SARIF uploads of one commit apart.
    pub category: Option<&'a str>,
}

/// Writes a report.
pub fn render(report: &Report, format: Format, style: &Style<'_>) -> String {
    let mut out = match format {
        Format::Json => return json::render(report, style.statistics),
        Format::Sarif => return sarif::render(report, style),
        Format::Github => return github::render(report, style),
        Format::Gitlab => return gitlab::render(report, style),
        Format::Junit => return junit::render(report),
        Format::Rdjson => return rdjson::render(report),
        Format::Markdown => return markdown::render(report, style),
        Format::Text | Format::Concise if style.statistics => summary::statistics(report, style),
        Format::Text => text::render(report, style),
        Format::Concise => concise::render(report, style),
    };
    if !style.quiet {
        out.push_str(&summary_line(report, style));
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod format_tests;
#[cfg(test)]
mod tests;
