//! From a finished report to bytes: one pure function per format, one file each.

mod concise;
mod json;
pub mod merge;
mod paint;
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
}

impl Format {
    /// All of them with their names on the command line.
    pub const ALL: [(&'static str, Self); 3] = [("text", Self::Text), ("concise", Self::Concise), ("json", Self::Json)];

    /// The format of a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(found, _)| *found == name).map(|&(_, format)| format)
    }

    /// Whether it is read by people: then it ends with the summary line.
    pub fn is_for_people(self) -> bool {
        matches!(self, Self::Text | Self::Concise)
    }
}

/// What formats for people are asked to look like.
#[derive(Debug, Clone, Copy)]
pub struct Style {
    /// Whether to write escape sequences for colours.
    pub color: bool,
    /// Columns to wrap at.
    pub width: usize,
    /// Whether to count findings per rule instead of showing them.
    pub statistics: bool,
    /// Whether to leave the summary line out.
    pub quiet: bool,
}

/// Writes a report.
pub fn render(report: &Report, format: Format, style: &Style) -> String {
    let mut out = match format {
        Format::Json => return json::render(report, style.statistics),
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
mod tests;
