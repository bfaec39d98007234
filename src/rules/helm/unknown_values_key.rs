//! A value stands under a key that the chart does not read.

use crate::diagnostic::Severity;
use crate::knowledge::{Chart, ChartKey, ChartKeys, Shape, legacy_resource, pod_field};
use crate::rule::Checker;
use crate::values::{Role, Step, Value, path_text};
use crate::view::{Disallowed, Part, REWORKED_SINCE, Stack, Unread, Why, key_but_for_a_word, nearest_key};

pub(crate) fn check(stack: &Stack<'_>, checker: &mut Checker<'_>) {
    for disallowed in stack.disallowed() {
        report_disallowed(&disallowed, checker);
    }
    for part in stack.parts.iter().filter(|part| part.other_schema().is_empty()) {
        let unread = part.unread(stack.merged);
        if stack.is_marked && is_of_another_chart(stack, part, &unread) {
            continue;
        }
        for unread in &unread {
            if !is_meant(stack, part, unread, checker) {
                report(stack, part, unread, checker);
            }
        }
    }
}

fn report(stack: &Stack<'_>, part: &Part<'_>, unread: &Unread<'_>, checker: &mut Checker<'_>) {
    let chart = part.chart.chart.name();
    let path = part.shown(&path_text(&unread.path));
    let version = part.chart.version.as_ref().map(|version| format!(" {version}")).unwrap_or_default();
    let message = match unread.why {
        Why::Unknown => format!("chart `{chart}`{version} does not read `{path}`"),
        Why::Version(ChartKey { until: Some(until), .. }) if part.chart.version.as_ref() >= Some(until) => {
            format!("chart `{chart}`{version} no longer reads `{path}`: {until} gave it up")
        }
        Why::Version(key) => {
            let since = key.since.as_ref().map(ToString::to_string).unwrap_or_default();
            format!("chart `{chart}`{version} does not read `{path}` yet: it came with {since}")
        }
        Why::Mode(mode) => format!("chart `{chart}`{version} does not read `{path}` in the mode `{mode}`"),
        Why::NoPodField => format!("`{path}` is no field of a pod: it is dropped"),
        Why::NoContainerField => format!("`{path}` is no field of a container: it is dropped"),
    };
    let mut finding = checker.report_key_of(unread.value, message);
    finding.help(help(part, unread));
    let is_sure = is_fully_known(part) && !(stack.is_marked && (!part.prefix.is_empty() || is_strange(part, unread)));
    if !is_sure {
        finding.diagnostic.lower_to(Severity::Warning);
    }
}

/// What Helm says aloud, but only when it is run.
fn report_disallowed(disallowed: &Disallowed<'_>, checker: &mut Checker<'_>) {
    let message = format!("the chart's schema has no `{}`: Helm refuses these values", path_text(&disallowed.path));
    let mut finding = checker.report_key_of(disallowed.value, message);
    let name = disallowed.path.last().map(ToString::to_string).unwrap_or_default();
    finding.help(match nearest_key(&name, disallowed.allowed.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!(
            "allowed are {}",
            disallowed.allowed.iter().map(|key| format!("`{key}`")).collect::<Vec<_>>().join(", ")
        ),
    });
    finding.diagnostic.lower_to(Severity::Warning);
}

/// Whether the table of its keys is complete beyond doubt: the schema of the experimental charts still moves.
fn is_fully_known(part: &Part<'_>) -> bool {
    matches!(part.chart.chart, Chart::GhaRunnerScaleSet | Chart::GhaRunnerScaleSetController)
}

/// Whether a key is like none that the chart has.
fn is_strange(part: &Part<'_>, unread: &Unread<'_>) -> bool {
    unread.why == Why::Unknown && what_was_meant(part, unread).is_none()
}

/// Whether the marks misled: most keys are strange, and like none that this chart has.
fn is_of_another_chart(stack: &Stack<'_>, part: &Part<'_>, unread: &[Unread<'_>]) -> bool {
    let is_default =
        |value: &Value| stack.merged.layer(value.origin.layer).is_some_and(|layer| layer.role == Role::ChartDefault);
    let strange = unread.iter().filter(|unread| unread.path.len() == 1 && is_strange(part, unread)).count();
    let written = part.values.entries().filter(|(_, value)| !value.is_empty() && !is_default(value)).count();
    strange > 1 && strange * 2 > written
}

/// Whether a value stands there for others: for aliases, for templates in other values, or for another chart that
/// is given the same file.
fn is_meant(stack: &Stack<'_>, part: &Part<'_>, unread: &Unread<'_>, checker: &Checker<'_>) -> bool {
    // A chart around it may have a text of its own, of another name or in its block.
    let is_own = |unread: &Unread<'_>| !part.prefix.is_empty() || path_text(&unread.path) != "config";
    if stack.is_marked && unread.is_runner_text() && is_own(unread) {
        return true;
    }
    // Templates of a chart around it may read more of the block.
    if stack.is_marked && is_strange(part, unread) && !(part.prefix.is_empty() && is_fully_known(part)) {
        return true;
    }
    stack.is_read_elsewhere(part, &path_text(&unread.path), unread.value, checker.trees())
}

fn help(part: &Part<'_>, unread: &Unread<'_>) -> String {
    let name = unread.path.last().map(ToString::to_string).unwrap_or_default();
    let parent = parent_of(&unread.path);
    match unread.why {
        Why::Version(ChartKey { instead: Some(instead), .. }) => format!("set `{}`", part.shown(instead)),
        Why::Mode(_) if name == "env" => format!("write the variables under `{}`", part.shown("runner.env")),
        Why::Mode(_) => format!(
            "charts from {REWORKED_SINCE} on read it; until then leave the mode unset and write out what it adds"
        ),
        Why::Version(key) => match &key.since {
            Some(since) => format!("upgrade the chart to {since}, or remove the key"),
            None => "remove the key".to_owned(),
        },
        Why::NoPodField if pod_field::of_containers().any(|field| field == name) => {
            format!("it is a field of containers: move it {}", into_container(part, &parent, &name, &parent))
        }
        Why::NoPodField if is_legacy(part, &name) => LEGACY.to_owned(),
        Why::NoPodField => near_or_remove(&name, pod_field::of_pods()),
        Why::NoContainerField if pod_field::of_pods().any(|field| field == name) => {
            format!("it is a field of pods: move it to `{}.{name}`", part.shown(&spec_around(part, &parent)))
        }
        Why::NoContainerField if is_legacy(part, &name) => LEGACY.to_owned(),
        Why::NoContainerField => near_or_remove(&name, pod_field::of_containers()),
        Why::Unknown => {
            let otherwise = match is_legacy(part, &name) {
                true => LEGACY,
                false => "remove it, or see the chart's values for what was meant",
            };
            what_was_meant(part, unread).unwrap_or_else(|| otherwise.to_owned())
        }
    }
}

const LEGACY: &str = "remove it: it is a setting of the legacy resources' runners, and scale sets have none like it";

/// Whether a key of a scale set is one that only runners of the legacy mode have.
fn is_legacy(part: &Part<'_>, name: &str) -> bool {
    part.chart.chart == Chart::GhaRunnerScaleSet
        && legacy_resource::kinds_with(name).iter().any(|(kind, path)| *kind == "Runner" && path == "spec")
}

fn near_or_remove(name: &str, fields: impl Iterator<Item = &'static str>) -> String {
    match nearest_key(name, fields) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "remove it, or see the Kubernetes reference for what was meant".to_owned(),
    }
}

fn what_was_meant(part: &Part<'_>, unread: &Unread<'_>) -> Option<String> {
    if part.chart.chart == Chart::GitlabRunner && unread.is_runner_text() {
        return Some(format!("move it to `{}`", part.shown("runners.config")));
    }
    let name = unread.path.last().map(ToString::to_string)?;
    meant(part, part.chart.chart.keys()?, &parent_of(&unread.path), &name, unread.value)
}

/// What an unknown key was probably meant for.
fn meant(part: &Part<'_>, keys: &'static ChartKeys, parent: &str, name: &str, value: &Value) -> Option<String> {
    let under = |key: &str| if parent.is_empty() { key.to_owned() } else { format!("{parent}.{key}") };
    if let Some(instead) = keys.at(&under(name)).and_then(|key| key.instead) {
        return Some(format!("set `{}`", part.shown(instead)));
    }
    let spec = nearest_spec(keys, parent);
    let is_field = |mut fields: Box<dyn Iterator<Item = &'static str>>| fields.any(|field| field == name);
    let map = nearest_container(keys, parent).filter(|_| is_field(Box::new(pod_field::of_containers())));
    let is_nearer = |spec: &ChartKey| map.is_none_or(|map| shared(map.path, parent) < shared(spec.path, parent));
    if let Some(spec) = spec.filter(|spec| is_field(Box::new(pod_field::of_pods())) && is_nearer(spec)) {
        return Some(format!("move it to `{}.{name}`", part.shown(spec.path)));
    }
    if let Some(map) = map {
        return Some(format!("move it to `{}.{name}`", part.shown(map.path)));
    }
    let siblings = || keys.under(parent).filter(|key| key.shape != Shape::Other).map(ChartKey::name);
    if let Some(near) = nearest_key(name, siblings()).or_else(|| key_but_for_a_word(name, siblings())) {
        return Some(format!("did you mean `{}`?", part.shown(&under(near))));
    }
    let is_around = |key: &ChartKey| shared(key.path, parent) == key.path.split('.').count();
    let same_name = keys.iter().filter(|key| key.name() == name && key.shape != Shape::Other && !is_around(key));
    let elsewhere = same_name.max_by_key(|key| (shared(key.path, parent), std::cmp::Reverse(key.path.len())));
    if let Some(elsewhere) = elsewhere {
        return Some(format!("did you mean `{}`?", part.shown(elsewhere.path)));
    }
    let is_one_too_deep = |(child, _): (&str, &Value)| keys.at(&under(child)).is_some();
    if value.entries().next().is_some() && value.entries().all(is_one_too_deep) {
        let inner: Vec<_> = value.entries().map(|(child, _)| format!("`{}`", part.shown(&under(child)))).collect();
        return Some(format!("move what is in it one level up, to {}", inner.join(", ")));
    }
    let spec = spec.filter(|_| is_field(Box::new(pod_field::of_containers())))?;
    Some(format!("it is a field of containers: move it {}", into_container(part, parent, name, spec.path)))
}

/// The spec of a pod that is nearest to a map, that of the runner among equals.
fn nearest_spec(keys: &'static ChartKeys, parent: &str) -> Option<&'static ChartKey> {
    let specs = keys.iter().filter(|key| key.shape == Shape::PodSpec);
    specs.max_by_key(|key| (shared(key.path, parent), matches!(key.path, "template.spec" | "runner.pod.spec")))
}

/// The map that is a container and nearest to another, where a chart has such.
fn nearest_container(keys: &'static ChartKeys, parent: &str) -> Option<&'static ChartKey> {
    let maps = keys.iter().filter(|key| key.shape == Shape::Container && shared(key.path, parent) > 0);
    maps.max_by_key(|key| (shared(key.path, parent), std::cmp::Reverse(key.path.len())))
}

/// The spec of the pod that a container is of: an item of its list, or a map of its own.
fn spec_around(part: &Part<'_>, container: &str) -> String {
    let listed = container.rsplit_once('.').filter(|_| container.ends_with(']')).map(|(spec, _)| spec);
    let nearest = || nearest_spec(part.chart.chart.keys()?, container).map(|key| key.path);
    listed.or_else(nearest).unwrap_or_default().to_owned()
}

/// Where a field of containers belongs: into the chart's map for one, where it has such, else into a list.
fn into_container(part: &Part<'_>, parent: &str, name: &str, spec: &str) -> String {
    match part.chart.chart.keys().and_then(|keys| nearest_container(keys, parent)) {
        Some(map) => format!("to `{}.{name}`", part.shown(map.path)),
        None => format!("into an item of `{}.containers`", part.shown(spec)),
    }
}

/// How many leading keys two paths share.
fn shared(one: &str, other: &str) -> usize {
    one.split('.').zip(other.split('.')).take_while(|(one, other)| one == other).count()
}

fn parent_of(path: &[Step]) -> String {
    path.split_last().map(|(_, parent)| path_text(parent)).unwrap_or_default()
}
