//! Runners as workflows see them: scale sets and classic runners, by their names and labels.

use super::by_hand::ByHand;
use super::{Field, Fleet, Home, Object, Part, Pod, PodRole, Release, RunsOn, ScaleSet, Stack};
use crate::knowledge::{Chart, runner_label};
use crate::values::Value;

/// Runners that take the same jobs.
#[derive(Debug, Clone)]
pub struct RunnerPool<'a> {
    /// The scale set's name, which is a label too, or the name of the classic runners' object; none where it is not known.
    pub name: Option<String>,
    /// What says the name, or that there are such runners.
    pub named_by: Option<&'a Value>,
    /// The runners' pod, where it is in view.
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
        let releases = Release::of_objects(self.objects);
        let sets = self.scale_sets().into_iter().map(|set| RunnerPool::of_set(&set, &releases));
        let classic = self.pods().into_iter().filter_map(RunnerPool::of_classic);
        let parts = || self.stacks.iter().flat_map(|stack| stack.parts.iter().map(move |part| (stack, part)));
        let is_in_view = |release: &Release<'_>| parts().any(|(stack, part)| release.installs(stack, part));
        let elsewhere = releases.iter().filter(|release| !is_in_view(release)).filter_map(RunnerPool::of_release);
        let by_hand = self.objects.iter().filter_map(RunnerPool::of_workload);
        sets.chain(classic).chain(elsewhere).chain(by_hand).collect()
    }
}

impl<'a> RunnerPool<'a> {
    fn of_set(set: &ScaleSet<'a>, releases: &[Release<'a>]) -> Self {
        let ignores = set.chart().and_then(|chart| chart.version);
        let ignores = ignores.is_some_and(|version| version < runner_label::SCALE_SET_LABELS_SINCE);
        let key = if set.is_values() { "scaleSetLabels" } else { "runnerScaleSetLabels" };
        let labels = if ignores { Some(Vec::new()) } else { texts(set.at(&[key])) };
        let group = Field::of(set.at(&["runnerGroup"]), Value::as_str);
        let said = set.name();
        let name = match (said, &set.home) {
            (Field::Unknown(None), Home::Values(stack, part)) => name_of_release(stack, part, releases),
            (said, _) => said.known().map(str::to_owned),
        };
        let named_by = said.value().or(set.home.value());
        Self { name, named_by, labels, group, is_classic: false, pod: set.runner_pod() }
    }

    /// A scale set that a GitOps controller installs, with values that are not laid over the chart's.
    fn of_release(release: &Release<'a>) -> Option<Self> {
        let is_set = match release.chart {
            Some(chart) => chart.is_scale_set(),
            // A chart of one's own may bring a set along.
            None => release.may_set("githubConfigUrl"),
        };
        let schema = release.chart.filter(|chart| chart.is_scale_set());
        let own = |key: &'static str, name: &'static str| match schema {
            Some(Chart::GhaRunnerScaleSetExperimental) => vec!["scaleset", name],
            _ => vec![key],
        };
        let text = |key, name| release.setting(&own(key, name), Value::as_str);
        let said = if schema.is_some() { text("runnerScaleSetName", "name") } else { Field::Unknown(None) };
        let name = match said {
            Field::Absent => release.name.clone(),
            said => said.known().map(str::to_owned),
        };
        let labels = match release.setting(&own("scaleSetLabels", "labels"), Some) {
            Field::Absent if schema.is_some() => Some(Vec::new()),
            Field::Present(list, _) => texts(Some(list)),
            _ => None,
        };
        let named_by = said.value().or(release.value());
        let pool =
            Self { name, named_by, labels, group: text("runnerGroup", "runnerGroup"), is_classic: false, pod: None };
        is_set.then_some(pool)
    }

    /// Runners of the legacy objects.
    fn of_classic(pod: Pod<'a>) -> Option<Self> {
        let settings = pod.legacy().filter(|_| pod.role == PodRole::Runner)?;
        let Home::Object(object) = &pod.home else { return None };
        let (name, named_by) = (Some(object.name.to_owned()), Some(object.value));
        let labels = texts(settings.get("labels"));
        let group = Field::of(settings.get("group"), Value::as_str);
        Some(Self { name, named_by, labels, group, is_classic: true, pod: Some(pod) })
    }

    /// Runners that a workload registers without ARC.
    fn of_workload(object: &Object<'a>) -> Option<Self> {
        let labels = ByHand::of_object(object)?.labels;
        let (name, named_by, group) = (Some(object.name.to_owned()), Some(object.value), Field::Unknown(None));
        Some(Self { name, named_by, labels, group, is_classic: true, pod: None })
    }

    /// What to call it in a sentence.
    pub fn title(&self) -> &str {
        let label = || self.labels.as_ref()?.first().copied();
        self.name.as_deref().or_else(label).unwrap_or("?")
    }

    /// Whether it is a scale set; else classic runners, which have the default labels too.
    pub fn is_scale_set(&self) -> bool {
        !self.is_classic
    }

    /// Whether its runners have the label; none where that is not known.
    pub fn has(&self, label: &str) -> Option<bool> {
        let is = |known: &str| known.eq_ignore_ascii_case(label);
        let by_itself =
            if self.is_classic { runner_label::is_default(label) } else { self.name.as_deref().is_some_and(is) };
        if by_itself || self.labels.iter().flatten().any(|given| is(given)) {
            return Some(true);
        }
        (self.labels.is_some() && (self.is_classic || self.name.is_some())).then_some(false)
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
        let answers: Vec<_> = labels.into_iter().chain([in_group, Some(!too_many)]).collect();
        let is_refused = answers.contains(&Some(false));
        (is_refused || !answers.contains(&None)).then_some(!is_refused)
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

/// The name under which a stack's chart is installed, where all that install it agree.
fn name_of_release(stack: &Stack<'_>, part: &Part<'_>, releases: &[Release<'_>]) -> Option<String> {
    let mut names =
        releases.iter().filter(|release| release.installs(stack, part)).map(|release| release.name.as_ref());
    let first = names.next()??;
    names.all(|name| name == Some(first)).then(|| first.clone())
}
