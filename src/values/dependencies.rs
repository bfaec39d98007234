//! Which charts take part: aliases, tags, conditions.

use super::coalesce::{Engine, Mode};
use super::heap::{MapId, Slot};
use super::{Chart, Data, Dependency, HelmError, Value, version_range};

/// A chart while it is worked on.
#[derive(Debug, Clone)]
pub(super) struct ChartNode<'a> {
    pub(super) chart: &'a Chart,
    /// Its name or alias.
    pub(super) name: String,
    /// Its own defaults; imports rewrite them.
    pub(super) values: MapId,
    /// Entries of `dependencies`, names already aliases; none where the chart has no such key.
    pub(super) dependencies: Option<Vec<Entry<'a>>>,
    pub(super) children: Vec<usize>,
    /// The chart that its templates' paths say it lies in.
    pub(super) parent: Option<usize>,
}

/// An entry of `dependencies` at work.
#[derive(Debug, Clone)]
pub(super) struct Entry<'a> {
    pub(super) name: String,
    pub(super) dependency: &'a Dependency,
    enabled: bool,
}

impl<'a> Entry<'a> {
    /// As written, before anything was switched or renamed.
    pub(super) fn all_of(chart: &'a Chart) -> Option<Vec<Self>> {
        let entry = |dependency: &'a Dependency| Self { name: dependency.name.clone(), dependency, enabled: false };
        Some(chart.dependencies.as_deref()?.iter().map(entry).collect())
    }

    fn matches(&self, node: &ChartNode<'_>) -> bool {
        node.name == self.name && version_range::matches(&self.dependency.version, &node.chart.version)
    }

    /// From here on the entry goes by its alias.
    fn rename(&mut self) {
        if !self.dependency.alias.is_empty() {
            self.name.clone_from(&self.dependency.alias);
        }
    }
}

/// Every name in the chart's `dependencies` must be among its charts.
pub(super) fn check_present(chart: &Chart, engine: &Engine<'_>) -> Result<(), HelmError> {
    let entries = chart.dependencies.as_deref().unwrap_or_default();
    let missing: Vec<&str> = entries
        .iter()
        .map(|entry| entry.name.as_str())
        .filter(|name| !chart.charts.iter().any(|chart| chart.name == *name))
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    let helm = engine.helm;
    let first = if helm.major >= 4 { "an" } else { "An" };
    let quote = if helm.at_least(4, 2, 0) { '\'' } else { '`' };
    Err(HelmError::new(format!(
        "{first} error occurred while checking for chart dependencies. You may need to run {quote}helm dependency \
         build{quote} to fetch missing dependencies: found in Chart.yaml, but missing in charts/ directory: {}",
        missing.join(", ")
    )))
}

impl<'a> Engine<'a> {
    /// `processDependencyEnabled`: leaves the enabled charts in place.
    pub(super) fn enable(&mut self, id: usize, values: MapId, path: &str) -> Result<(), HelmError> {
        let Some(mut entries) = self.chart(id).and_then(|node| node.dependencies.clone()) else {
            return Ok(());
        };
        for entry in entries.iter_mut().filter(|entry| self.renamed.contains(&std::ptr::from_ref(entry.dependency))) {
            entry.rename();
        }
        let mut children = self.unlisted(id, &entries);
        for entry in &mut entries {
            children.extend(self.alias_copy(id, entry));
            entry.rename();
            entry.enabled = true;
            if self.helm.major < 4 {
                self.renamed.insert(entry.dependency);
            }
        }
        self.set_children(id, children.clone());
        let values = self.coalesce_copy(id, values, Mode::Coalesce)?;
        self.tags(&mut entries, values);
        self.conditions(&mut entries, values, path);
        let disabled: Vec<String> =
            entries.iter().filter(|entry| !entry.enabled).map(|entry| entry.name.clone()).collect();
        children.retain(|&child| self.chart(child).is_some_and(|chart| !disabled.contains(&chart.name)));
        for &child in &children {
            let name = self.chart(child).map(|chart| chart.name.clone()).unwrap_or_default();
            self.enable(child, values, &format!("{path}{name}."))?;
        }
        entries.retain(|entry| !disabled.contains(&entry.name));
        if let Some(node) = self.charts.get_mut(id) {
            // Go's append of nothing to nil: an emptied list is as if there were none.
            node.dependencies = Some(entries).filter(|entries| !entries.is_empty());
        }
        self.set_children(id, children);
        Ok(())
    }

    pub(super) fn set_children(&mut self, id: usize, children: Vec<usize>) {
        for &child in &children {
            if let Some(child) = self.charts.get_mut(child) {
                child.parent = Some(id);
            }
        }
        if let Some(node) = self.charts.get_mut(id) {
            node.children = children;
        }
    }

    /// Charts that no entry matches; they stay, and come first.
    fn unlisted(&self, id: usize, entries: &[Entry<'_>]) -> Vec<usize> {
        let listed = |node: &ChartNode<'_>| entries.iter().any(|entry| entry.matches(node));
        self.children(id).into_iter().filter(|&child| self.chart(child).is_some_and(|node| !listed(node))).collect()
    }

    /// `getAliasDependency`: a copy of the first chart that the entry matches, under the alias.
    fn alias_copy(&mut self, id: usize, entry: &Entry<'_>) -> Option<usize> {
        let found =
            self.children(id).into_iter().filter_map(|child| self.chart(child)).find(|node| entry.matches(node));
        let mut copy = found?.clone();
        if !entry.dependency.alias.is_empty() {
            copy.name.clone_from(&entry.dependency.alias);
        }
        let children = copy.children.clone();
        self.charts.push(copy);
        let id = self.charts.len() - 1;
        if self.helm.major >= 4 {
            // Helm 3 lets the copies share their subcharts, whose templates then lie in the original.
            let first = self.charts.len();
            for child in children {
                self.charts.extend(self.chart(child).cloned());
            }
            self.set_children(id, (first..self.charts.len()).collect());
        }
        Some(id)
    }

    fn tags(&mut self, entries: &mut [Entry<'a>], values: MapId) {
        let Some(tags) = self.heap.get(values, "tags").and_then(Slot::map) else {
            return;
        };
        for entry in entries {
            let (mut on, mut off) = (false, false);
            for tag in &entry.dependency.tags {
                let Some(slot) = self.heap.get(tags, tag) else {
                    continue;
                };
                match slot.leaf().and_then(Value::as_bool) {
                    Some(true) => on = true,
                    Some(false) => off = true,
                    None => {
                        let chart = &entry.name;
                        let message = if self.helm.major >= 4 {
                            format!("returned non-bool value tag={tag} chart={chart}")
                        } else {
                            format!("Warning: Tag '{tag}' for chart {chart} returned non-bool value")
                        };
                        self.warnings.push(message);
                    }
                }
            }
            entry.enabled = on || !off;
        }
    }

    fn conditions(&mut self, entries: &mut [Entry<'a>], values: MapId, prefix: &str) {
        for entry in entries {
            for path in entry.dependency.condition.trim().split(',').filter(|path| !path.is_empty()) {
                let Some(value) = self.path_value(values, &format!("{prefix}{path}")) else {
                    continue;
                };
                if let Data::Bool(on) = value.data {
                    entry.enabled = on;
                    break;
                }
                let chart = &entry.name;
                let message = if self.helm.major >= 4 {
                    format!("returned non-bool value path={path} chart={chart}")
                } else {
                    format!("Warning: Condition path '{path}' for chart {chart} returned non-bool value")
                };
                self.warnings.push(message);
            }
        }
    }

    /// `PathValue`: what is no table at the end of a dotted path.
    fn path_value(&self, values: MapId, path: &str) -> Option<&Value> {
        let (table, key) = match path.rsplit_once('.') {
            Some((tables, key)) => (self.table(values, tables).ok()?, key),
            None => (values, path),
        };
        self.heap.get(table, key)?.leaf()
    }

    /// `Table`: a map at a dotted path, or the key that is none.
    pub(super) fn table<'p>(&self, values: MapId, path: &'p str) -> Result<MapId, &'p str> {
        path.split('.').try_fold(values, |map, key| self.heap.get(map, key).and_then(Slot::map).ok_or(key))
    }
}
