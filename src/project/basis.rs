//! What findings are judged by beside the files: the day of a lock, and the releases of the runner.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use jiff::civil::Date;
use semver::Version;

use super::load::{read_file, read_text};
use super::{ConfigChoice, LoadError, Project, nearest_config, problems, relative};
use crate::config::Lock;
use crate::diagnostic::Diagnostic;
use crate::knowledge::runner_release::{REGISTRATION_FLOOR, Releases, read_answer};
use crate::rule::Meta;
use crate::syntax::{Trees, toml};
use crate::text::{Encoding, Sources};

/// What a lock is called.
pub const LOCK_NAME: &str = "runnerlint.lock";

/// What findings are judged by.
#[derive(Debug, Clone, Default)]
pub struct Basis {
    /// The day that a lock says.
    pub as_of: Option<Date>,
    /// The releases that are known.
    pub releases: Arc<Releases>,
}

/// What a file of `--runner-releases` lists, and its name.
pub(super) type Listed = (BTreeMap<Version, Date>, String);

/// Reads a file of `--runner-releases`.
pub(super) fn listed(directory: &Path, path: &Path) -> Result<Listed, LoadError> {
    let name = path.to_string_lossy().replace('\\', "/");
    let releases = read_answer(&read_file(directory, path)?);
    let failed = |why| LoadError(format!("`{name}` holds no releases of the runner: {why}"));
    Ok((releases.map_err(failed)?, name))
}

/// The basis where a lock in `folder` holds, if there is one; what is wrong in it is reported.
pub(super) fn basis(project: &mut Project, shown_from: &Path, folder: Option<&Path>, listed: Option<&Listed>) -> Basis {
    let path = folder.map(|folder| folder.join(LOCK_NAME)).filter(|path| path.is_file());
    let lock = path.map(|path| (relative(&path, shown_from), read_text(&path)));
    let lock = lock.map(|(name, text)| (parse(&mut project.sources, &mut project.trees, &name, text), name));
    let mut basis = Basis::default();
    if let Some(((lock, found), name)) = lock {
        project.diagnostics.extend(found);
        if lock != Lock::default() {
            let known = lock.releases_up_to.map_or_else(Releases::default, |day| Releases::built_in().until(day));
            basis.releases = Arc::new(known.with(&lock.releases, lock.releases_up_to, &name));
            basis.as_of = lock.as_of;
        }
        let day = lock.as_of.map(|day| format!("as of {day}, by ")).unwrap_or_default();
        project.notes.push(format!("{name}: judged {day}{}", basis.releases));
    }
    if let Some((releases, name)) = listed {
        basis.releases = Arc::new(basis.releases.with(releases, None, name));
    }
    basis
}

fn parse(
    sources: &mut Sources,
    trees: &mut Trees,
    name: &str,
    text: Result<Arc<str>, String>,
) -> (Lock, Vec<Diagnostic>) {
    let (text, unread) = text.map_or_else(|why| ("".into(), Some(why)), |text| (text, None));
    let source = sources.add(name, Arc::clone(&text), Encoding::Utf8, true);
    if let Some(why) = unread {
        return (Lock::default(), vec![problems::unreadable(source, 0, why)]);
    }
    let tree = trees.add(toml::parse(text, source));
    Lock::read(trees, tree)
}

/// A lock that is to be written.
#[derive(Debug, Clone)]
pub struct NewLock {
    /// Where.
    pub path: PathBuf,
    /// What it is to say.
    pub lock: Lock,
    /// Its text so far; none where there is none.
    pub old: Option<Arc<str>>,
    /// What was wrong in the old one, which is lost.
    pub lost: Vec<String>,
    /// The day in the configuration, which wins over the lock's.
    pub day_of_config: Option<Date>,
}

/// The lock beside the configuration, or in `directory` without one, as of a day: with all releases that are
/// known, that it held, or that a file of `--runner-releases` adds.
pub fn renew_lock(
    directory: &Path,
    choice: &ConfigChoice,
    runner_releases: Option<&Path>,
    day: Date,
    rules: &[&Meta],
) -> Result<NewLock, LoadError> {
    let listed = runner_releases.map(|path| listed(directory, path)).transpose()?;
    let config = nearest_config(directory, choice, rules)?;
    let path = config.as_ref().map_or(directory, |(folder, _)| folder).join(LOCK_NAME);
    let old = path.is_file().then(|| read_text(&path));
    let (before, found) = match old.clone() {
        Some(text) => parse(&mut Sources::default(), &mut Trees::default(), LOCK_NAME, text),
        None => Default::default(),
    };
    let mut releases = Releases::built_in().with(&before.releases, before.releases_up_to, LOCK_NAME);
    if let Some((more, name)) = &listed {
        releases = releases.with(more, None, name);
    }
    // What may no longer register needs no newer release to be refused.
    let kept = releases.all().iter().filter(|release| release.version >= REGISTRATION_FLOOR);
    let lock = Lock {
        as_of: Some(day),
        releases_up_to: releases.up_to(),
        releases: kept.map(|release| (release.version.clone(), release.date)).collect(),
    };
    let lost = found.into_iter().map(|found| found.message).collect();
    let day_of_config = config.and_then(|(_, config)| config.as_of);
    Ok(NewLock { path, lock, old: old.and_then(Result::ok), lost, day_of_config })
}
