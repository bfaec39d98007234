//! Which lines of files are not as they were at some commit.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::LoadError;
use super::git::Commit;
use crate::text::decode::decode;

/// Deleted files that are asked whether a new one is one of them, renamed.
const MAX_RENAMED: usize = 200;
/// Lines that are compared one by one; where more are not as they were, all between are taken as changed.
const MAX_LINES: usize = 20_000;

/// Changed lines of files.
#[derive(Debug, Default)]
pub struct Changes {
    files: BTreeMap<String, Changed>,
}

/// What of a file changed.
#[derive(Debug, PartialEq, Eq)]
enum Changed {
    /// It is new.
    All,
    /// These lines, from 1.
    Lines(BTreeSet<usize>),
}

impl Changes {
    /// Compares texts, by their names relative to `directory`, with what they were where `revision` and the present
    /// commit part. What lies outside the repository counts as changed.
    ///
    /// # Errors
    /// Without git, a repository, or that revision.
    pub fn since(directory: &Path, revision: &str, texts: &BTreeMap<String, Arc<str>>) -> Result<Self, LoadError> {
        let commit = Commit::base(directory, revision)?;
        let paths: BTreeMap<&str, String> =
            texts.keys().filter_map(|name| Some((name.as_str(), commit.path_of(name)?))).collect();
        let (old, new): (Vec<_>, Vec<_>) = paths.values().cloned().partition(|path| commit.has(path));
        let before = commit.read(&old)?;
        let renamed = Renamed::read(&commit, &new)?;
        let mut files = BTreeMap::new();
        for (name, text) in texts {
            let path = paths.get(name.as_str());
            let past = path.and_then(|path| before.get(path)).and_then(|bytes| text_of(bytes));
            let past = past.as_deref().or_else(|| renamed.source_of(path?, text));
            let changed = past.map_or(Changed::All, |past| Changed::Lines(changed_lines(past, text)));
            files.insert(name.clone(), changed);
        }
        Ok(Self { files })
    }

    /// Whether one of these lines changed; of unknown files all did.
    pub fn touch(&self, file: &str, lines: RangeInclusive<usize>) -> bool {
        match self.files.get(file) {
            Some(Changed::Lines(changed)) => changed.range(lines).next().is_some(),
            Some(Changed::All) | None => true,
        }
    }
}

/// Files that are no more.
#[derive(Debug)]
struct Renamed {
    /// Candidates of each new file.
    candidates: FxHashMap<String, Vec<String>>,
    texts: FxHashMap<String, String>,
}

impl Renamed {
    fn read(commit: &Commit, new: &[String]) -> Result<Self, LoadError> {
        let mut candidates = FxHashMap::default();
        for path in new {
            let mut gone = commit.deleted_like(path);
            gone.truncate(MAX_RENAMED);
            candidates.insert(path.clone(), gone);
        }
        let mut wanted: Vec<String> = candidates.values().flatten().cloned().collect();
        wanted.sort();
        wanted.dedup();
        let bytes = commit.read(&wanted)?;
        let texts = bytes.into_iter().filter_map(|(path, bytes)| Some((path, text_of(&bytes)?))).collect();
        Ok(Self { candidates, texts })
    }

    /// The text that a new file had under another name: the most similar one, if half of it is the same.
    fn source_of(&self, path: &str, text: &str) -> Option<&str> {
        let texts = self.candidates.get(path)?.iter().filter_map(|path| self.texts.get(path));
        let scored = texts.map(|old| (similarity(old, text), old.as_str()));
        let (score, old) = scored.reduce(|best, next| if next.0 > best.0 { next } else { best })?;
        (score >= 50).then_some(old)
    }
}

fn text_of(bytes: &[u8]) -> Option<String> {
    decode(bytes.to_vec()).ok().map(|text| text.text)
}

/// How many of a hundred lines two texts share, wherever they stand.
fn similarity(old: &str, new: &str) -> usize {
    let (old, new) = (lines(old), lines(new));
    let mut left: FxHashMap<&str, usize> = FxHashMap::default();
    for line in &old {
        *left.entry(line).or_default() += 1;
    }
    let mut shared = 0;
    for line in &new {
        if let Some(count) = left.get_mut(line).filter(|count| **count > 0) {
            *count -= 1;
            shared += 2;
        }
    }
    shared * 100 / (old.len() + new.len()).max(1)
}

/// Lines without their breaks, whatever those are; without a BOM.
fn lines(text: &str) -> Vec<&str> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    text.split("\r\n").flat_map(|part| part.split(['\n', '\r'])).collect()
}

/// Lines (from 1) of the new text that are new, and the two that stand around lines that are gone.
fn changed_lines(old: &str, new: &str) -> BTreeSet<usize> {
    let (old, new) = (lines(old), lines(new));
    let head = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
    let (old, middle) = (old.get(head..).unwrap_or_default(), new.get(head..).unwrap_or_default());
    let tail = old.iter().rev().zip(middle.iter().rev()).take_while(|(old, new)| old == new).count();
    let old = old.get(..old.len() - tail).unwrap_or_default();
    let middle = middle.get(..middle.len() - tail).unwrap_or_default();
    let mut changed = BTreeSet::new();
    if old.len().min(middle.len()) > MAX_LINES {
        changed.extend(head + 1..=head + middle.len());
        return changed;
    }
    for op in capture_diff_slices(Algorithm::Myers, old, middle) {
        match op {
            DiffOp::Equal { .. } => {}
            DiffOp::Delete { new_index, .. } => {
                let after = head + new_index + 1;
                changed.extend([after - 1, after]);
            }
            DiffOp::Insert { new_index, new_len, .. } | DiffOp::Replace { new_index, new_len, .. } => {
                let first = head + new_index + 1;
                changed.extend(first..first + new_len);
            }
        }
    }
    changed
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changed(old: &str, new: &str) -> Vec<usize> {
        changed_lines(old, new).into_iter().collect()
    }

    #[test]
    fn new_lines_and_those_around_a_gap() {
        assert_eq!(changed("a\nb\nc\n", "a\nb\nc\n"), Vec::<usize>::new());
        assert_eq!(changed("a\nb\nc\n", "a\nB\nc\n"), [2]);
        assert_eq!(changed("a\nc\n", "a\nb\nc\n"), [2]);
        assert_eq!(changed("a\nb\nc\nd\n", "a\nd\n"), [1, 2]);
        assert_eq!(changed("", "a\n"), [1]);
        assert_eq!(changed("a\nb\nc\nd\ne\n", "x\nb\nc\ny\ne\n"), [1, 4]);
    }

    #[test]
    fn line_breaks_are_no_change() {
        assert_eq!(changed("a\r\nb\r\nc\r\n", "a\nB\nc\n"), [2]);
        assert_eq!(changed("a\nb\n", "\u{feff}a\rb\r"), Vec::<usize>::new());
        assert_eq!(lines("a\r\nb\rc\n"), ["a", "b", "c", ""]);
    }

    #[test]
    fn many_changed_lines_are_not_compared_one_by_one() {
        let text = |word: &str| (0..MAX_LINES + 9).map(|line| format!("{word}{line}\n")).collect::<String>();
        assert_eq!(changed(&format!("a\n{}z\n", text("x")), &format!("a\n{}z\n", text("y"))).len(), MAX_LINES + 9);
    }

    #[test]
    fn what_is_half_the_same_was_renamed() {
        assert_eq!((similarity("a\nb\n", "a\nb\n"), similarity("a", "b")), (100, 0));
        assert!(similarity("a\nb\nc\nd\n", "a\nb\nx\ny\n") >= 50);
    }
}
