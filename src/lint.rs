//! The driver: every rule on every subject, then triage into a finished report.

mod report;

pub use report::{Finding, Note, Place, Point, Report, Summary};
