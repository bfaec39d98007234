//! What a rule's page says, as data. The constants are generated from the pages.

use crate::diagnostic::Severity;
use crate::rule::Checker;
use crate::view;

/// Why it matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Category {
    /// Something does not do what it says.
    Correctness,
    /// More rights than meant.
    Security,
    /// Fails now and then.
    Reliability,
    /// Will stop working.
    Deprecation,
    /// Costs money.
    Cost,
}

impl Category {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Correctness, Self::Security, Self::Reliability, Self::Deprecation, Self::Cost];

    /// The word in pages, configuration and output.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Correctness => "correctness",
            Self::Security => "security",
            Self::Reliability => "reliability",
            Self::Deprecation => "deprecation",
            Self::Cost => "cost",
        }
    }
}

/// Everything declarative about a rule.
#[derive(Debug)]
pub struct Meta {
    /// `family/name`.
    pub id: &'static str,
    /// The highest level of its findings.
    pub severity: Severity,
    /// Why it matters.
    pub category: Category,
    /// One sentence.
    pub summary: &'static str,
    /// Kinds of input where the fault can stand.
    pub inputs: &'static [&'static str],
    /// Version of runnerlint that brought it.
    pub since: &'static str,
    /// Whether it runs without being asked for.
    pub on_by_default: bool,
    /// Options with their defaults (integers only so far).
    pub options: &'static [(&'static str, i64)],
    /// The page, in Markdown with its front matter.
    pub page: &'static str,
}

impl Meta {
    /// The part of the id before the slash.
    pub fn family(&self) -> &'static str {
        self.id.split('/').next().unwrap_or(self.id)
    }

    /// The page on the web, of the version that runs.
    pub fn url(&self) -> String {
        format!("{}/blob/v{}/rules/{}.md", env!("CARGO_PKG_REPOSITORY"), env!("CARGO_PKG_VERSION"), self.id)
    }
}

/// A rule's function, by what it is shown.
#[derive(Debug, Clone, Copy)]
pub enum Check {
    /// Each values stack.
    Stack(fn(&view::Stack<'_>, &mut Checker<'_>)),
    /// Each scale set, in values or as an object.
    ScaleSet(fn(&view::ScaleSet<'_>, &mut Checker<'_>)),
    /// Each Kubernetes object of a kind that some lens reads.
    Object(fn(&view::Object<'_>, &mut Checker<'_>)),
    /// Each pod template, wherever it hangs.
    Pod(fn(&view::Pod<'_>, &mut Checker<'_>)),
    /// Each runner TOML, alone or embedded.
    RunnerConfig(fn(&view::RunnerConfig<'_>, &mut Checker<'_>)),
    /// Once, everything in view: pods with pools, pipelines with runners.
    Fleet(fn(&view::Fleet<'_>, &mut Checker<'_>)),
    /// None: the engine reports it.
    Engine,
}

/// A rule.
#[derive(Debug)]
pub struct Rule {
    /// Its page as data.
    pub meta: Meta,
    /// Its function.
    pub check: Check,
}
