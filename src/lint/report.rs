//! What comes out of a run: owned, positions resolved, ready for any format.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use crate::diagnostic::Severity;
use crate::rule::Meta;

/// A finished run.
#[derive(Debug, Clone, Default)]
pub struct Report {
    /// What was looked at, and how it went.
    pub summary: Summary,
    /// The findings by file, start, rule.
    pub findings: Vec<Finding>,
    /// Texts of the files that findings point into, by name, for excerpts.
    pub texts: BTreeMap<String, Arc<str>>,
    /// What was passed over and why, for `-v`.
    pub notes: Vec<String>,
    /// The rules that have findings, by id.
    pub rules: Vec<&'static Meta>,
}

/// What was looked at, and how it went.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Summary {
    /// The day that was judged by, `2026-11-30`.
    pub as_of: String,
    /// Files of a kind that we lint.
    pub files: usize,
    /// Documents in them.
    pub documents: usize,
    /// Documents inside scalars of other documents.
    pub embedded: usize,
    /// Values stacks.
    pub stacks: usize,
    /// Findings at level error.
    pub errors: usize,
    /// Findings at level warning.
    pub warnings: usize,
    /// Findings at level info.
    pub infos: usize,
    /// Findings that a comment or annotation silenced.
    pub suppressed: usize,
    /// What a baseline took out, where there was one.
    pub baseline: Option<Against>,
    /// Wall time of the run.
    pub elapsed: Duration,
}

/// A run against a baseline.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Against {
    /// Findings that it knew, and that are not shown.
    pub known: usize,
    /// Findings of it that are gone.
    pub fixed: usize,
}

impl Report {
    /// Keeps some of the findings, and counts them anew.
    pub fn retain(&mut self, keep: impl FnMut(&Finding) -> bool) {
        self.findings.retain(keep);
        (self.summary.errors, self.summary.warnings, self.summary.infos) = (0, 0, 0);
        for finding in &self.findings {
            self.summary.count(finding.severity);
        }
    }
}

impl Summary {
    /// Findings of all levels.
    pub fn findings(&self) -> usize {
        self.errors + self.warnings + self.infos
    }

    /// Counts a finding.
    pub fn count(&mut self, severity: Severity) {
        match severity {
            Severity::Error => self.errors += 1,
            Severity::Warning => self.warnings += 1,
            Severity::Info => self.infos += 1,
        }
    }
}

/// One finding.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// Rule id.
    pub rule: &'static str,
    /// Level after triage.
    pub severity: Severity,
    /// What is wrong.
    pub message: String,
    /// Where; none for what stands in no file.
    pub place: Option<Place>,
    /// The other parties.
    pub related: Vec<Note>,
    /// What to do.
    pub help: Option<String>,
    /// The rule's page on the web.
    pub url: String,
    /// The same for the same fault, wherever its lines move.
    pub fingerprint: String,
}

impl Finding {
    /// Whether it says that a file was not judged, or not all of it: then the place says little.
    pub fn is_of_whole_file(&self) -> bool {
        matches!(self.rule, "meta/syntax-error" | "meta/unreadable-file")
    }
}

/// A place with what is to be said of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Note {
    /// Where.
    pub place: Place,
    /// What is there.
    pub message: String,
}

/// A place in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The file, relative to the working directory, with `/`.
    pub file: String,
    /// Path of the node in the file.
    pub path: String,
    /// First character.
    pub start: Point,
    /// After the last character.
    pub end: Point,
    /// The same in bytes of the decoded text in [`Report::texts`].
    pub span: Range<usize>,
}

/// A point as people and as machines count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Point {
    /// From 1.
    pub line: usize,
    /// In characters, from 1.
    pub column: usize,
    /// Offset in the file on disk.
    pub byte: usize,
}
