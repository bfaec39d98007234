//! An overlay restates `runners.config` and loses settings of the text below it.

use crate::diagnostic::Severity;
use crate::rule::Checker;
use crate::syntax::{Language, Node, NodeId, NodeRef, Tree, embedded};
use crate::values::{Data, Origin, Role, Value};
use crate::view::{Part, Stack, entry_of, is_conditional};

/// How many lost settings the message names.
const NAMED: usize = 6;

pub(crate) fn check(stack: &Stack<'_>, checker: &mut Checker<'_>) {
    for part in stack.gitlab_charts() {
        let Some(runners) = part.values.get("runners") else { continue };
        if runners.get("configPath").and_then(Value::as_str).is_some_and(|path| !path.is_empty()) {
            continue;
        }
        let gone = runners.as_map().and_then(|map| map.deleted.iter().rev().find(|gone| gone.key == "config"));
        let (now, by, below): (_, _, Vec<&Value>) = match (runners.get("config"), gone) {
            (Some(config), _) => (Some(config), config.origin, config.past.iter().map(|past| &past.value).collect()),
            (None, Some(gone)) => {
                (None, gone.by, gone.value.past.iter().map(|past| &past.value).chain([&gone.value]).collect())
            }
            (None, None) => continue,
        };
        let below: Vec<&Value> = below.into_iter().filter(|value| is_users(value, part, stack, checker)).collect();
        compare(stack, now, by, &below, checker);
    }
}

/// Whether a text was written by the chart's user: the defaults of the chart itself are there to be
/// replaced, those that an umbrella chart gives it are not.
fn is_users(value: &Value, part: &Part<'_>, stack: &Stack<'_>, checker: &Checker<'_>) -> bool {
    let role = stack.merged.layer(value.origin.layer).map(|layer| layer.role);
    let Some(node) = value.origin.node else { return false };
    match part.prefix.first() {
        _ if role != Some(Role::ChartDefault) => true,
        Some(first) => checker.trees().node(node).is_some_and(|node| top_key(node) == Some(first.as_str())),
        None => false,
    }
}

fn top_key(node: Node<'_>) -> Option<&str> {
    let entry = std::iter::successors(Some(node), |node| node.parent()).filter(|node| node.key().is_some()).last()?;
    Some(entry.key()?.text())
}

fn compare(stack: &Stack<'_>, now: Option<&Value>, by: Origin, below: &[&Value], checker: &mut Checker<'_>) {
    let Some(now) = config_of(now, checker) else { return };
    let mut lost: Vec<Lost> = Vec::new();
    let mut kept = 0;
    let trees: Vec<(&Value, Tree)> =
        below.iter().filter_map(|value| Some((*value, read(value.origin.node?, checker)?))).collect();
    // The highest layer that had a setting is the one to name.
    for (index, (_, tree)) in trees.iter().enumerate().rev() {
        let Some(root) = tree.root() else { continue };
        let mut found = Difference::default();
        found.collect(root, now.as_ref().and_then(Tree::root));
        kept += found.kept;
        let gone = found.gone.into_iter().map(|id| tree.node(id));
        for node in gone.filter(|node| !is_conditional(*node) && !is_made_up_for(*node) && !is_idle(*node)) {
            let path = node.path();
            let known = |lost: &Lost| {
                path.strip_prefix(&lost.path).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
            };
            if !lost.iter().any(known) {
                lost.push(Lost { path, index, node: node.id });
            }
        }
    }
    let (Some(first), Some(at)) = (lost.first(), by.node) else { return };
    let Some((value, tree)) = trees.get(first.index) else { return };
    let file = checker.sources().get(tree.source).filter(|source| source.is_file).map(|source| source.name.as_str());
    let layer = stack.merged.layer(value.origin.layer).map(|layer| layer.name.as_str());
    let below = file.or(layer).unwrap_or("the layers below");
    let had = tree.node(first.node).anchor_span();
    // A flag has no place in a file: then the text that lost is where to look.
    let at = if checker.is_node_in_file(at) { at } else { value.origin.node.unwrap_or(at) };
    let what = match stack.merged.layer(by.layer).filter(|layer| layer.role == Role::Flag) {
        Some(flag) => format!("`{}`", flag.name),
        None => "this `config`".to_owned(),
    };
    let (message, help) = words(&what, below, now.is_some(), &lost);
    let mut finding = checker.report_key(at, message);
    finding.related_span(tree, had, format!("`{}` was set here", first.path)).help(help);
    // A text that repeats nothing was written to stand alone.
    if now.is_some() && kept == 0 {
        finding.diagnostic.lower_to(Severity::Info);
    }
}

/// What to say of it, and what to do.
fn words(what: &str, below: &str, is_text: bool, lost: &[Lost]) -> (String, &'static str) {
    if is_text {
        let message = format!("{what} replaces the whole text of `{below}` and loses {}", names(lost));
        (message, "restate what is to stay: Helm replaces a string as a whole, it does not merge the TOML in it")
    } else {
        let message = format!("{what} takes the text of `{below}` away: the runner registers without a template");
        (message, "drop this `null`, or write the settings that are to hold here")
    }
}

struct Lost {
    path: String,
    index: usize,
    node: NodeId,
}

fn names(lost: &[Lost]) -> String {
    let mut named: Vec<String> = lost.iter().take(NAMED).map(|lost| format!("`{}`", lost.path)).collect();
    if lost.len() > NAMED {
        named.push(format!("{} more", lost.len() - NAMED));
    }
    named.join(", ")
}

/// The text that wins, read; `Some(None)` where there is none at all, `None` where it is not known.
fn config_of(now: Option<&Value>, checker: &Checker<'_>) -> Option<Option<Tree>> {
    let Some(now) = now else { return Some(None) };
    match &now.data {
        Data::Null => Some(None),
        Data::String(_) => {
            let tree = read(now.origin.node?, checker)?;
            // What cannot be read, or what templates bring, may well hold all that seems to be lost.
            let known = tree.statements.is_empty() && tree.errors.iter().all(|error| error.duplicate);
            known.then_some(Some(tree))
        }
        _ => None,
    }
}

fn read(at: NodeRef, checker: &Checker<'_>) -> Option<Tree> {
    embedded::parse(checker.trees(), at, Language::Toml)
}

/// What one text says of the settings of another.
#[derive(Default)]
struct Difference {
    /// The outermost settings that it does not repeat.
    gone: Vec<NodeId>,
    /// How many it repeats, whatever their values.
    kept: usize,
}

impl Difference {
    fn collect(&mut self, base: Node<'_>, now: Option<Node<'_>>) {
        for (key, value) in base.entries().filter(|(key, _)| !key.is_masked()) {
            match now.and_then(|now| entry_of(now, key.text())) {
                Some(other) if value.kind().is_map() => self.collect(value, Some(other)),
                Some(other) if value.items().any(|item| item.kind().is_map()) => self.collect_items(value, other),
                Some(_) => self.kept += 1,
                None if value.children().len() == 0 && value.kind().is_map() => {}
                None => self.gone.push(value.id),
            }
        }
    }

    /// Items are told apart by `name`, else by their place.
    fn collect_items(&mut self, base: Node<'_>, now: Node<'_>) {
        for (index, item) in base.items().enumerate() {
            let name = entry_of(item, "name").map(Node::text);
            let named = now.items().any(|other| entry_of(other, "name").is_some());
            let same = match name.filter(|_| named && base.key().is_none_or(|key| key.text() != "runners")) {
                Some(name) => now.items().find(|other| entry_of(*other, "name").map(Node::text) == Some(name)),
                None => now.items().nth(index),
            };
            match same {
                Some(other) => self.collect(item, Some(other)),
                None => self.gone.push(item.id),
            }
        }
    }
}

/// Whether the chart sets the same where the text says nothing of it: the namespace of the release.
fn is_made_up_for(node: Node<'_>) -> bool {
    node.key().is_some_and(|key| key.text() == "namespace") && node.text().contains(".Release.Namespace")
}

/// Whether it says no more than what would be without it. A feature may be on by default.
fn is_idle(node: Node<'_>) -> bool {
    if node.key().is_some_and(|key| key.text().eq_ignore_ascii_case("feature_flags") || key.text().starts_with("FF_")) {
        return false;
    }
    if node.kind().is_scalar() {
        return matches!(node.text(), "" | "false");
    }
    node.children().all(is_idle)
}
