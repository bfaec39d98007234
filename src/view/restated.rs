//! Lists of a pod that a later layer restated, and what of the earlier ones is gone.

use super::{Part, Stack, is_placeholder, is_templated};
use crate::knowledge::Chart;
use crate::values::{Data, Value};

/// What the items of a list are, by the names that charts give such lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ListKind {
    /// `containers`, `initContainers`, `sidecars`, …
    Containers,
    /// `env`, `extraEnv`, …
    Env,
    /// `envFrom`.
    EnvFrom,
    /// `volumeMounts`, …
    Mounts,
    /// `volumes`, …
    Volumes,
    /// `tolerations`.
    Tolerations,
    /// `command` and `args`.
    Words,
}

impl ListKind {
    /// The kind of the list under a key; none outside pods.
    pub fn of_key(key: &str) -> Option<Self> {
        let key = key.to_ascii_lowercase();
        let bare = ["extra", "additional"].iter().find_map(|word| key.strip_prefix(word)).unwrap_or(&key);
        Some(match bare {
            "containers" | "initcontainers" | "ephemeralcontainers" | "sidecars" | "sidecarcontainers" => {
                Self::Containers
            }
            "env" | "envs" | "envvars" | "environment" => Self::Env,
            "envfrom" => Self::EnvFrom,
            "volumemounts" => Self::Mounts,
            "volumes" => Self::Volumes,
            "tolerations" => Self::Tolerations,
            "command" | "args" => Self::Words,
            _ => return None,
        })
    }

    /// What to call an item; none for an item of another shape.
    pub fn name(self, item: &Value) -> Option<String> {
        let text = |path: &[&str]| item.at(path).and_then(Value::as_str).map(str::to_owned);
        match self {
            Self::Containers | Self::Env | Self::Volumes => text(&["name"]),
            Self::Mounts => text(&["name"]).or_else(|| text(&["mountPath"])),
            Self::EnvFrom => text(&["configMapRef", "name"]).or_else(|| text(&["secretRef", "name"])),
            Self::Tolerations => {
                item.as_map()?;
                let mut name = text(&["key"]).unwrap_or_else(|| "*".to_owned());
                for (mark, path) in [("=", "value"), (":", "effect")] {
                    name.extend(text(&[path]).map(|text| format!("{mark}{text}")));
                }
                Some(name)
            }
            Self::Words => item.as_str().map(str::to_owned),
        }
    }

    /// Whether all items of a list are of a shape that can be told apart.
    fn tells_apart(self, list: &Value) -> bool {
        self == Self::Words || list.items().all(|item| self.name(item).is_some_and(|name| !is_templated(&name)))
    }

    /// Whether `item` stands for what `earlier` stood for, with whatever other value.
    pub(crate) fn replaces(self, item: &Value, earlier: &Value) -> bool {
        let equal = |key: &str| item.get(key).and_then(Value::as_str) == earlier.get(key).and_then(Value::as_str);
        match self {
            Self::Mounts => equal("mountPath"),
            Self::Tolerations => {
                let all = |key: &str| item.get(key).is_none_or(Value::is_null);
                (all("key") || equal("key")) && (all("effect") || equal("effect"))
            }
            _ => self.name(item) == self.name(earlier),
        }
    }
}

/// A list that replaced at least one earlier list with items.
#[derive(Debug, Clone)]
pub struct Restated<'a> {
    /// Keys from the top of the stack.
    pub path: Vec<&'a str>,
    /// What its items are.
    pub kind: ListKind,
    /// The list as it is.
    pub list: &'a Value,
    /// The map that it stands in.
    pub around: &'a Value,
    /// What it replaced, lowest layer first.
    earlier: Vec<&'a Value>,
}

impl<'a> Stack<'a> {
    /// The lists of pods that a later layer restated, in document order.
    pub fn restated(&self) -> Vec<Restated<'a>> {
        let mut found = Vec::new();
        collect(&self.merged.values, &mut Vec::new(), &mut found);
        found
    }

    /// The known chart that a path belongs to, with the rest of the path.
    pub fn part_at<'p, 'k>(&self, path: &'p [&'k str]) -> Option<(&Part<'a>, &'p [&'k str])> {
        let under =
            |part: &Part<'_>| path.len() >= part.prefix.len() && part.prefix.iter().zip(path).all(|(a, b)| a == b);
        let part = self.parts.iter().filter(|part| under(part)).max_by_key(|part| part.prefix.len())?;
        Some((part, path.get(part.prefix.len()..)?))
    }

    /// Whether a list holds the containers of a scale set's runner pods.
    pub fn is_runner_list(&self, list: &Restated<'_>) -> bool {
        self.part_at(&list.path).is_some_and(|(part, rest)| {
            part.chart.chart == Chart::GhaRunnerScaleSet && rest == ["template", "spec", "containers"]
        })
    }
}

fn collect<'a>(map: &'a Value, path: &mut Vec<&'a str>, found: &mut Vec<Restated<'a>>) {
    for (key, value) in map.entries() {
        path.push(key);
        match (&value.data, ListKind::of_key(key)) {
            (Data::Map(_), _) => collect(value, path, found),
            (Data::List(items), Some(kind)) if !items.is_empty() => {
                let earlier = earlier_lists(value);
                if !earlier.is_empty() {
                    found.push(Restated { path: path.clone(), kind, list: value, around: map, earlier });
                }
            }
            _ => {}
        }
        path.pop();
    }
}

/// The lists with items that a list replaced; those before an empty one or a null were given up on purpose.
fn earlier_lists(list: &Value) -> Vec<&Value> {
    let mut lists = Vec::new();
    for past in &list.past {
        match past.value.as_list() {
            Some(items) if !items.is_empty() => lists.push(&past.value),
            _ => lists.clear(),
        }
    }
    lists
}

/// A field that a container lost.
#[derive(Debug, Clone)]
pub struct LostField<'a> {
    /// `env`, or `securityContext.runAsUser`.
    pub path: String,
    /// The value that is gone.
    pub value: &'a Value,
    /// Its items that are gone, where it is a list of named items.
    pub items: Vec<&'a Value>,
    /// What its items are.
    pub kind: Option<ListKind>,
    /// The item of the earlier list that had it.
    pub of: &'a Value,
}

impl<'a> Restated<'a> {
    /// Whether all its items are of a shape that can be told apart.
    pub fn is_known(&self) -> bool {
        self.kind.tells_apart(self.list)
    }

    /// Items of earlier lists that are gone and said something (no empty value, no placeholder), the latest statement of each, first stated first.
    pub fn lost_items(&self) -> Vec<&'a Value> {
        lost_items(self.kind, &self.earlier, self.list)
    }

    /// How many different items the earlier lists had.
    pub fn count_earlier(&self) -> usize {
        let nothing = Value::new(Data::Null, self.list.origin);
        lost_items(self.kind, &self.earlier, &nothing).len()
    }

    /// What an item was in the earlier lists, lowest layer first.
    pub fn earlier_of(&self, item: &Value) -> Vec<&'a Value> {
        let same = |earlier: &&'a Value| self.kind.replaces(item, earlier);
        self.earlier.iter().filter_map(|list| list.items().find(same)).collect()
    }

    /// Fields that the containers of earlier lists had and `item`, of the same name, has not.
    pub fn lost_fields(&self, item: &'a Value) -> Vec<LostField<'a>> {
        lost_fields(&self.earlier_of(item), item)
    }

    /// Whether an item of this list stands in another one too.
    pub fn is_in(&self, item: &Value, list: &Value) -> bool {
        list.items().any(|kept| self.kind.replaces(kept, item))
    }

    /// The list that stands at the same place in other merged values, if an overlay of their own restated it.
    pub fn in_sibling<'s>(&self, values: &'s Value) -> Option<&'s Value> {
        let own = |list: &&Value| list.origin.node != self.list.origin.node || list.origin.node.is_none();
        values.at(&self.path).filter(|list| list.as_list().is_some() && !list.past.is_empty()).filter(own)
    }
}

/// Items of `earlier` lists that `list` does not have any more.
fn lost_items<'a>(kind: ListKind, earlier: &[&'a Value], list: &Value) -> Vec<&'a Value> {
    let mut lost: Vec<&'a Value> = Vec::new();
    let all = || earlier.iter().flat_map(|list| list.items());
    for item in all() {
        let moved = || kind == ListKind::Mounts && is_moved(item, list, all());
        if kind.name(item).is_none()
            || says_nothing(kind, item)
            || moved()
            || list.items().any(|kept| kind.replaces(kept, item))
        {
            continue;
        }
        match lost.iter_mut().find(|known| kind.replaces(item, known)) {
            Some(known) => *known = item,
            None => lost.push(item),
        }
    }
    lost
}

/// Whether a mount's volume is mounted at a place that is new.
fn is_moved<'v>(mount: &Value, list: &Value, mut earlier: impl Iterator<Item = &'v Value>) -> bool {
    let same_volume =
        |kept: &&Value| kept.get("name").and_then(Value::as_str) == mount.get("name").and_then(Value::as_str);
    list.items().filter(same_volume).any(|kept| !earlier.any(|known| ListKind::Mounts.replaces(kept, known)))
}

fn lost_fields<'a>(earlier: &[&'a Value], item: &'a Value) -> Vec<LostField<'a>> {
    let mut keys: Vec<&str> = Vec::new();
    for key in earlier.iter().flat_map(|earlier| earlier.entries()).map(|(key, _)| key) {
        if !keys.contains(&key) {
            keys.push(key);
        }
    }
    keys.into_iter().filter(|key| *key != "name").flat_map(|key| lost_under(key, earlier, item)).collect()
}

fn lost_under<'a>(key: &str, earlier: &[&'a Value], item: &'a Value) -> Vec<LostField<'a>> {
    // An explicit null or empty value gives up what stood there before.
    let mut had: Vec<(&'a Value, &'a Value)> = Vec::new();
    for of in earlier {
        match of.get(key) {
            Some(value) if value.is_empty() => had.clear(),
            Some(value) => had.push((value, of)),
            None => {}
        }
    }
    let Some(&(value, of)) = had.last() else { return Vec::new() };
    let kind = ListKind::of_key(key).filter(|kind| *kind != ListKind::Words);
    let field = |items| LostField { path: key.to_owned(), value, items, kind, of };
    let values: Vec<_> = had.iter().map(|(value, _)| *value).collect();
    match (item.get(key), kind) {
        (None, Some(kind)) => {
            let items = lost_items(kind, &values, &Value::new(Data::Null, item.origin));
            if items.is_empty() { Vec::new() } else { vec![field(items)] }
        }
        (None, None) => vec![field(Vec::new())],
        (Some(now), Some(kind)) if now.as_list().is_some_and(|items| !items.is_empty()) && kind.tells_apart(now) => {
            let items = lost_items(kind, &values, now);
            if items.is_empty() { Vec::new() } else { vec![field(items)] }
        }
        (Some(now), None) if matches!(key, "securityContext" | "resources") && !now.is_empty() => {
            let gone = value.entries().filter(|(inner, value)| now.get(inner).is_none() && !value.is_empty());
            let nested =
                |(inner, value)| LostField { path: format!("{key}.{inner}"), value, items: Vec::new(), kind, of };
            gone.map(nested).collect()
        }
        _ => Vec::new(),
    }
}

/// Whether an item says nothing of its own: an empty value, one that stands in for another, or a name that may be any.
fn says_nothing(kind: ListKind, item: &Value) -> bool {
    if kind != ListKind::Words && kind.name(item).is_some_and(|name| is_templated(&name)) {
        return true;
    }
    let text = |key: &str| item.get(key).and_then(Value::as_str);
    match kind {
        ListKind::Env => match item.get("value") {
            Some(value) => value.is_empty() || value.as_str().is_some_and(is_placeholder),
            None => item.get("valueFrom").is_none_or(Value::is_empty),
        },
        ListKind::Tolerations => ["key", "value"].into_iter().filter_map(text).any(is_placeholder),
        ListKind::Words => item.as_str().is_none_or(|word| word.is_empty() || is_placeholder(word)),
        _ => kind.name(item).is_none_or(|name| is_placeholder(&name)),
    }
}
