//! From what was found to what is shown: levels, suppressions, one fault once.

use rustc_hash::FxHashMap;

use super::options::{Options, Verdict};
use super::silence::Silencer;
use super::{Found, fold};
use crate::config::Level;
use crate::diagnostic::Severity;
use crate::project::{ConfigFile, ConfigId, File, Project, relative};
use crate::rule::{Meta, Rule};
use crate::text::SourceId;

/// Findings to be shown, and how many were suppressed.
pub(super) fn triage(
    project: &Project,
    options: &Options,
    rules: &'static [Rule],
    found: Vec<Found>,
) -> (Vec<Found>, usize) {
    let levels = Levels::new(project, options, rules);
    let mut shown: Vec<_> = found.into_iter().filter_map(|found| levels.apply(found)).collect();
    let mut silencer = Silencer::new(project);
    let before = shown.len();
    silencer.silence(&levels, &mut shown);
    let suppressed = before - shown.len();
    let unused = silencer.findings(&levels);
    shown.extend(unused.into_iter().map(Found::of_engine).filter_map(|found| levels.apply(found)));
    shown.retain(|found| levels.is_wanted(found));
    (fold::fold(shown), suppressed)
}

/// Which rule speaks at which level in which file.
pub(super) struct Levels<'a> {
    project: &'a Project,
    options: &'a Options,
    rules: &'static [Rule],
    files: FxHashMap<SourceId, &'a File>,
}

impl<'a> Levels<'a> {
    fn new(project: &'a Project, options: &'a Options, rules: &'static [Rule]) -> Self {
        let files = project.files.iter().map(|file| (file.source, file)).collect();
        Self { project, options, rules, files }
    }

    /// The metadata of a rule.
    pub(super) fn meta(&self, id: &str) -> Option<&'static Meta> {
        let index = self.rules.binary_search_by(|rule| rule.meta.id.cmp(id)).ok()?;
        self.rules.get(index).map(|rule| &rule.meta)
    }

    /// All rules' metadata.
    pub(super) fn metas(&self) -> impl Iterator<Item = &'static Meta> {
        self.rules.iter().map(|rule| &rule.meta)
    }

    /// The level of a rule in a file; none where it is off there.
    pub(super) fn level(&self, meta: &Meta, source: Option<SourceId>, config: Option<ConfigId>) -> Option<Severity> {
        let verdict = self.options.selection.verdict(meta);
        if verdict == Verdict::Off {
            return None;
        }
        match self.configured(meta, source, config) {
            Some(Level::At(severity)) => Some(severity),
            Some(Level::Off) if verdict == Verdict::On => Some(meta.severity),
            Some(Level::Off) => None,
            None => (meta.on_by_default || verdict == Verdict::On).then_some(meta.severity),
        }
    }

    fn configured(&self, meta: &Meta, source: Option<SourceId>, config: Option<ConfigId>) -> Option<Level> {
        let known = source.and_then(|source| self.files.get(&source));
        let file = self.project.config(known.map_or(config, |file| file.config)?)?;
        let path = source.and_then(|source| self.path(source, file)).unwrap_or_default();
        file.config.level(meta, &path)
    }

    /// The path of a file, seen from its configuration.
    fn path(&self, source: SourceId, config: &ConfigFile) -> Option<String> {
        Some(relative(&self.files.get(&source)?.path, &config.directory))
    }

    /// The finding at its level, unless its rule is off.
    fn apply(&self, mut found: Found) -> Option<Found> {
        let source = found.diagnostic.primary.as_ref().map(|label| label.location.source);
        let Some(meta) = self.meta(found.diagnostic.rule) else { return Some(found) };
        let level = self.level(meta, source, found.config)?;
        let lowered = found.diagnostic.severity < meta.severity;
        found.diagnostic.severity = if lowered { level.min(found.diagnostic.severity) } else { level };
        Some(found)
    }

    /// Findings of a subject were asked for with it, others with their file.
    fn is_wanted(&self, found: &Found) -> bool {
        let primary = found.diagnostic.primary.as_ref().map(|label| label.location.source);
        found.subject.is_some() || primary.is_none_or(|source| self.wants(source))
    }

    /// Whether a file's findings are shown.
    pub(super) fn wants(&self, source: SourceId) -> bool {
        self.files.get(&source).is_none_or(|file| file.wanted)
    }
}
