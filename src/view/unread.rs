//! Values that a known chart does not read.

use semver::Version;

use super::{Part, is_templated};
use crate::knowledge::{Chart, ChartKey, ChartKeys, Shape, known_versions, pod_field};
use crate::values::{Merged, Role, Step, Value};

/// A value that nothing reads.
#[derive(Debug, Clone)]
pub struct Unread<'a> {
    /// From the top of the chart's values.
    pub path: Vec<Step>,
    /// The value.
    pub value: &'a Value,
    /// What is known of its key.
    pub why: Why<'a>,
}

/// Why a value is not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why<'a> {
    /// The chart has no such key.
    Unknown,
    /// Only other versions of the chart read it.
    Version(&'static ChartKey),
    /// Only later versions of the chart take it in this mode.
    Mode(&'a str),
    /// Pods have no such field.
    NoPodField,
    /// Containers have no such field.
    NoContainerField,
}

impl Unread<'_> {
    /// Whether it is the text of a runner's configuration, which says itself where it belongs.
    pub fn is_runner_text(&self) -> bool {
        self.why == Why::Unknown && self.value.as_str().is_some_and(|text| text.contains("[[runners]]"))
    }
}

impl<'a> Part<'a> {
    /// The topmost values that somebody wrote and that the chart does not read. Nothing where the chart's keys
    /// are not known, or not those of this version.
    pub fn unread(&self, merged: &'a Merged) -> Vec<Unread<'a>> {
        let chart = self.chart.chart;
        let version = self.chart.version.as_ref();
        let known = known_versions(chart);
        let in_range = |version: &Version| {
            known.first().is_some_and(|first| first <= version) && known.last().is_some_and(|last| version <= last)
        };
        let Some(keys) = chart.keys() else { return Vec::new() };
        let mut walk = Walk { part: self, merged, keys, version, path: Vec::new(), found: Vec::new() };
        walk.map(self.values);
        let (mode, fields) = self.left_out().unwrap_or_default();
        for (name, value) in fields {
            // Of resources a rule of its own tells.
            if name != "resources" && pod_field::of_containers().any(|field| field == name) {
                walk.path = ["runner", "container", name].map(|key| Step::Key(key.to_owned())).to_vec();
                walk.add(value, Why::Mode(mode));
            }
        }
        if !version.is_none_or(in_range) {
            // No version reads it there.
            walk.found.retain(|unread| chart == Chart::GitlabRunner && unread.is_runner_text());
        }
        walk.found
    }

    /// Keys at the top that belong to the other schema of this chart, with the values under them.
    pub fn other_schema(&self) -> Vec<(&'static ChartKey, &'a Value)> {
        let Some(keys) = self.chart.chart.keys() else { return Vec::new() };
        let foreign = |(name, value): (&str, &'a Value)| {
            let key = keys.at(name).filter(|key| key.shape == Shape::Other && key.instead.is_some())?;
            (!value.is_empty()).then_some((key, value))
        };
        let found: Vec<_> = self.values.entries().filter_map(foreign).collect();
        // One word alone may be a slip, unless what is under it says more.
        let says_more = |(_, value): &(_, &Value)| {
            ["url", "githubToken", "secretName", "app", "name", "minRunners", "maxRunners", "container", "pod", "mode"]
                .iter()
                .any(|key| value.get(key).is_some())
        };
        let sure =
            self.chart.chart == Chart::GhaRunnerScaleSetExperimental || found.len() > 1 || found.iter().any(says_more);
        if sure { found } else { Vec::new() }
    }

    /// Whether the values say anything to their chart: those in the words of the classic chart say nothing to the
    /// experimental one, which a rule of its own tells.
    pub(super) fn is_in_own_words(&self) -> bool {
        self.chart.chart != Chart::GhaRunnerScaleSetExperimental || self.other_schema().is_empty()
    }

    /// Whether a value, or anything in it, stands in the chart's own defaults.
    pub(super) fn is_default(&self, merged: &Merged, value: &Value) -> bool {
        let of_chart = |value: &Value| {
            let layer = merged.layer(value.origin.layer).filter(|layer| layer.role == Role::ChartDefault);
            let name = layer.and_then(|layer| layer.name.strip_prefix("chart:")?.split('@').next());
            name.and_then(Chart::from_name) == Some(self.chart.chart)
        };
        of_chart(value)
            || value.past.iter().any(|past| of_chart(&past.value))
            || value.entries().any(|(_, value)| self.is_default(merged, value))
    }
}

/// Keys above the listener's pod.
const LISTENER: [&str; 3] = ["listenerTemplate", "listenerPodTemplate", "podTemplate"];

struct Walk<'w, 'a> {
    part: &'w Part<'a>,
    merged: &'a Merged,
    keys: &'static ChartKeys,
    version: Option<&'w Version>,
    path: Vec<Step>,
    found: Vec<Unread<'a>>,
}

impl<'a> Walk<'_, 'a> {
    fn map(&mut self, map: &'a Value) {
        for (name, value) in map.entries() {
            if says_nothing(value) || self.is_silent(name, value) {
                continue;
            }
            self.path.push(Step::Key(name.to_owned()));
            self.key(value);
            self.path.pop();
        }
    }

    fn key(&mut self, value: &'a Value) {
        match self.keys.at(&self.dotted()) {
            None => self.add(value, Why::Unknown),
            Some(key) if key.shape == Shape::Other && key.instead.is_some() => self.add(value, Why::Unknown),
            Some(key) if key.shape != Shape::Other && !key.is_read_by(self.version) => {
                self.add(value, Why::Version(key));
            }
            Some(key) => match key.shape {
                Shape::Map => self.map(value),
                Shape::PodSpec => self.pod(value),
                Shape::Container => self.container(value),
                _ => {}
            },
        }
    }

    fn pod(&mut self, spec: &'a Value) {
        for (name, value) in spec.entries() {
            self.path.push(Step::Key(name.to_owned()));
            let is_replaced = self.keys.at(&self.dotted()).is_some_and(|key| key.instead.is_some());
            if is_replaced && !value.is_empty() {
                self.add(value, Why::Unknown);
            } else if matches!(name, "containers" | "initContainers") {
                self.containers(value);
            } else if !pod_field::of_pods().any(|field| field == name) && !is_silent_anywhere(name) && !value.is_empty()
            {
                self.add(value, Why::NoPodField);
            }
            self.path.pop();
        }
    }

    fn containers(&mut self, list: &'a Value) {
        for (index, item) in list.items().enumerate() {
            self.path.push(Step::Index(index));
            self.container(item);
            self.path.pop();
        }
    }

    fn container(&mut self, container: &'a Value) {
        // Fields of pods in the listener's containers have a rule of their own.
        let of_listener = self.path.iter().any(|step| step.key().is_some_and(|key| LISTENER.contains(&key)));
        let has_rule = |name: &str| of_listener && pod_field::of_pods().any(|field| field == name);
        for (name, value) in container.entries() {
            if pod_field::of_containers().any(|field| field == name)
                || has_rule(name)
                || is_silent_anywhere(name)
                || value.is_empty()
            {
                continue;
            }
            self.path.push(Step::Key(name.to_owned()));
            self.add(value, Why::NoContainerField);
            self.path.pop();
        }
    }

    fn add(&mut self, value: &'a Value, why: Why<'a>) {
        if !self.part.is_default(self.merged, value) {
            self.found.push(Unread { path: self.path.clone(), value, why });
        }
    }

    fn dotted(&self) -> String {
        let keys: Vec<_> = self.path.iter().map(ToString::to_string).collect();
        keys.join(".")
    }

    /// Whether a key was meant as a path: that has a rule of its own.
    fn is_path(&self, name: &str) -> bool {
        let first = name.split_once('.').map(|(first, _)| first).filter(|first| !first.is_empty());
        let parent = self.dotted();
        first.is_some_and(|first| self.keys.under(&parent).any(|key| key.name() == first))
    }

    /// Keys that are not the chart's to read.
    fn is_silent(&self, name: &str, value: &Value) -> bool {
        let at_top = self.path.is_empty();
        let is_switch = matches!(name, "enabled" | "install" | "create" | "deploy")
            && (value.is_unknown() || value.as_bool().is_some());
        let of_subchart = || {
            let ending = format!("/charts/{name}");
            self.merged.charts.iter().any(|path| path.ends_with(&ending) || path.contains(&format!("{ending}/")))
        };
        is_silent_anywhere(name)
            || self.is_path(name)
            || at_top && (matches!(name, "global" | "sops") || is_switch || of_subchart())
    }
}

/// Whether a value is empty, or a map of nothing but empty values.
fn says_nothing(value: &Value) -> bool {
    value.is_empty() || value.as_map().is_some_and(|map| map.entries.values().all(says_nothing))
}

/// Keys that carry anchors or templates.
pub(super) fn is_silent_anywhere(name: &str) -> bool {
    ["x-", "_", "."].iter().any(|start| name.starts_with(start)) || is_templated(name)
}

/// The key that another is a slip of the pen for, or that is written with other separators or cases.
pub fn nearest_key<'k>(name: &str, keys: impl Iterator<Item = &'k str>) -> Option<&'k str> {
    let plain = |word: &str| word.to_lowercase().replace(['_', '-'], "");
    let name = plain(name);
    let allowed = (name.len() / 4).min(2);
    let measured = keys.map(|key| (key, strsim::osa_distance(&name, &plain(key))));
    let (near, distance) = measured.min_by_key(|(_, distance)| *distance)?;
    (distance <= allowed).then_some(near)
}

/// Words below which a key is no evidence for one that has more of them.
const FEWEST_WORDS: usize = 3;

/// The only key in camel case that has one word more than another, or one less.
pub fn key_but_for_a_word<'k>(name: &str, keys: impl Iterator<Item = &'k str>) -> Option<&'k str> {
    let own = words(name);
    let mut near = keys.filter(|key| {
        let other = words(key);
        let (short, long) = if own.len() < other.len() { (&own, &other) } else { (&other, &own) };
        let mut rest = long.iter();
        short.len() >= FEWEST_WORDS
            && short.len() + 1 == long.len()
            && short.iter().all(|word| rest.any(|one| one == word))
    });
    near.next().filter(|_| near.next().is_none())
}

/// The words of a key in camel case.
fn words(key: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    for letter in key.chars() {
        if letter.is_uppercase() {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut() {
            word.extend(letter.to_lowercase());
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::key_but_for_a_word;

    #[test]
    fn keys_with_a_word_more_or_less() {
        let keys = ["kubernetesModeWorkVolumeClaim", "kubernetesModeServiceAccount", "type"];
        let near = |name| key_but_for_a_word(name, keys.into_iter());
        assert_eq!(near("kubernetesWorkVolumeClaim"), Some(keys[0]));
        assert_eq!(near("kubernetesModeDefaultServiceAccount"), Some(keys[1]));
        for far in ["kubernetesMode", "workVolumeClaim", "claimVolumeWorkMode", "mode", "TYPE"] {
            assert_eq!(near(far), None, "{far}");
        }
    }
}
