//! A finding: what, where, the other parties, what to do. Owns its data and knows no renderer.

use crate::text::Location;

/// How bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Advice: shown, and failing only where asked.
    Info,
    /// Likely not meant.
    Warning,
    /// The setting has no effect, or jobs cannot run.
    Error,
}

impl Severity {
    /// The word in pages, configuration and output.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// A place with what is to be said of it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Label {
    /// In the host file, also for embedded documents.
    pub location: Location,
    /// Path of the node in the contract's notation.
    pub path: String,
    /// What is there ("`command` was set here"); empty on a primary label.
    pub message: String,
}

impl Label {
    /// A place with nothing said of it.
    pub fn primary(location: Location, path: impl Into<String>) -> Self {
        Self { location, path: path.into(), message: String::new() }
    }
}

/// What makes two findings the same fault, though seen in values and in their rendered output.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fault {
    /// Whether it was seen in an object, which may be rendered output of the values.
    pub in_object: bool,
    /// Name of the chart.
    pub chart: String,
    /// Release, where known.
    pub release: Option<String>,
    /// Kind of the object or role of the pod.
    pub kind: String,
    /// Container, or another name inside.
    pub container: String,
}

impl Fault {
    /// Whether both are the same fault; a release that is not known is no difference.
    pub fn is_same(&self, other: &Self) -> bool {
        let release = self.release.as_ref().zip(other.release.as_ref()).is_none_or(|(a, b)| a == b);
        release && (&self.chart, &self.kind, &self.container) == (&other.chart, &other.kind, &other.container)
    }
}

/// One finding.
#[derive(Debug, Clone, PartialEq)]
pub struct Diagnostic {
    /// Rule id.
    pub rule: &'static str,
    /// The level on the rule's page, or lower.
    pub severity: Severity,
    /// What is wrong: lower case, no full stop, names in back ticks.
    pub message: String,
    /// Where; none only for what has no file (a flag on the command line).
    pub primary: Option<Label>,
    /// The other parties.
    pub related: Vec<Label>,
    /// What to do.
    pub help: Option<String>,
    /// Set where the same fault can be seen in other inputs too.
    pub fault: Option<Fault>,
}

impl Diagnostic {
    /// A finding of one place, with nothing more to say yet.
    pub fn new(rule: &'static str, severity: Severity, primary: Option<Label>, message: impl Into<String>) -> Self {
        Self { rule, severity, message: message.into(), primary, related: Vec::new(), help: None, fault: None }
    }

    /// Lowers the level where the evidence is weaker; never raises it.
    pub fn lower_to(&mut self, severity: Severity) -> &mut Self {
        self.severity = self.severity.min(severity);
        self
    }

    /// What to do.
    pub fn help(&mut self, help: impl Into<String>) -> &mut Self {
        self.help = Some(help.into());
        self
    }
}
