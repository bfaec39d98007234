//! `text`: for people. Both places are shown, where the value was lost and where it was.

use std::fmt::{self, Write};
use std::sync::Arc;

use miette::{
    GraphicalReportHandler, GraphicalTheme, LabeledSpan, MietteError, MietteSpanContents, SourceCode, SourceSpan,
    SpanContents, ThemeCharacters, ThemeStyles,
};

use super::paint::{one_line, printable};
use super::{Paint, Style, wrap};
use crate::diagnostic::Severity;
use crate::lint::{Finding, Place, Report};

/// Places in one file that are further apart get excerpts of their own.
const NEAR: usize = 40;
/// Longer lines are cut around the place.
const LONG_LINE: usize = 300;
const AROUND: usize = 60;

pub(super) fn render(report: &Report, style: &Style<'_>) -> String {
    let handler = handler(style);
    let paint = Paint(style.color);
    let mut out = String::new();
    for finding in &report.findings {
        let shown = Shown::new(report, finding, style.width);
        let heading = format!("{}[{}]", finding.severity.as_str(), finding.rule);
        let _ = writeln!(out, "{}", paint.severity(finding.severity, &heading));
        // A String takes everything, and the labels lie inside the windows.
        let _ = handler.render_report(&mut out, &shown);
        let _ = writeln!(out, "  {} {}\n", paint.name("docs:"), paint.dim(&finding.url));
    }
    out
}

fn handler(style: &Style<'_>) -> GraphicalReportHandler {
    let styles = if style.color { ThemeStyles::ansi() } else { ThemeStyles::none() };
    let theme = GraphicalTheme { characters: ThemeCharacters::unicode(), styles };
    GraphicalReportHandler::new_themed(theme)
        .with_links(false)
        .with_width(style.width)
        .with_wrap_lines(false)
        .with_context_lines(2)
        .without_cause_chain()
        .without_syntax_highlighting()
        .tab_width(4)
}

/// A finding as miette wants it: one source that is made of windows into several files.
#[derive(Debug)]
struct Shown<'a> {
    finding: &'a Finding,
    message: String,
    help: Option<String>,
    windows: Windows,
    labels: Vec<LabeledSpan>,
}

impl<'a> Shown<'a> {
    fn new(report: &Report, finding: &'a Finding, width: usize) -> Self {
        let mut shown = Self {
            finding,
            message: filled(&finding.message, width.saturating_sub(4)),
            help: finding.help.as_deref().map(|help| filled(help, width.saturating_sub(8))),
            windows: Windows::default(),
            labels: Vec::new(),
        };
        let primary = finding.place.iter().map(|place| (place, None));
        let related = finding.related.iter().map(|note| (&note.place, Some(note.message.as_str())));
        let places: Vec<_> = primary.chain(related).collect();
        for group in groups(&places) {
            shown.show(report, &group);
        }
        shown
    }

    /// Adds a window with its labels.
    fn show(&mut self, report: &Report, group: &[&(&Place, Option<&str>)]) {
        let Some((first, _)) = group.first() else { return };
        let Some(text) = report.texts.get(&first.file) else { return };
        let places: Vec<&Place> = group.iter().map(|(place, _)| *place).collect();
        let base = self.windows.end();
        let window = Window::new(text, &places, base);
        for (place, message) in group {
            let start = place.span.start.max(window.offset);
            // A block would be drawn as a box over all its lines: its first line says enough.
            let line_end = text.get(start..).and_then(|rest| rest.find(['\n', '\r'])).map_or(text.len(), |n| start + n);
            let end = place.span.end.min(line_end).min(window.offset + window.text.len()).max(start);
            let span = SourceSpan::from((base + (start - window.offset), end - start));
            let label = message.filter(|message| !message.is_empty()).map(one_line);
            // Two labels on the same text would be drawn over each other: the words win.
            let primary = self.labels.iter_mut().find(|old| *old.inner() == span);
            match (primary, message) {
                (Some(old), _) if old.label().is_some() => {}
                (Some(old), _) => old.set_label(label),
                (None, None) => self.labels.push(LabeledSpan::new_primary_with_span(label, span)),
                (None, Some(_)) => self.labels.push(LabeledSpan::new_with_span(label, span)),
            }
        }
        self.windows.0.push(window);
    }
}

/// Filled lines; what is indented, such as a piece of YAML, stays as it is.
fn filled(text: &str, width: usize) -> String {
    let text = printable(text);
    let fill = |line: &str| if line.starts_with(' ') { line.to_owned() } else { wrap(line, width, "") };
    text.lines().map(fill).collect::<Vec<_>>().join("\n")
}

/// Places that are shown in one excerpt, in the order in which they were named.
fn groups<'p, 'a>(places: &'p [(&'a Place, Option<&'a str>)]) -> Vec<Vec<&'p (&'a Place, Option<&'a str>)>> {
    let mut groups: Vec<Vec<&(&Place, Option<&str>)>> = Vec::new();
    for place in places {
        let near = groups.iter_mut().find(|group| group.iter().any(|other| are_near(other.0, place.0)));
        match near {
            Some(group) => group.push(place),
            None => groups.push(vec![place]),
        }
    }
    groups
}

fn are_near(a: &Place, b: &Place) -> bool {
    a.file == b.file && a.start.line.abs_diff(b.start.line) < NEAR
}

/// Some lines of a file.
#[derive(Debug)]
struct Window {
    /// Where it starts among all windows.
    base: usize,
    /// Where it starts in the file's text.
    offset: usize,
    name: String,
    /// Line of its first character, from 0.
    line: usize,
    /// Characters of that line before it.
    column: usize,
    text: String,
}

impl Window {
    /// The lines around `places`, all of the same `text`.
    fn new(text: &Arc<str>, places: &[&Place], base: usize) -> Self {
        let start = places.iter().map(|place| place.span.start).min().unwrap_or_default();
        let end = places.iter().map(|place| first_line_end(text, place)).max().unwrap_or_default();
        let line = places.iter().map(|place| place.start.line).min().unwrap_or(1) - 1;
        let mut from = line_start(text, start);
        let mut line_number = line;
        for _ in 0..2 {
            if from > 0 {
                from = line_start(text, from - 1);
                line_number -= 1;
            }
        }
        let mut to = line_end(text, end);
        for _ in 0..2 {
            to = line_end(text, to + 1);
        }
        let mut column = 0;
        let excerpt = text.get(from..to).unwrap_or_default();
        if excerpt.lines().any(|line| line.len() > LONG_LINE) {
            from = floor(text, start.saturating_sub(AROUND).max(line_start(text, start)));
            to = floor(text, (end + AROUND).min(line_end(text, end)));
            line_number = line;
            column = text.get(line_start(text, start)..from).map_or(0, |before| before.chars().count());
        }
        let name = places.first().map(|place| one_line(&place.file)).unwrap_or_default();
        let text = printable(text.get(from..to.max(from)).unwrap_or_default());
        Self { base, offset: from, name, line: line_number, column, text }
    }
}

fn first_line_end(text: &str, place: &Place) -> usize {
    place.span.end.min(line_end(text, place.span.start))
}

fn line_start(text: &str, at: usize) -> usize {
    text.get(..at).and_then(|before| before.rfind('\n')).map_or(0, |found| found + 1)
}

fn line_end(text: &str, at: usize) -> usize {
    text.get(at..).and_then(|rest| rest.find('\n')).map_or(text.len(), |found| at + found)
}

fn floor(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or_default()
}

/// Windows one after the other, with a gap that belongs to none.
#[derive(Debug, Default)]
struct Windows(Vec<Window>);

impl Windows {
    fn end(&self) -> usize {
        self.0.last().map_or(0, |window| window.base + window.text.len() + 1)
    }
}

impl SourceCode for Windows {
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        before: usize,
        after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let holds = |window: &&Window| {
            window.base <= span.offset() && span.offset() + span.len() <= window.base + window.text.len()
        };
        let window = self.0.iter().find(holds).ok_or(MietteError::OutOfBounds)?;
        let inner = SourceSpan::from((span.offset() - window.base, span.len()));
        let found = window.text.as_str().read_span(&inner, before, after)?;
        let start = found.span().offset();
        // miette counts bytes; people count characters.
        let before = window.text.get(line_start(&window.text, start)..start).map_or(0, |text| text.chars().count());
        let column = before + if found.line() == 0 { window.column } else { 0 };
        Ok(Box::new(MietteSpanContents::new_named(
            window.name.clone(),
            found.data(),
            SourceSpan::from((start + window.base, found.span().len())),
            found.line() + window.line,
            column,
            found.line_count(),
        )))
    }
}

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Shown<'_> {}

impl miette::Diagnostic for Shown<'_> {
    fn severity(&self) -> Option<miette::Severity> {
        Some(match self.finding.severity {
            Severity::Error => miette::Severity::Error,
            Severity::Warning => miette::Severity::Warning,
            Severity::Info => miette::Severity::Advice,
        })
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        Some(Box::new(self.help.as_deref()?))
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        (!self.labels.is_empty()).then_some(&self.windows)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        Some(Box::new(self.labels.iter().cloned()))
    }
}
