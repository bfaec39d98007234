//! Runners as workflows see them: scale sets and classic runners, by their names and labels.

use super::{Field, Fleet, Home, Pod, PodRole, RunsOn, ScaleSet};
use crate::knowledge::{Chart, runner_label};
use crate::values::Value;

/// Runners that take the same jobs.
#[derive(Debug, Clone)]
pub struct RunnerPool<'a> {
    /// The scale set's name, which is a label too, or the name of the classic runners' object.
    pub name: Field<'a, &'a str>,
    /// The scale set; none for classic runners, and where only the name is known.
    pub set: Option<ScaleSet<'a>>,
    /// The runners' pod, where one can be read.
    pub pod: Option<Pod<'a>>,
    /// Labels that it is given, beside a scale set's name; none where they are not known.
    labels: Option<Vec<&'a str>>,
    /// The group that it joins.
    group: Field<'a, &'a str>,
    /// Whether its runners have the default labels too.
    is_classic: bool,
}

impl<'a> Fleet<'a> {
    /// All runners in view that workflows can ask for.
    pub fn runner_pools(&self) -> Vec<RunnerPool<'a>> {
        let sets = self.scale_sets().into_iter().map(RunnerPool::of_set);
        let classic = self.pods().into_iter().filter_map(RunnerPool::of_classic);
        sets.chain(self.experimental_sets()).chain(classic).collect()
    }

    /// Scale sets of which only name and labels are known.
    fn experimental_sets(&self) -> Vec<RunnerPool<'a>> {
        let parts = self.stacks.iter().flat_map(|stack| stack.parts.iter().map(move |part| (stack, part)));
        let sets = parts.filter(|(_, part)| part.chart.chart == Chart::GhaRunnerScaleSetExperimental);
        let pool = |(stack, part): (&'a super::Stack<'a>, &'a super::Part<'a>)| {
            let of_release =
                || stack.release.map_or(Field::Unknown(None), |release| Field::Present(release, part.values));
            let name = match Field::of(part.values.at(&["scaleset", "name"]), Value::as_str) {
                Field::Absent | Field::Present("", _) => of_release(),
                name => name,
            };
            let group = Field::of(part.values.at(&["scaleset", "runnerGroup"]), Value::as_str);
            let labels = texts(part.values.at(&["scaleset", "labels"]));
            RunnerPool { name, set: None, pod: None, labels, group, is_classic: false }
        };
        sets.map(pool).collect()
    }
}

impl<'a> RunnerPool<'a> {
    fn of_set(set: ScaleSet<'a>) -> Self {
        let ignores = set.chart().and_then(|chart| chart.version);
        let ignores = ignores.is_some_and(|version| version < runner_label::SCALE_SET_LABELS_SINCE);
        let key = if set.is_values() { "scaleSetLabels" } else { "runnerScaleSetLabels" };
        let labels = if ignores { Some(Vec::new()) } else { texts(set.at(&[key])) };
        let group = Field::of(set.at(&["runnerGroup"]), Value::as_str);
        Self { name: set.name(), labels, group, is_classic: false, pod: set.runner_pod(), set: Some(set) }
    }

    /// Runners of the legacy objects.
    fn of_classic(pod: Pod<'a>) -> Option<Self> {
        let settings = pod.legacy().filter(|_| pod.role == PodRole::Runner)?;
        let Home::Object(object) = &pod.home else { return None };
        let name = Field::of(object.value.at(&["metadata", "name"]), Value::as_str);
        let labels = texts(settings.get("labels"));
        let group = Field::of(settings.get("group"), Value::as_str);
        Some(Self { name, set: None, labels, group, is_classic: true, pod: Some(pod) })
    }

    /// What to call it in a sentence.
    pub fn title(&self) -> &'a str {
        self.name.known().unwrap_or("?")
    }

    /// Whether it is a scale set; else classic runners, which have the default labels too.
    pub fn is_scale_set(&self) -> bool {
        !self.is_classic
    }

    /// Whether its runners have the label; none where that is not known.
    pub fn has(&self, label: &str) -> Option<bool> {
        let is = |known: &str| known.eq_ignore_ascii_case(label);
        let by_itself =
            if self.is_classic { runner_label::is_default(label) } else { self.name.known().is_some_and(is) };
        if by_itself || self.labels.iter().flatten().any(|given| is(given)) {
            return Some(true);
        }
        (self.labels.is_some() && (self.is_classic || self.name.known().is_some())).then_some(false)
    }

    /// Whether its runners take a job; none where that is not known.
    pub fn takes(&self, job: &RunsOn<'_>) -> Option<bool> {
        let in_group = match (job.group, &self.group) {
            (None, _) => Some(true),
            (Some(_), Field::Absent) => Some(false),
            (Some(wanted), Field::Present(group, _)) => Some(group.eq_ignore_ascii_case(wanted)),
            (Some(_), _) => None,
        };
        let labels: Vec<_> = job.labels.iter().map(|label| self.has(label)).collect();
        // A name that is not known is one label only.
        let too_many = self.labels.is_some() && labels.iter().filter(|has| has.is_none()).count() > 1;
        let answers = labels.into_iter().chain([in_group, Some(!too_many)]);
        answers.fold(Some(true), |all, one| match (all, one) {
            (Some(false), _) | (_, Some(false)) => Some(false),
            (Some(true), Some(true)) => Some(true),
            _ => None,
        })
    }

    /// Whether a job asks for it by a label of its own, and not only by those that any runner has.
    pub fn is_meant_by(&self, job: &RunsOn<'_>) -> bool {
        let own = |label: &&str| self.has(label) == Some(true) && !(self.is_classic && runner_label::is_default(label));
        job.labels.iter().any(own)
    }
}

/// The pools that take a job and are meant by it.
pub fn takers<'p, 'a>(pools: &'p [RunnerPool<'a>], job: &RunsOn<'_>) -> Vec<&'p RunnerPool<'a>> {
    pools.iter().filter(|pool| pool.takes(job) == Some(true) && pool.is_meant_by(job)).collect()
}

/// The texts of a list, nothing where there is none; none where one is not known.
fn texts(list: Option<&Value>) -> Option<Vec<&str>> {
    match Field::of(list, Value::as_list) {
        Field::Absent => Some(Vec::new()),
        Field::Present(items, _) => items.iter().map(|item| item.as_str().filter(|_| !item.is_unknown())).collect(),
        Field::WrongShape(_) | Field::Unknown(_) => None,
    }
}

/// Whether one label is the other but for a slip, for other separators or for words after it.
pub fn is_near_label(a: &str, b: &str) -> bool {
    let (a, b) = (a.to_ascii_lowercase(), b.to_ascii_lowercase());
    let (a_words, b_words) = (words(&a), words(&b));
    let (short, long) = if a_words.len() < b_words.len() { (&a_words, &b_words) } else { (&b_words, &a_words) };
    if a == b || a_words.concat() == b_words.concat() {
        return a != b;
    }
    if short.len() < long.len() {
        // A single short word begins too much.
        return long.starts_with(short) && short.concat().len() >= SHORTEST;
    }
    let mut others = a_words.iter().zip(&b_words).filter(|(a, b)| a != b);
    match (others.next(), others.next()) {
        (Some((a, b)), None) => is_slip(a, b),
        _ => false,
    }
}

/// Letters below which a word is no evidence.
const SHORTEST: usize = 4;

/// Numbers and abbreviations tell apart what is meant to be apart.
fn is_slip(a: &str, b: &str) -> bool {
    let is_word = |word: &str| word.len() >= SHORTEST && !word.contains(|c: char| c.is_ascii_digit());
    let allowed = if a.len().min(b.len()) < 7 { 1 } else { 2 };
    is_word(a) && is_word(b) && strsim::osa_distance(a, b) <= allowed
}

fn words(label: &str) -> Vec<&str> {
    label.split(['-', '_', '.', '/']).collect()
}

#[cfg(test)]
mod tests {
    use super::is_near_label;

    #[test]
    fn near_labels() {
        for (a, b) in [
            ("acme-linux-x64", "acme-linux"),
            ("acme-linx", "acme-linux"),
            ("acme_linux", "acme-linux"),
            ("acmelinux", "acme-linux"),
            ("acme-lniux", "acme-linux"),
            ("arc-runners-set", "arc-runner-set"),
        ] {
            assert!(is_near_label(a, b) && is_near_label(b, a), "{a} {b}");
        }
        for (a, b) in [
            ("acme-linux", "ACME-linux"),
            ("acme-arm64", "acme-amd64"),
            ("acme-1", "acme-2"),
            ("acme-dev", "acme-prd"),
            ("gpu", "gpu-large"),
            ("acme-linux", "other-linux"),
            ("acme-linux", "acme-windows"),
        ] {
            assert!(!is_near_label(a, b), "{a} {b}");
        }
    }
}
