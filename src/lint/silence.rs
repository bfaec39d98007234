//! Suppressions: which findings they silence, and which of them are unknown or of no use.

use std::collections::BTreeSet;

use super::Found;
use super::triage::Levels;
use crate::config::suppress::{self, Suppression};
use crate::config::{nearest, selectors};
use crate::diagnostic::{Diagnostic, Fault, Label, Severity};
use crate::project::Project;
use crate::rule::Meta;
use crate::syntax::Tree;
use crate::text::{Location, SourceId};

/// All suppressions of a project, and which of them were of use.
pub(super) struct Silencer {
    /// Sorted by file.
    entries: Vec<Entry>,
    /// Files that could not be read in all their parts: what is of no use there might be once they can.
    broken: BTreeSet<SourceId>,
}

struct Entry {
    suppression: Suppression,
    used: bool,
}

impl Silencer {
    pub(super) fn new(project: &Project) -> Self {
        let mut entries: Vec<_> = project
            .trees
            .iter()
            .filter(|(_, tree)| project.sources.get(tree.source).is_some_and(|source| source.is_file))
            .flat_map(|(id, _)| suppress::collect(&project.trees, id))
            .map(|suppression| Entry { suppression, used: false })
            .collect();
        entries.sort_by_key(|entry| (entry.suppression.at, entry.suppression.covers));
        // A file may be read as two trees: a ConfigMap's data once for each of its readers.
        entries.dedup_by(|a, b| a.suppression == b.suppression);
        let is_broken = |tree: &&Tree| tree.errors.iter().any(|error| !error.duplicate);
        let broken = project.trees.iter().map(|(_, tree)| tree).filter(is_broken).map(|tree| tree.source).collect();
        Self { entries, broken }
    }

    /// Takes out what is silenced; also the rendered image of a fault that is silenced in the values.
    pub(super) fn silence(&mut self, levels: &Levels<'_>, found: &mut Vec<Found>) {
        if self.entries.is_empty() {
            return;
        }
        let mut faults: Vec<(&'static str, Fault)> = Vec::new();
        found.retain(|found| {
            let diagnostic = &found.diagnostic;
            let Some(at) = diagnostic.primary.as_ref().map(|label| label.location) else { return true };
            let silenced = self.covers(levels.meta(diagnostic.rule), at);
            if silenced && !found.in_object {
                faults.extend(diagnostic.fault.clone().map(|fault| (diagnostic.rule, fault)));
            }
            !silenced
        });
        found.retain(|found| {
            let same = |(rule, fault): &(&str, Fault)| {
                *rule == found.diagnostic.rule && found.diagnostic.fault.as_ref().is_some_and(|own| own.is_same(fault))
            };
            !found.in_object || !faults.iter().any(same)
        });
    }

    /// Whether a finding is silenced; marks all that would.
    fn covers(&mut self, meta: Option<&Meta>, at: Location) -> bool {
        let Some(meta) = meta else { return false };
        let start = self.entries.partition_point(|entry| entry.suppression.at.source < at.source);
        let mut silenced = false;
        for entry in self.entries.iter_mut().skip(start).take_while(|entry| entry.suppression.at.source == at.source) {
            if entry.suppression.covers(at) && names(&entry.suppression.rule, meta) {
                entry.used = true;
                silenced = true;
            }
        }
        silenced
    }

    /// What is wrong with the suppressions themselves.
    pub(super) fn findings(&self, levels: &Levels<'_>) -> Vec<Diagnostic> {
        let metas: Vec<&Meta> = levels.metas().collect();
        let words = selectors(&metas);
        let wanted = self.entries.iter().filter(|entry| levels.wants(entry.suppression.at.source));
        let is_read = |entry: &Entry| !self.broken.contains(&entry.suppression.at.source);
        wanted.filter_map(|entry| fault_of(entry, is_read(entry), levels, &metas, &words)).collect()
    }
}

fn names(word: &str, meta: &Meta) -> bool {
    [meta.id, meta.family(), meta.category.as_str()].contains(&word)
}

fn fault_of(entry: &Entry, is_read: bool, levels: &Levels<'_>, metas: &[&Meta], words: &[&str]) -> Option<Diagnostic> {
    let Suppression { rule, at, fault, .. } = &entry.suppression;
    if let Some(fault) = fault {
        return Some(diagnostic("meta/unknown-suppression", Severity::Error, *at, fault.clone(), None));
    }
    if !words.contains(&rule.as_str()) {
        let help = match nearest(rule, words) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "`runnerlint rules` lists all".to_owned(),
        };
        let message = format!("there is no rule, family or category `{rule}`");
        return Some(diagnostic("meta/unknown-suppression", Severity::Error, *at, message, Some(help)));
    }
    let ran = metas.iter().any(|meta| names(rule, meta) && ran(levels, meta, at.source));
    let message = || format!("nothing here is silenced by `{rule}`");
    (!entry.used && ran && is_read)
        .then(|| diagnostic("meta/unused-suppression", Severity::Warning, *at, message(), Some("delete it".to_owned())))
}

/// Only rules that were heard can show that their suppression is of no use.
fn ran(levels: &Levels<'_>, meta: &Meta, source: SourceId) -> bool {
    levels.level(meta, Some(source), None).is_some()
}

fn diagnostic(
    rule: &'static str,
    severity: Severity,
    location: Location,
    message: String,
    help: Option<String>,
) -> Diagnostic {
    let found = Diagnostic::new(rule, severity, Some(Label::primary(location, "")), message);
    Diagnostic { help, ..found }
}
