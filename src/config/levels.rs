//! Which rules run at which level.

use crate::diagnostic::Severity;
use crate::rule::{Category, Meta};

/// What the user wants of a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// It does not run.
    Off,
    /// It runs at this level.
    At(Severity),
}

impl Level {
    /// The words of the configuration.
    pub const WORDS: [&'static str; 4] = ["off", "info", "warning", "error"];

    /// Reads a word of the configuration.
    pub fn parse(word: &str) -> Option<Self> {
        match word {
            "off" => Some(Self::Off),
            "info" => Some(Self::At(Severity::Info)),
            "warning" => Some(Self::At(Severity::Warning)),
            "error" => Some(Self::At(Severity::Error)),
            _ => None,
        }
    }
}

/// Levels by selector: a rule id, a family or a category.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Levels {
    entries: Vec<(String, Level)>,
}

impl Levels {
    /// Sets the level of a selector; a later one of the same name wins.
    pub fn set(&mut self, selector: impl Into<String>, level: Level) {
        self.entries.push((selector.into(), level));
    }

    /// The level of a rule, if anything is said of it: its id over its family over its category.
    pub fn of(&self, meta: &Meta) -> Option<Level> {
        let names = [meta.id, meta.family(), category_word(meta.category)];
        let said = |name: &str| self.entries.iter().rev().find(|(selector, _)| selector == name);
        names.into_iter().find_map(said).map(|(_, level)| *level)
    }
}

/// Everything that selects rules: ids, families, categories; sorted, without doubles.
pub fn selectors<'a>(rules: &[&'a Meta]) -> Vec<&'a str> {
    let mut words: Vec<_> =
        rules.iter().flat_map(|meta| [meta.id, meta.family(), category_word(meta.category)]).collect();
    words.sort_unstable();
    words.dedup();
    words
}

/// Whether a word selects any rule.
pub fn is_known_selector(rules: &[&Meta], word: &str) -> bool {
    rules.iter().any(|meta| [meta.id, meta.family(), category_word(meta.category)].contains(&word))
}

fn category_word(category: Category) -> &'static str {
    match category {
        Category::Correctness => "correctness",
        Category::Security => "security",
        Category::Reliability => "reliability",
        Category::Deprecation => "deprecation",
        Category::Cost => "cost",
    }
}
