//! The keys of GitLab Runner's `config.toml`, as a tree of tables.

use std::fmt;
use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use super::gitlab_version::Minor;
use super::table;

static TABLE: &str = include_str!("../../rules/data/gitlab-runner/config.tsv");

/// What a key holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Type {
    /// A table of known keys.
    Table,
    /// `[[…]]`: tables of known keys.
    Tables,
    /// A table of any keys.
    Map(Item),
    /// A list.
    List(Item),
    /// A string or a list of strings.
    StringOrList,
    /// One value.
    One(Item),
    /// Anything: the key is read by a plugin, or by nobody any more.
    Any,
}

/// One value, or one of a list's or of a map's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Item {
    /// A string.
    String,
    /// `true` or `false`.
    Bool,
    /// A whole number.
    Int,
    /// A number.
    Float,
    /// `"1h30m"`.
    Duration,
    /// A date with its time.
    Datetime,
    /// A list of strings.
    Strings,
}

impl Type {
    fn parse(word: &str) -> Option<Self> {
        Some(match word {
            "table" => Self::Table,
            "array-of-tables" => Self::Tables,
            "string-or-list" => Self::StringOrList,
            "map-of-any" | "gone" => Self::Any,
            _ => match (word.strip_prefix("map-of-"), word.strip_prefix("list-of-")) {
                (Some(item), _) => Self::Map(Item::parse(item)?),
                (_, Some(item)) => Self::List(Item::parse(item)?),
                _ => Self::One(Item::parse(word)?),
            },
        })
    }

    /// Whether keys that the schema knows stand in it.
    pub fn is_table(self) -> bool {
        matches!(self, Self::Table | Self::Tables)
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Table => f.write_str("a table"),
            Self::Tables => f.write_str("an array of tables"),
            Self::Map(item) => write!(f, "a table of {}", item.words().1),
            Self::List(item) => write!(f, "a list of {}", item.words().1),
            Self::StringOrList => f.write_str("a string or a list of strings"),
            Self::One(item) => f.write_str(item.words().0),
            Self::Any => f.write_str("anything"),
        }
    }
}

impl Item {
    /// One of them, and several.
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::String => ("a string", "strings"),
            Self::Bool => ("a boolean", "booleans"),
            Self::Int => ("a whole number", "whole numbers"),
            Self::Float => ("a number", "numbers"),
            Self::Duration => ("a duration", "durations"),
            Self::Datetime => ("a date", "dates"),
            Self::Strings => ("a list of strings", "lists of strings"),
        }
    }

    fn parse(word: &str) -> Option<Self> {
        Some(match word {
            "string" | "quantity" | "docker-size" => Self::String,
            "bool" => Self::Bool,
            "int" => Self::Int,
            "float" => Self::Float,
            "duration" => Self::Duration,
            "datetime" => Self::Datetime,
            "list-of-string" => Self::Strings,
            _ => return None,
        })
    }
}

/// A key of the file; the root is one without a name.
#[derive(Debug)]
pub struct Key {
    /// Its own name.
    pub name: &'static str,
    /// What it holds.
    pub holds: Type,
    /// First version that knows it.
    pub since: Minor,
    /// First version that no longer heeds it, with what took its place.
    pub until: Option<(Minor, &'static str)>,
    /// From the top, with `[]` for arrays of tables.
    path: &'static str,
    parent: Option<usize>,
    children: Vec<usize>,
    by_name: FxHashMap<&'static str, usize>,
    by_lower_case: FxHashMap<String, usize>,
}

impl Key {
    /// The top of the file.
    pub fn root() -> &'static Self {
        let [root, ..] = keys() else { unreachable!("there is always a root") };
        root
    }

    /// The key of a table under a name: by its exact name, else whatever its case.
    pub fn child(&self, name: &str) -> Option<&'static Self> {
        let index = self.by_name.get(name).or_else(|| self.by_lower_case.get(&name.to_ascii_lowercase()))?;
        keys().get(*index)
    }

    /// The keys of a table.
    pub fn children(&self) -> impl Iterator<Item = &'static Self> {
        self.children.iter().filter_map(|index| keys().get(*index))
    }

    /// The table that it stands in.
    pub fn parent(&self) -> Option<&'static Self> {
        keys().get(self.parent?)
    }

    /// The tables around it, the innermost first; the last one is the top of the file.
    pub fn enclosing(&self) -> impl Iterator<Item = &'static Self> {
        std::iter::successors(self.parent(), |key| key.parent())
    }

    /// Whether a version heeds it.
    pub fn is_known_to(&self, version: Option<Minor>) -> bool {
        version.is_none_or(|version| self.since <= version) && !self.is_gone_from(version)
    }

    /// Whether a version no longer heeds it; without one, the newest.
    pub fn is_gone_from(&self, version: Option<Minor>) -> bool {
        self.until.is_some_and(|(until, _)| version.is_none_or(|version| until <= version))
    }

    /// Its path from the top: `runners.cache.s3`.
    pub fn dotted(&self) -> String {
        self.path.replace("[]", "")
    }

    /// Its header as TOML has it, `[runners.cache]`; words for the top of the file.
    pub fn header(&self) -> String {
        match self.holds {
            _ if self.parent.is_none() => "the top of the file".to_owned(),
            Type::Tables => format!("`[[{}]]`", self.dotted()),
            _ => format!("`[{}]`", self.dotted()),
        }
    }

    /// Where its keys stand.
    pub fn place(&self) -> String {
        let word = if self.parent.is_some() { "in" } else { "at" };
        format!("{word} {}", self.header())
    }
}

/// The newest version whose keys are known.
pub fn newest() -> Minor {
    keys().iter().map(|key| key.since).max().unwrap_or(Key::root().since)
}

fn keys() -> &'static [Key] {
    static KEYS: OnceLock<Vec<Key>> = OnceLock::new();
    KEYS.get_or_init(read)
}

fn read() -> Vec<Key> {
    let root = Key {
        name: "",
        holds: Type::Table,
        since: Minor { major: 0, minor: 0 },
        until: None,
        path: "",
        parent: None,
        children: Vec::new(),
        by_name: FxHashMap::default(),
        by_lower_case: FxHashMap::default(),
    };
    let (mut keys, mut by_path) = (vec![root], FxHashMap::from_iter([("", 0)]));
    for row in table::rows(TABLE) {
        let Some(key) = key(row, &by_path) else { continue };
        let (index, name) = (keys.len(), key.name);
        by_path.insert(key.path, index);
        if let Some(parent) = key.parent.and_then(|parent| keys.get_mut(parent)) {
            parent.children.push(index);
            parent.by_name.insert(name, index);
            // Of two that differ in case only, the live one is meant: it comes first.
            parent.by_lower_case.entry(name.to_ascii_lowercase()).or_insert(index);
        }
        keys.push(key);
    }
    keys
}

fn key(
    [path, holds, since, until, instead]: [&'static str; 5],
    by_path: &FxHashMap<&'static str, usize>,
) -> Option<Key> {
    let (parent, name) = path.rsplit_once('.').unwrap_or(("", path));
    Some(Key {
        name: name.trim_end_matches("[]"),
        holds: Type::parse(holds)?,
        since: Minor::parse(since)?,
        until: Minor::parse(until).map(|until| (until, instead)),
        path,
        parent: Some(*by_path.get(parent)?),
        children: Vec::new(),
        by_name: FxHashMap::default(),
        by_lower_case: FxHashMap::default(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(path: &[&str]) -> Option<&'static Key> {
        path.iter().try_fold(Key::root(), |key, name| key.child(name))
    }

    #[test]
    fn every_row_is_read() {
        assert_eq!(table::rows::<1>(TABLE).count(), 762);
        assert_eq!(keys().len(), 763);
        assert!(["source", "date"].iter().all(|name| table::head(TABLE, name).is_some()));
        for ([path, holds, _, until, _], key) in table::rows::<5>(TABLE).zip(keys().iter().skip(1)) {
            assert_eq!(path, key.path);
            assert_eq!(until.is_empty(), key.until.is_none(), "{path}");
            assert_eq!(holds == "array-of-tables", path.ends_with("[]"), "{path}");
            assert!(key.parent().is_some_and(|parent| parent.holds.is_table()), "{path}");
        }
    }

    #[test]
    fn names_are_looked_up_whatever_their_case() {
        let limit = at(&["Runners", "KUBERNETES", "cpu_Limit"]).unwrap();
        assert_eq!((limit.name, limit.holds), ("cpu_limit", Type::One(Item::String)));
        assert_eq!(limit.parent().unwrap().header(), "`[runners.kubernetes]`");
        let around: Vec<_> = limit.enclosing().map(Key::header).collect();
        assert_eq!(around, ["`[runners.kubernetes]`", "`[[runners]]`", "the top of the file"]);
        assert_eq!(at(&["runners", "cache", "type"]).unwrap().name, "Type");
        assert!(at(&["runners", "cache", "gcp"]).is_none());
        assert_eq!(newest(), Minor { major: 19, minor: 4 });
    }

    #[test]
    fn keys_come_and_go() {
        let version = |major, minor| Some(Minor { major, minor });
        let gone = at(&["runners", "pre_clone_script"]).unwrap();
        assert!(gone.is_gone_from(None) && gone.is_gone_from(version(17, 0)) && !gone.is_gone_from(version(16, 11)));
        let new = at(&["runners", "kubernetes", "pod_cpu_limit"]).unwrap();
        assert!(new.is_known_to(None) && new.is_known_to(version(18, 10)) && !new.is_known_to(version(18, 9)));
    }
}
