//! `runnerlint.lock`: the day and the releases by which a team has agreed to judge.

use std::collections::BTreeMap;
use std::fmt::Write;

use jiff::civil::Date;
use semver::Version;

use super::reader::{Reader, plain};
use crate::diagnostic::Diagnostic;
use crate::syntax::{Node, TreeId, Trees};

/// The layout that this program reads and writes.
const LAYOUT: &str = "1";
const KEYS: [&str; 4] = ["version", "as-of", "releases-up-to", "runner-releases"];
const HEAD: &str = "\
# The day and the releases of actions/runner by which `runnerlint check` judges here.
# Written by `runnerlint lock`, not by hand.
";

/// What a lock says. What was wrong in it was reported when it was read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Lock {
    /// `as-of`.
    pub as_of: Option<Date>,
    /// `releases-up-to`: later releases are not known.
    pub releases_up_to: Option<Date>,
    /// `[runner-releases]`.
    pub releases: BTreeMap<Version, Date>,
}

impl Lock {
    /// Reads a lock that was parsed as TOML.
    pub fn read(trees: &Trees, tree: TreeId) -> (Self, Vec<Diagnostic>) {
        let mut reader = Reader::new(trees, tree);
        let lock = reader.lock();
        // What does not parse is no mistake a second time.
        let errors = trees.get(tree).map_or(0, |tree| tree.errors.len());
        if errors > 0 {
            reader.found.truncate(errors);
        }
        (lock, reader.found)
    }

    /// The text of the file.
    pub fn to_toml(&self) -> String {
        let mut text = format!("{HEAD}version = {LAYOUT}\n");
        for (key, date) in [("as-of", self.as_of), ("releases-up-to", self.releases_up_to)] {
            if let Some(date) = date {
                let _ = writeln!(text, "{key} = {date}");
            }
        }
        text.push_str("\n[runner-releases]\n");
        for (version, date) in &self.releases {
            let _ = writeln!(text, "\"{version}\" = {date}");
        }
        text
    }
}

impl<'a> Reader<'a> {
    fn lock(&mut self) -> Lock {
        let mut lock = Lock::default();
        let Some(root) = self.root() else { return lock };
        if let Some(layout) = root.get("version").filter(|layout| plain(*layout) != Some(LAYOUT)) {
            self.report(layout, format!("this lock is not of version {LAYOUT}: write it anew with `runnerlint lock`"));
            return lock;
        }
        for (key, value) in root.entries() {
            match key.text() {
                "version" => {}
                "as-of" => lock.as_of = self.date(value),
                "releases-up-to" => lock.releases_up_to = self.date(value),
                "runner-releases" => lock.releases = self.releases(value),
                unknown => self.unknown_word(key, "key", unknown, &KEYS),
            }
        }
        lock
    }

    fn releases(&mut self, table: Node<'a>) -> BTreeMap<Version, Date> {
        let mut releases = BTreeMap::new();
        for (key, value) in self.table(table).into_iter().flat_map(Node::entries) {
            match Version::parse(key.text()) {
                Ok(version) => releases.extend(self.date(value).map(|date| (version, date))),
                Err(_) => self.report(key, format!("`{}` is no version: write `\"2.336.0\"`", key.text())),
            }
        }
        releases
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::toml;
    use crate::text::{Encoding, Sources};
    use jiff::civil::date;

    fn read(text: &str) -> (Lock, Vec<String>) {
        let (mut sources, mut trees) = (Sources::default(), Trees::default());
        let source = sources.add("runnerlint.lock", text, Encoding::Utf8, true);
        let tree = trees.add(toml::parse(text.into(), source));
        let (lock, found) = Lock::read(&trees, tree);
        let spanned = |found: &Diagnostic| {
            let span = found.primary.as_ref().unwrap().location.span;
            format!("{}: {}", span.slice(text), found.message)
        };
        (lock, found.iter().map(spanned).collect())
    }

    fn lock() -> Lock {
        let releases = [("2.336.0", date(2026, 7, 20)), ("2.338.0", date(2026, 10, 5))];
        Lock {
            as_of: Some(date(2026, 11, 30)),
            releases_up_to: Some(date(2026, 10, 5)),
            releases: releases.map(|(version, date)| (Version::parse(version).unwrap(), date)).into(),
        }
    }

    #[test]
    fn what_is_written_is_read() {
        assert_eq!(read(&lock().to_toml()), (lock(), Vec::new()));
        assert_eq!(read(&Lock::default().to_toml()), (Lock::default(), Vec::new()));
    }

    #[test]
    fn mistakes_have_their_place_and_the_rest_counts() {
        let text = lock().to_toml().replace("as-of", "as-off").replace("2026-07-20", "\"July\"");
        let (read_back, found) = read(&text);
        assert_eq!(read_back.releases.len(), 1);
        assert_eq!(
            found,
            ["as-off: unknown key `as-off`: did you mean `as-of`?", "\"July\": `July` is no date: write `2026-11-30`"]
        );
    }

    #[test]
    fn broken_ones_and_those_of_another_version_say_nothing() {
        for text in [
            "version = 2\nas-of = 2026-11-30\n",
            "version = 1\nrunner-releases = 3\n",
            "version = 1\n[runner-releases]\nnewest = 2026-11-30\n",
            "version = 1\nas-of = 2026-11-31\n",
            "<<<<<<< ours\n",
        ] {
            let (lock, found) = read(text);
            assert_eq!((lock, found.len()), (Lock::default(), 1), "{text}: {found:?}");
        }
    }
}
