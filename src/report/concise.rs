//! `concise`: `file:line:column: level rule message`, one line a finding.

use std::fmt::Write;

use super::paint::one_line;
use super::{Paint, Style};
use crate::lint::Report;

pub(super) fn render(report: &Report, style: &Style<'_>) -> String {
    let paint = Paint(style.color);
    let mut out = String::new();
    for finding in &report.findings {
        if let Some(place) = &finding.place {
            let file = paint.bold(&one_line(&place.file));
            let _ = write!(out, "{file}:{}:{}: ", place.start.line, place.start.column);
        }
        let severity = paint.severity(finding.severity, finding.severity.as_str());
        let _ = writeln!(out, "{severity} {} {}", paint.name(finding.rule), one_line(&finding.message));
    }
    out
}
