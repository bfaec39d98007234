//! What a pipeline's jobs overwrite of the runner's settings, and what the runner makes of it.

use regex::Regex;

use super::{Executor, Field, Job, JobVariable, Quantity, Runner};
use crate::knowledge::{OverwriteCheck as Check, OverwriteVariable};
use crate::values::Value;

/// A variable of a job by which it overwrites a setting.
#[derive(Debug, Clone)]
pub struct Overwrite<'a> {
    /// The variable.
    pub variable: JobVariable<'a>,
    /// What the runner knows it as.
    pub known: &'static OverwriteVariable,
}

/// Whether a runner lets jobs overwrite a setting.
#[derive(Debug, Clone, Copy)]
pub enum Gate<'a> {
    /// It does not: the variable is ignored.
    Closed,
    /// It does, within what the setting says.
    Open(&'a str, &'a Value),
    /// It lets them set anything.
    Wide,
    /// Not known.
    Unknown,
}

/// Why a runner fails a job for what it overwrites.
#[derive(Debug, Clone, Copy)]
pub enum Refusal<'a> {
    /// It is more than the setting.
    Above(&'a str, &'a Value),
    /// It does not match the setting.
    NoMatch(&'a str, &'a Value),
    /// It cannot be read as an amount.
    NoQuantity(&'a Value),
    /// It is no `key=value`.
    NoPair(&'a Value),
}

/// What a container gets by a setting that jobs may overwrite.
#[derive(Debug, Clone)]
pub struct Effective {
    /// The amount.
    pub amount: Quantity,
    /// As it is written.
    pub text: String,
    /// Whether the job says it.
    pub by_job: bool,
    /// Whether variables that are in no file might still overwrite it.
    pub is_open: bool,
}

impl<'a> Job<'a> {
    /// What it overwrites for itself and for its services, some of it only under rules or in some jobs of a matrix.
    pub fn overwrites(self) -> Vec<Overwrite<'a>> {
        let known =
            |variable: JobVariable<'a>| Some(Overwrite { known: OverwriteVariable::named(variable.name)?, variable });
        let of_services = self.services().into_iter().flat_map(|service| self.own_variables(service));
        let of_services = of_services.filter_map(known).filter(|overwrite| overwrite.known.of == "service");
        self.variables().into_iter().chain(self.varied_variables()).filter_map(known).chain(of_services).collect()
    }

    /// What a container gets on a runner by a setting; not known where the runner fails the job.
    pub fn effective(self, runner: &Runner<'a>, known: &OverwriteVariable) -> Field<'a, Effective> {
        let default = |is_open| match runner.text(&["kubernetes", known.setting()]) {
            Field::Present("", _) => Field::Absent,
            field => field.and_then(|text| Effective::read(text, false, is_open)),
        };
        let ceiling = match Gate::of(runner, known) {
            Gate::Closed => return default(false),
            Gate::Open(ceiling, _) => Quantity::parse(ceiling),
            Gate::Wide | Gate::Unknown => return Field::Unknown(None),
        };
        match self.expanded(known.name) {
            Field::Absent => default(true),
            Field::Present(text, _) if text.is_empty() => default(false),
            field => {
                let is_within = |said: &Effective| ceiling.is_some_and(|ceiling| said.amount <= ceiling);
                field.and_then(|text| Effective::read(&text, true, false).filter(is_within))
            }
        }
    }
}

impl Effective {
    fn read(text: &str, by_job: bool, is_open: bool) -> Option<Self> {
        Some(Self { amount: Quantity::parse(text)?, text: text.to_owned(), by_job, is_open })
    }
}

impl<'a> Gate<'a> {
    /// The gate of a runner for a variable.
    pub fn of(runner: &Runner<'a>, known: &OverwriteVariable) -> Self {
        let path = ["kubernetes", known.gate];
        if runner.executor != Executor::Kubernetes {
            return Self::Unknown;
        }
        if known.check == Check::Switch {
            return match runner.flag(&path) {
                Field::Absent | Field::Present(false, _) => Self::Closed,
                Field::Present(true, _) => Self::Wide,
                Field::WrongShape(_) | Field::Unknown(_) => Self::Unknown,
            };
        }
        match runner.text(&path) {
            Field::Absent | Field::Present("", _) => Self::Closed,
            Field::Present(text, value) => Self::Open(text, value),
            Field::WrongShape(_) | Field::Unknown(_) => Self::Unknown,
        }
    }
}

impl Overwrite<'_> {
    /// Whether it asks for anything else than a runner surely gives anyway; what is empty asks for nothing.
    pub fn differs_from(&self, runner: &Runner<'_>) -> bool {
        let Some(text) = self.variable.text.as_deref() else { return true };
        let said = match runner.text(&["kubernetes", self.known.setting()]) {
            Field::Unknown(_) | Field::WrongShape(_) => return false,
            field => field.known(),
        };
        let is_same = match self.known.check {
            Check::Ceiling => Quantity::parse(text).is_some_and(|it| said.and_then(Quantity::parse) == Some(it)),
            _ => said == Some(text),
        };
        !text.is_empty() && !is_same
    }

    /// Why a runner fails a job for it; none where it does not, or where that is not known.
    pub fn refusal<'r>(&self, runner: &Runner<'r>) -> Option<Refusal<'r>> {
        let text = self.variable.text.as_deref().filter(|text| !text.is_empty())?;
        let Gate::Open(allowed, at) = Gate::of(runner, self.known) else { return None };
        match self.known.check {
            Check::Ceiling => {
                let ceiling = Quantity::parse(allowed)?;
                match Quantity::parse(text) {
                    None => Some(Refusal::NoQuantity(at)),
                    Some(amount) => (amount > ceiling).then_some(Refusal::Above(allowed, at)),
                }
            }
            Check::Pattern | Check::Pair | Check::Toleration => {
                let is_pair = self.known.check != Check::Pair || text.contains('=');
                match pattern(allowed)?.is_match(text) {
                    false => Some(Refusal::NoMatch(allowed, at)),
                    true => (!is_pair).then_some(Refusal::NoPair(at)),
                }
            }
            Check::Switch => None,
        }
    }
}

/// A regular expression of Go's; none where it may mean something else here.
fn pattern(text: &str) -> Option<Regex> {
    // What Go takes for characters of a class, or for a class in one.
    let differs = ["&&", "--", "~~", "[["].iter().any(|mark| text.replace("[[:", "").contains(mark));
    Regex::new(text).ok().filter(|_| !differs)
}

#[cfg(test)]
mod tests {
    use super::pattern;

    #[test]
    fn patterns_are_searched_for_and_may_be_unknown() {
        let matches = |text: &str, value| pattern(text).map(|it| it.is_match(value));
        assert_eq!(matches("ci-.*", "my-ci-1"), Some(true));
        assert_eq!(matches("^ci-.*$", "my-ci-1"), Some(false));
        assert_eq!(matches("^[[:alnum:]]+$", "ci"), Some(true));
        for text in ["(?=a)", "[a&&b]", "[[a]", "("] {
            assert_eq!(matches(text, "a"), None, "{text}");
        }
    }
}
