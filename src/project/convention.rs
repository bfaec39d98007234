//! Stacks that are found by how files are called: `values.yaml` with its overlays beside it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::knowledge::Chart;

/// A values file that may take part.
#[derive(Debug, Clone)]
pub(super) struct Candidate {
    /// Its absolute path.
    pub path: PathBuf,
    /// Whether it lies in a folder of examples, which was not asked for itself.
    pub example: bool,
    /// The chart that its marks name, if it is one and at the top.
    pub chart: Option<Chart>,
}

/// A base with its overlays; both are indices of candidates. Without overlays the base stands alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Group {
    /// The lowest file.
    pub base: usize,
    /// Each is a stack over the base.
    pub overlays: Vec<usize>,
}

/// Groups values files; `taken` are those that a `[[stack]]` names, which leave the convention.
pub(super) fn groups(candidates: &[Candidate], taken: &BTreeSet<PathBuf>) -> Vec<Group> {
    let free = || candidates.iter().enumerate().filter(|(_, candidate)| !taken.contains(&candidate.path));
    let mut bases: BTreeMap<&Path, usize> = BTreeMap::new();
    for (index, candidate) in free().filter(|(_, candidate)| is_base(&candidate.path)) {
        bases.entry(folder(&candidate.path)).or_insert(index);
    }
    let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (index, candidate) in free() {
        let folder = base_folder(&candidate.path).filter(|_| !candidate.example);
        let base = folder.and_then(|folder| bases.get(folder)).copied().filter(|&base| base != index);
        let base = base.filter(|&base| candidates.get(base).is_some_and(|base| belongs(candidate, base)));
        match base {
            Some(base) => groups.entry(base).or_default().push(index),
            None => drop(groups.entry(index).or_default()),
        }
    }
    groups.into_iter().map(|(base, overlays)| Group { base, overlays }).collect()
}

fn folder(path: &Path) -> &Path {
    path.parent().unwrap_or(path)
}

fn stem(path: &Path) -> String {
    path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default()
}

fn is_base(path: &Path) -> bool {
    stem(path) == "values"
}

/// The folder whose `values.yaml` an overlay lies over, by the names alone.
pub(super) fn base_folder(path: &Path) -> Option<&Path> {
    let folder = folder(path);
    if is_base(path) {
        let environments =
            folder.parent().filter(|parent| parent.file_name().is_some_and(|name| name == "environments"))?;
        return environments.parent();
    }
    let stem = stem(path);
    let named = ["values-", "values."].iter().any(|start| stem.starts_with(start));
    (named || is_suffixed(&stem) && !folder.ends_with("ci")).then_some(folder)
}

fn is_suffixed(stem: &str) -> bool {
    stem.ends_with("-values")
}

/// Not if the overlay is another chart's. `arc-values.yaml` beside the values of an unknown chart is one.
fn belongs(overlay: &Candidate, base: &Candidate) -> bool {
    match (overlay.chart, base.chart) {
        (Some(overlay), Some(base)) => overlay == base,
        (Some(_), None) => !is_suffixed(&stem(&overlay.path)),
        (None, _) => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidate(path: &str, chart: Option<Chart>) -> Candidate {
        Candidate { path: PathBuf::from(path), example: path.starts_with("examples/"), chart }
    }

    fn found(files: &[(&str, Option<Chart>)], taken: &[&str]) -> Vec<(String, Vec<String>)> {
        let candidates: Vec<_> = files.iter().map(|(path, chart)| candidate(path, *chart)).collect();
        let taken = taken.iter().map(PathBuf::from).collect();
        let name = |index: usize| candidates[index].path.to_string_lossy().into_owned();
        let groups = groups(&candidates, &taken);
        groups.into_iter().map(|group| (name(group.base), group.overlays.into_iter().map(name).collect())).collect()
    }

    fn group(base: &str, overlays: &[&str]) -> (String, Vec<String>) {
        (base.to_owned(), overlays.iter().map(|&name| name.to_owned()).collect())
    }

    #[test]
    fn overlays_lie_over_the_base_and_not_over_each_other() {
        let files = ["values.yaml", "values-a.yaml", "values.b.yaml", "c-values.yaml", "environments/d/values.yaml"];
        let files: Vec<_> = files.map(|name| (name, None)).to_vec();
        assert_eq!(
            found(&files, &[]),
            [group("values.yaml", &["values-a.yaml", "values.b.yaml", "c-values.yaml", "environments/d/values.yaml"])]
        );
    }

    #[test]
    fn test_values_examples_and_files_of_a_stack_are_left_out() {
        let files = [("values.yaml", None), ("values-a.yaml", None), ("values-b.yaml", None)];
        assert_eq!(found(&files, &["values-a.yaml"]), [group("values.yaml", &["values-b.yaml"])]);
        let files = [("ci/values.yaml", None), ("ci/x-values.yaml", None)];
        assert_eq!(found(&files, &[]), [group("ci/values.yaml", &[]), group("ci/x-values.yaml", &[])]);
        let files = [("examples/values.yaml", None), ("examples/values-x.yaml", None)];
        assert_eq!(found(&files, &[]).len(), 2);
    }

    #[test]
    fn values_of_another_chart_are_no_overlay() {
        let (arc, gitlab) = (Some(Chart::GhaRunnerScaleSet), Some(Chart::GitlabRunner));
        assert_eq!(found(&[("values.yaml", arc), ("values-x.yaml", gitlab)], &[]).len(), 2);
        assert_eq!(found(&[("values.yaml", None), ("arc-values.yaml", arc)], &[]).len(), 2);
        assert_eq!(found(&[("values.yaml", None), ("values-prod.yaml", arc)], &[]).len(), 1);
        assert_eq!(found(&[("values.yaml", arc), ("values-prod.yaml", None)], &[]).len(), 1);
    }
}
