//! Reads `runnerlint.toml`: every wrong key and value becomes a diagnostic with its place and the nearest right word.

use globset::{Glob, GlobSet, GlobSetBuilder};
use jiff::civil::Date;

use super::{Config, Level, Levels, Override, SetArgument, StackConfig, selectors};
use crate::diagnostic::{Diagnostic, Label, Severity};
use crate::rule::Meta;
use crate::syntax::{Kind, Node, NodeRef, TreeId, Trees};
use crate::text::{Location, Span};

const TOP: [&str; 10] = [
    "helm-version",
    "kube-version",
    "gitlab-runner-version",
    "node-pools",
    "as-of",
    "exclude",
    "stack",
    "rules",
    "rule-options",
    "override",
];
const STACK: [&str; 10] =
    ["name", "chart", "values", "set", "set-string", "set-json", "set-file", "set-literal", "namespace", "release"];
const OVERRIDE: [&str; 2] = ["paths", "rules"];
const FLAGS: [(&str, &str); 5] = [
    ("set-json", "--set-json"),
    ("set", "--set"),
    ("set-string", "--set-string"),
    ("set-file", "--set-file"),
    ("set-literal", "--set-literal"),
];

impl Config {
    /// Reads a configuration that was parsed as TOML; `rules` are all that there are.
    pub fn read(trees: &Trees, tree: TreeId, rules: &[&Meta]) -> (Self, Vec<Diagnostic>) {
        let mut reader = Reader { trees, tree, rules, found: Vec::new() };
        let config = reader.config();
        (config, reader.found)
    }
}

pub(super) struct Reader<'a> {
    trees: &'a Trees,
    tree: TreeId,
    rules: &'a [&'a Meta],
    pub(super) found: Vec<Diagnostic>,
}

impl<'a> Reader<'a> {
    /// A reader of a tree that names no rules.
    pub(super) fn new(trees: &'a Trees, tree: TreeId) -> Self {
        Self { trees, tree, rules: &[], found: Vec::new() }
    }

    /// The top table; what does not parse is reported.
    pub(super) fn root(&mut self) -> Option<Node<'a>> {
        let tree = self.trees.get(self.tree)?;
        for error in &tree.errors {
            self.report_at(tree.location(error.span), String::new(), error.message.clone());
        }
        tree.root()
    }

    fn config(&mut self) -> Config {
        let mut config = Config::default();
        let Some(root) = self.root() else { return config };
        for (key, value) in root.entries() {
            match key.text() {
                "helm-version" => config.helm_version = self.helm_version(value),
                "kube-version" => config.kube_version = self.kube_version(value),
                "gitlab-runner-version" => config.gitlab_runner_version = self.gitlab_runner_version(value),
                "node-pools" => {
                    config.node_pools_closed = self.word(value, &["open", "closed"]).map(|word| word == "closed");
                }
                "as-of" => config.as_of = self.date(value),
                "exclude" => config.exclude = self.globs(value),
                "stack" => config.stacks = self.tables(value).into_iter().map(|item| self.stack(item)).collect(),
                "rules" => config.levels = self.levels(value),
                "rule-options" => config.options = self.options(value),
                "override" => {
                    config.overrides = self.tables(value).into_iter().map(|item| self.overriding(item)).collect();
                }
                unknown => self.unknown_word(key, "key", unknown, &TOP),
            }
        }
        config
    }

    fn stack(&mut self, table: Node<'a>) -> StackConfig {
        let mut stack = StackConfig {
            name: None,
            chart: None,
            values: Vec::new(),
            set: Vec::new(),
            namespace: None,
            release: None,
            at: self.at(table),
        };
        for (key, value) in table.entries() {
            match key.text() {
                "name" => stack.name = self.string(value),
                "chart" => stack.chart = self.string(value),
                "values" => stack.values = self.strings(value).into_iter().map(|(text, _)| text).collect(),
                "namespace" => stack.namespace = self.string(value),
                "release" => stack.release = self.string(value),
                word => match FLAGS.iter().find(|(name, _)| *name == word) {
                    Some((_, flag)) => {
                        let arguments = self.strings(value);
                        stack.set.extend(arguments.into_iter().map(|(text, at)| SetArgument { flag, text, at }));
                    }
                    None => self.unknown_word(key, "key", word, &STACK),
                },
            }
        }
        stack
    }

    fn overriding(&mut self, table: Node<'a>) -> Override {
        let mut entry = Override { paths: GlobSet::empty(), levels: Levels::default() };
        for (key, value) in table.entries() {
            match key.text() {
                "paths" => entry.paths = self.globs(value),
                "rules" => entry.levels = self.levels(value),
                unknown => self.unknown_word(key, "key", unknown, &OVERRIDE),
            }
        }
        entry
    }

    fn levels(&mut self, table: Node<'a>) -> Levels {
        let mut levels = Levels::default();
        let known = selectors(self.rules);
        for (key, value) in self.table(table).into_iter().flat_map(Node::entries) {
            if !known.contains(&key.text()) {
                self.unknown_word(key, "rule, family or category", key.text(), &known);
                continue;
            }
            if let Some(level) = self.word(value, &Level::WORDS).as_deref().and_then(Level::parse) {
                levels.set(key.text(), level);
            }
        }
        levels
    }

    fn options(&mut self, table: Node<'a>) -> Vec<(String, Vec<(String, i64)>)> {
        let mut all = Vec::new();
        let ids: Vec<_> = self.rules.iter().map(|meta| meta.id).collect();
        for (key, options) in self.table(table).into_iter().flat_map(Node::entries) {
            let Some(meta) = self.rules.iter().find(|meta| meta.id == key.text()) else {
                self.unknown_word(key, "rule", key.text(), &ids);
                continue;
            };
            let names: Vec<_> = meta.options.iter().map(|(name, _)| *name).collect();
            let mut set = Vec::new();
            for (name, value) in self.table(options).into_iter().flat_map(Node::entries) {
                if !names.contains(&name.text()) {
                    self.unknown_word(name, &format!("option of `{}`", meta.id), name.text(), &names);
                } else if let Some(number) = plain(value).and_then(|raw| raw.replace('_', "").parse().ok()) {
                    set.push((name.text().to_owned(), number));
                } else {
                    self.report(value, format!("`{}` must be a whole number", name.text()));
                }
            }
            all.push((meta.id.to_owned(), set));
        }
        all
    }

    fn helm_version(&mut self, value: Node<'a>) -> Option<String> {
        let text = self.string(value)?;
        let numbers = text.strip_prefix('v').unwrap_or(&text);
        let major = numbers.split('.').next().unwrap_or_default();
        let numeric = numbers.split('.').count() <= 3 && numbers.split('.').all(|part| part.parse::<u32>().is_ok());
        if numeric && ["3", "4"].contains(&major) {
            return Some(text);
        }
        self.report(value, format!("`{text}` is no version of Helm 3 or 4: write `3`, `4` or an exact version"));
        None
    }

    fn kube_version(&mut self, value: Node<'a>) -> Option<(u32, u32)> {
        let text = self.string(value)?;
        let version = parse_minor_version(&text);
        if version.is_none() {
            self.report(value, format!("`{text}` is no Kubernetes version: write `1.31`"));
        }
        version
    }

    fn gitlab_runner_version(&mut self, value: Node<'a>) -> Option<(u32, u32)> {
        let text = self.string(value)?;
        let version = parse_minor_version(&text);
        if version.is_none() {
            self.report(value, format!("`{text}` is no version of GitLab Runner: write `18.9`"));
        }
        version
    }

    pub(super) fn date(&mut self, value: Node<'a>) -> Option<Date> {
        let date = value.text().parse().ok();
        if date.is_none() {
            self.report(value, format!("`{}` is no date: write `2026-11-30`", value.text()));
        }
        date
    }

    fn globs(&mut self, value: Node<'a>) -> GlobSet {
        let mut set = GlobSetBuilder::new();
        for (text, at) in self.strings(value) {
            match Glob::new(text.trim_end_matches('/')) {
                Ok(glob) => drop(set.add(glob)),
                Err(error) => {
                    if let Some(node) = self.trees.node(at) {
                        self.report(node, format!("`{text}` is no glob: {}", error.kind()));
                    }
                }
            }
        }
        set.build().unwrap_or_default()
    }

    /// The items of `[[name]]`. One `[name]` is a slip that would lose the whole section.
    fn tables(&mut self, value: Node<'a>) -> Vec<Node<'a>> {
        if !value.kind().is_seq() {
            let key = value.key().map_or("", Node::text);
            self.report(value, format!("`{key}` must be a list of tables: write `[[{key}]]`"));
            return Vec::new();
        }
        let items: Vec<_> = value.items().collect();
        items.into_iter().filter_map(|item| self.table(item)).collect()
    }

    pub(super) fn table(&mut self, value: Node<'a>) -> Option<Node<'a>> {
        if value.kind().is_map() {
            return Some(value);
        }
        let key = value.key().map_or("an item", Node::text);
        self.report(value, format!("`{key}` must be a table"));
        None
    }

    fn string(&mut self, value: Node<'a>) -> Option<String> {
        if matches!(value.kind(), Kind::DoubleQuoted | Kind::SingleQuoted) {
            return Some(value.text().to_owned());
        }
        let key = value.key().map_or("an item", Node::text);
        self.report(value, format!("`{key}` must be a string"));
        None
    }

    fn strings(&mut self, value: Node<'a>) -> Vec<(String, NodeRef)> {
        if !value.kind().is_seq() {
            let key = value.key().map_or("", Node::text);
            self.report(value, format!("`{key}` must be a list of strings"));
            return Vec::new();
        }
        let items: Vec<_> = value.items().collect();
        items.into_iter().filter_map(|item| Some((self.string(item)?, self.at(item)))).collect()
    }

    fn word(&mut self, value: Node<'a>, words: &[&str]) -> Option<String> {
        let text = self.string(value)?;
        if words.contains(&text.as_str()) {
            return Some(text);
        }
        self.unknown_word(value, "value", &text, words);
        None
    }

    pub(super) fn unknown_word(&mut self, node: Node<'a>, what: &str, word: &str, words: &[&str]) {
        let near = nearest(word, words);
        let message = match near {
            Some(near) => format!("unknown {what} `{word}`: did you mean `{near}`?"),
            None if words.is_empty() => format!("unknown {what} `{word}`"),
            None if words.len() <= 10 => format!("unknown {what} `{word}`: known are `{}`", words.join("`, `")),
            None => format!("unknown {what} `{word}`"),
        };
        self.report(node, message);
    }

    pub(super) fn report(&mut self, node: Node<'a>, message: String) {
        let span: Span = node.anchor_span();
        self.report_at(node.tree.location(span), node.path(), message);
    }

    fn report_at(&mut self, location: Location, path: String, message: String) {
        let primary = Some(Label::primary(location, path));
        self.found.push(Diagnostic::new("meta/invalid-config", Severity::Error, primary, message));
    }

    fn at(&self, node: Node<'_>) -> NodeRef {
        NodeRef { tree: self.tree, node: node.id }
    }
}

/// A TOML number, boolean or date as written.
pub(super) fn plain(node: Node<'_>) -> Option<&str> {
    (node.kind() == Kind::Plain).then(|| node.raw())
}

/// Reads `1.31`, `v1.31.2`.
pub fn parse_minor_version(text: &str) -> Option<(u32, u32)> {
    let mut parts = text.trim().trim_start_matches('v').split('.');
    let (major, minor) = (parts.next()?.parse().ok()?, parts.next()?.trim_end_matches('+').parse().ok()?);
    parts.all(|part| part.chars().next().is_some_and(|c| c.is_ascii_digit())).then_some((major, minor))
}

/// The nearest of `words`, if it is near enough to be what was meant.
pub fn nearest<'a>(word: &str, words: &[&'a str]) -> Option<&'a str> {
    let distance = |candidate: &&&str| strsim::damerau_levenshtein(word, candidate);
    let best = words.iter().min_by_key(distance)?;
    (distance(&best) <= word.len().max(best.len()) / 3 + 1).then_some(*best)
}
