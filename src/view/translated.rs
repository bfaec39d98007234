//! The values of the experimental chart of a scale set in the words of the classic one: both make the same objects, and
//! lenses and rules know one of them. Every value keeps its origin, so that findings point at what is written.

use semver::Version;

use super::{Field, Home, Part, Pod};
use crate::knowledge::{Chart, ChartRef};
use crate::values::{Data, Map, Value};

/// Where the experimental chart has what the classic one has at a path; the first that fits counts.
const NAMES: [(&[&str], &[&str]); 15] = [
    (&["githubConfigUrl"], &["auth", "url"]),
    (&["runnerScaleSetName"], &["scaleset", "name"]),
    (&["runnerGroup"], &["scaleset", "runnerGroup"]),
    (&["scaleSetLabels"], &["scaleset", "labels"]),
    (&["minRunners"], &["scaleset", "minRunners"]),
    (&["maxRunners"], &["scaleset", "maxRunners"]),
    (&["githubConfigSecret"], &["auth", "secretName"]),
    (&["containerMode", "kubernetesModeWorkVolumeClaim"], &["runner", "kubernetesMode", "workVolumeClaim"]),
    (&["containerMode", "type"], &["runner", "mode"]),
    (&["containerMode"], &["runner", "mode"]),
    (&["template", "spec", "containers"], &["runner", "container"]),
    (&["template", "spec", "serviceAccountName"], &["runner", "kubernetesMode", "serviceAccountName"]),
    (&["template"], &["runner", "pod"]),
    (&["listenerTemplate"], &["listenerPodTemplate"]),
    (&["keyVault"], &["secretResolution"]),
];

/// Where reworked charts have the listener's template.
const LISTENER: [&str; 2] = ["listener", "podTemplate"];

/// Since when the modes take all of `runner.container`, of which they took little before, and the listener's settings
/// stand together.
pub const REWORKED_SINCE: Version = Version::new(0, 15, 0);
const TAKEN: [&str; 3] = ["image", "command", "name"];
const MODES: [&str; 2] = ["dind", "kubernetes"];

/// What both charts call the same.
const SAME: [&str; 4] = ["proxy", "githubServerTLS", "controllerServiceAccount", "namespaceOverride"];

/// What the template sets where nobody says it.
const IMAGE: &str = "ghcr.io/actions/actions-runner:latest";
const COMMAND: &str = "/home/runner/run.sh";
const STORAGE: (&str, &str) = ("local-path", "1Gi");

/// The values of a chart in the words of the classic chart of a scale set; none where they are in its words, or where
/// no other chart makes the same.
pub fn translate(chart: &ChartRef, values: &Value) -> Option<Value> {
    (chart.chart == Chart::GhaRunnerScaleSetExperimental).then(|| Translation { chart, values }.settings())
}

impl<'a> Part<'a> {
    /// The mode, and the fields of `runner.container` that the chart does not take in it; nothing where its version
    /// takes all, or is not known.
    pub fn left_out(&self) -> Option<(&'a str, Vec<(&'a str, &'a Value)>)> {
        let is_experimental = self.chart.chart == Chart::GhaRunnerScaleSetExperimental;
        let mode = self.values.at(&["runner", "mode"]).and_then(Value::as_str);
        let mode = mode.filter(|mode| is_experimental && takes_little(self.chart) && MODES.contains(mode))?;
        let fields = self.values.at(&["runner", "container"]).into_iter().flat_map(Value::entries);
        Some((mode, fields.filter(|(name, value)| !TAKEN.contains(name) && !value.is_empty()).collect()))
    }

    /// Where the chart has what the classic chart of a scale set has at a path.
    pub fn own_path<'p>(&self, path: &[&'p str]) -> Vec<&'p str> {
        if self.chart.chart != Chart::GhaRunnerScaleSetExperimental {
            return path.to_vec();
        }
        if let ["resourceMeta", name, rest @ ..] = path {
            return ["resource", name, "metadata"].into_iter().chain(rest.iter().copied()).collect();
        }
        let found = NAMES.iter().find_map(|(classic, own)| Some((*classic, *own, path.strip_prefix(*classic)?)));
        let Some((classic, own, rest)) = found else { return path.to_vec() };
        let own = if classic == ["listenerTemplate"] { listener(self.chart, self.values) } else { own };
        own.iter().chain(rest).copied().collect()
    }
}

impl<'a> Pod<'a> {
    /// The mode in which its chart takes of the runner's container no more than image and command, if any.
    pub fn mode_that_takes_little(&self) -> Option<&'a str> {
        let Home::Values(_, part) = &self.home else { return None };
        part.left_out().map(|(mode, _)| mode)
    }

    /// A field of the runner's container that its chart does not take, with the mode in which it does not.
    pub fn left_out(&self, field: &str) -> Option<(&'a str, &'a Value)> {
        let Home::Values(_, part) = &self.home else { return None };
        let (mode, fields) = part.left_out()?;
        fields.into_iter().find(|(name, _)| *name == field).map(|(_, value)| (mode, value))
    }
}

fn takes_little(chart: &ChartRef) -> bool {
    chart.version.as_ref().is_some_and(|version| *version < REWORKED_SINCE)
}

fn listener(chart: &ChartRef, values: &Value) -> &'static [&'static str] {
    let has_moved = match &chart.version {
        Some(version) => *version >= REWORKED_SINCE,
        None => values.at(&LISTENER).is_some(),
    };
    if has_moved { &LISTENER } else { &["listenerPodTemplate"] }
}

struct Translation<'a> {
    chart: &'a ChartRef,
    values: &'a Value,
}

impl<'a> Translation<'a> {
    fn settings(&self) -> Value {
        let mut settings = map(Map::default(), self.values);
        let same = SAME.iter().map(std::slice::from_ref).map(|path| (path, path));
        let alike = NAMES.iter().take_while(|(classic, _)| *classic != ["githubConfigSecret"]);
        for (classic, own) in alike.copied().chain(same) {
            self.copy(&mut settings, classic, own);
        }
        let parts: [(&[&str], Option<Value>); 7] = [
            (&["githubConfigSecret"], self.secret()),
            (&["containerMode", "type"], self.found(&["runner", "mode"]).cloned()),
            (&["containerMode", "kubernetesModeWorkVolumeClaim"], self.claim()),
            (&["template", "metadata"], self.metadata()),
            (&["template", "spec"], self.spec()),
            (&["listenerTemplate"], self.listener()),
            (&["keyVault"], self.vault()),
        ];
        for (path, value) in parts {
            put(&mut settings, path, value);
        }
        for (name, block) in self.found(&["resource"]).into_iter().flat_map(Value::entries) {
            // What all objects get reaches the pods too.
            put(&mut settings, &["resourceMeta", name], block.get("metadata").filter(|_| name != "all").cloned());
        }
        settings
    }

    /// What stands at a path, or the text above it that cannot be known.
    fn found(&self, path: &[&str]) -> Option<&'a Value> {
        let mut value = self.values;
        for key in path {
            if value.is_unknown() {
                break;
            }
            value = value.get(key)?;
        }
        Some(value)
    }

    fn mode(&self) -> Option<&'a str> {
        self.values.at(&["runner", "mode"]).and_then(Value::as_str)
    }

    fn is_kubernetes(&self) -> bool {
        self.mode() == Some("kubernetes")
    }

    /// Copies a value, or the note that a null took it away.
    fn copy(&self, settings: &mut Value, classic: &[&str], own: &[&str]) {
        put(settings, classic, self.found(own).cloned());
        let (Some((key, above)), [name]) = (own.split_last(), classic) else { return };
        let deleted = self.values.at(above).and_then(Value::as_map).into_iter().flat_map(|map| &map.deleted);
        let mut gone: Vec<_> = deleted.filter(|gone| gone.key == *key).cloned().collect();
        gone.iter_mut().for_each(|gone| (*name).clone_into(&mut gone.key));
        if let Data::Map(map) = &mut settings.data {
            map.deleted.extend(gone);
        }
    }

    /// The one of the three ways to sign in that the chart takes.
    fn secret(&self) -> Option<Value> {
        let auth = self.found(&["auth"])?;
        if auth.is_unknown() {
            return Some(auth.clone());
        }
        let said = |path: &[&str]| auth.at(path).filter(|value| !value.is_empty());
        let app = ["clientId", "installationId", "privateKey"].map(|key| said(&["app", key]));
        if let Some(name) = said(&["secretName"]) {
            return Some(name.clone());
        }
        let pairs = match app {
            [Some(_), ..] => {
                ["github_app_id", "github_app_installation_id", "github_app_private_key"].into_iter().zip(app)
            }
            _ => return said(&["githubToken"]).map(|token| map_of([("github_token", token.clone())], auth)),
        };
        Some(map_of(pairs.filter_map(|(key, value)| Some((key, value?.clone()))), auth))
    }

    /// The claim, over the one that the chart makes by itself.
    fn claim(&self) -> Option<Value> {
        let written = self.found(&["runner", "kubernetesMode", "workVolumeClaim"]).filter(|claim| !claim.is_empty());
        if !self.is_kubernetes() || written.is_some_and(|claim| claim.as_map().is_none()) {
            return written.cloned();
        }
        let cause = written.or_else(|| self.found(&["runner", "mode"]))?;
        let text = |text: &str| Value::new(Data::String(text.to_owned()), cause.origin);
        let modes = Value::new(Data::List(vec![text("ReadWriteOnce")]), cause.origin);
        let storage = map_of([("requests", map_of([("storage", text(STORAGE.1))], cause))], cause);
        let own = [("accessModes", modes), ("storageClassName", text(STORAGE.0)), ("resources", storage)];
        Some(over(&map_of(own, cause), written))
    }

    fn metadata(&self) -> Option<Value> {
        let own = self.found(&["runner", "pod", "metadata"]);
        let Some(all) = self.found(&["resource", "all", "metadata"]) else { return own.cloned() };
        Some(if own.is_some_and(Value::is_unknown) { own?.clone() } else { over(all, own) })
    }

    /// The listener's template; where its pod says anything, the chart names the container.
    fn listener(&self) -> Option<Value> {
        let mut template = self.found(listener(self.chart, self.values))?.clone();
        let Data::Map(Map { entries, .. }) = &mut template.data else { return Some(template) };
        if let Some(Value { data: Data::Map(spec), origin, .. }) = entries.get_mut("spec").filter(|it| !it.is_empty()) {
            let text = |text: &str| Value::new(Data::String(text.to_owned()), *origin);
            let item = Value { origin: *origin, ..map_of([("name", text("listener"))], &Value::default()) };
            let list = Value::new(Data::List(vec![item]), *origin);
            let held = spec.entries.entry("containers".to_owned()).or_insert_with(|| list.clone());
            if held.is_empty() {
                *held = list;
            }
        }
        Some(template)
    }

    /// The pod: its runner is a map of its own.
    fn spec(&self) -> Option<Value> {
        let runner = self.found(&["runner"])?;
        let written = self.found(&["runner", "pod", "spec"]).filter(|spec| !spec.is_null());
        let mut spec = match Field::of(written, Value::as_map) {
            Field::Absent => map(Map::default(), self.found(&["runner", "pod"]).unwrap_or(runner)),
            Field::Present(_, spec) => spec.clone(),
            Field::WrongShape(spec) | Field::Unknown(Some(spec)) => return Some(spec.clone()),
            Field::Unknown(None) => return None,
        };
        let Data::Map(Map { entries, .. }) = &mut spec.data else { return Some(spec) };
        entries.shift_remove("serviceAccountName");
        let account = self.found(&["runner", "kubernetesMode", "serviceAccountName"]);
        if let Some(account) = account.filter(|account| self.is_kubernetes() && !account.is_empty()) {
            entries.insert("serviceAccountName".to_owned(), account.clone());
        }
        let container = self.container(runner);
        match entries.get_mut("containers").filter(|list| !list.is_empty() && container.as_map().is_some()) {
            None => {
                let origin = container.origin;
                let is_map = container.as_map().is_some();
                let list = if is_map { Value::new(Data::List(vec![container]), origin) } else { container };
                entries.insert("containers".to_owned(), list);
            }
            Some(Value { data: Data::List(items), .. }) => items.insert(0, container),
            // The chart refuses it, or it cannot be known.
            Some(_) => {}
        }
        Some(spec)
    }

    /// The runner's container as an item of the list.
    fn container(&self, runner: &Value) -> Value {
        let written = self.found(&["runner", "container"]).filter(|container| !container.is_null());
        let mut container = written.map_or_else(|| map(Map::default(), runner), Value::clone);
        let origin = container.origin;
        let text = |text: &str| Value::new(Data::String(text.to_owned()), origin);
        let has_mode = self.mode().is_some_and(|mode| MODES.contains(&mode));
        if let Data::Map(Map { entries, .. }) = &mut container.data {
            if has_mode && takes_little(self.chart) {
                entries.retain(|key, _| TAKEN.contains(&key.as_str()));
            }
            entries.insert("name".to_owned(), text("runner"));
            let command = Value::new(Data::List(vec![text(COMMAND)]), origin);
            for (key, value) in [("image", text(IMAGE)), ("command", command)] {
                let held = entries.entry(key.to_owned()).or_insert_with(|| value.clone());
                if held.is_empty() {
                    *held = value;
                }
            }
            let beside = self.found(&["runner", "env"]).filter(|env| has_mode && !env.is_empty());
            match (entries.get_mut("env").filter(|env| !env.is_empty()), beside) {
                (None, Some(env)) => drop(entries.insert("env".to_owned(), env.clone())),
                (Some(Value { data: Data::List(items), .. }), Some(env)) => {
                    let name = |item: &Value| item.get("name").cloned();
                    let said: Vec<_> = items.iter().filter_map(name).collect();
                    let is_new =
                        |item: &&Value| name(item).is_none_or(|name| !said.iter().any(|it| it.data == name.data));
                    items.extend(env.items().filter(is_new).cloned());
                }
                _ => {}
            }
        }
        container
    }

    /// Settings of a vault, where secrets come from one.
    fn vault(&self) -> Option<Value> {
        let settings = self.found(&["secretResolution"]).filter(|settings| !settings.is_empty())?;
        let is_kubernetes = settings.get("type").and_then(Value::as_str) == Some("kubernetes");
        (!is_kubernetes).then(|| settings.clone())
    }
}

fn map(map: Map, like: &Value) -> Value {
    Value::new(Data::Map(map), like.origin)
}

fn map_of<'k>(entries: impl IntoIterator<Item = (&'k str, Value)>, like: &Value) -> Value {
    let entries = entries.into_iter().map(|(key, value)| (key.to_owned(), value)).collect();
    map(Map { entries, deleted: Vec::new() }, like)
}

/// Sets a value, if any, and the maps on the way to it.
fn put(settings: &mut Value, path: &[&str], value: Option<Value>) {
    let (Some(value), Data::Map(map), Some((key, rest))) = (value, &mut settings.data, path.split_first()) else {
        return;
    };
    if rest.is_empty() {
        map.entries.insert((*key).to_owned(), value);
        return;
    }
    let fresh = || Value::new(Data::Map(Map::default()), value.origin);
    put(map.entries.entry((*key).to_owned()).or_insert_with(fresh), rest, Some(value));
}

/// A map with another laid over it.
fn over(below: &Value, above: Option<&Value>) -> Value {
    let mut merged = below.clone();
    let Some(above) = above.filter(|above| !above.is_null()) else { return merged };
    let (Data::Map(map), Some(other)) = (&mut merged.data, above.as_map()) else { return above.clone() };
    for (key, value) in &other.entries {
        let value = map.entries.get(key).map_or_else(|| value.clone(), |old| over(old, Some(value)));
        map.entries.insert(key.clone(), value);
    }
    merged.origin = above.origin;
    merged
}
