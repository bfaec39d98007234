//! A job sets a variable of the Kubernetes executor that the executor does not read there.

use crate::diagnostic::Severity;
use crate::knowledge::runner_schema::Key;
use crate::knowledge::{OverwriteCheck, OverwriteVariable};
use crate::rule::Checker;
use crate::syntax::NodeRef;
use crate::values::Value;
use crate::view::{Executor, Fleet, Pipeline, nearest_key};

/// What a script says when it hands its variables on to files that are not in view.
const HANDS_ON: [&str; 12] =
    ["./", ".sh", ".py", "make", "envsubst", "ansible", "terraform", "helm", "gradle", "mvn", "npm", "skaffold"];

/// Why a variable does nothing.
enum Why {
    /// It is one of `register`'s, for a setting.
    Register(&'static str),
    /// It looks like another one.
    Near(String),
    /// It is the job's, in a service.
    OfJob,
}

pub(crate) fn check(fleet: &Fleet<'_>, checker: &mut Checker<'_>) {
    let (trees, sources) = (checker.trees(), checker.sources());
    let on_kubernetes = fleet.runners(trees).iter().any(|runner| runner.executor == Executor::Kubernetes);
    let mut told: Vec<NodeRef> = Vec::new();
    for pipeline in fleet.pipelines.iter().map(|pipeline| Pipeline::new(pipeline, trees, sources)) {
        for (name, value, in_service) in variables(pipeline) {
            let Some(at) = value.origin.node.filter(|at| !told.contains(at)) else { continue };
            let Some(why) = why(name, in_service).filter(|_| !may_be_used(pipeline, name)) else { continue };
            told.push(at);
            let mut finding = checker.report_key(at, message(name, &why));
            finding.help(help(name, &why));
            // Without such a runner in view, the name may be meant for another tool.
            if !on_kubernetes && !name.ends_with("_OVERWRITE_MAX_ALLOWED") {
                finding.diagnostic.lower_to(Severity::Info);
            }
        }
    }
}

/// All variables of the executor by their names, and whether they are a service's own. What a trigger sets is for
/// another pipeline.
fn variables(pipeline: Pipeline<'_>) -> Vec<(&str, &Value, bool)> {
    let of_triggers = pipeline.all().filter(|job| job.value.get("trigger").is_some());
    let of_triggers: Vec<_> = of_triggers
        .filter_map(|job| job.value.get("variables"))
        .flat_map(Value::entries)
        .map(|(_, value)| value)
        .collect();
    let own = pipeline.variables().filter(|(_, value)| !of_triggers.iter().any(|other| other.origin == value.origin));
    let services = pipeline.jobs().flat_map(|job| job.services());
    let of_services = services.filter_map(|service| service.value.get("variables")).flat_map(Value::entries);
    let all = own.map(|(name, value)| (name, value, false)).chain(of_services.map(|(name, value)| (name, value, true)));
    all.filter(|(name, ..)| name.starts_with("KUBERNETES_")).collect()
}

fn why(name: &str, in_service: bool) -> Option<Why> {
    if let Some(known) = OverwriteVariable::named(name) {
        let is_of_job = in_service && known.of == "build" && known.check == OverwriteCheck::Ceiling;
        return is_of_job.then_some(Why::OfJob);
    }
    if let Some(key) = setting(name) {
        let overwrites = |setting| OverwriteVariable::all().iter().find(|known| known.setting() == setting);
        return match key.until {
            Some((_, instead)) => overwrites(instead).map(|known| Why::Near(known.name.to_owned())),
            None => Some(Why::Register(key.name)),
        };
    }
    let near = nearest_key(name, OverwriteVariable::all().iter().filter(|it| !it.is_prefix).map(|it| it.name))?;
    Some(Why::Near(near.to_owned()))
}

/// The setting of a runner that has the name.
fn setting(name: &str) -> Option<&'static Key> {
    let name = name.strip_prefix("KUBERNETES_")?.to_ascii_lowercase();
    Key::root().child("runners")?.child("kubernetes")?.child(&name)
}

/// Whether it may have a use of its own, in a script or in what reads the file's variables elsewhere.
fn may_be_used(pipeline: Pipeline<'_>, name: &str) -> bool {
    if pipeline.mentions(name) {
        return true;
    }
    let is_plain = setting(name).is_some_and(|key| !key.name.contains("overwrite"));
    is_plain
        && (pipeline.is_shared() || pipeline.has_text(|text| HANDS_ON.iter().any(|program| text.contains(program))))
}

fn message(name: &str, why: &Why) -> String {
    match why {
        Why::Register(key) => {
            format!("no job reads `{name}`: it sets `{key}` when a runner registers, and nothing in a pipeline")
        }
        Why::Near(_) => format!("no runner reads `{name}`"),
        Why::OfJob => format!("`{name}` is read from the job's variables, not from a service's own"),
    }
}

fn help(name: &str, why: &Why) -> String {
    let overwrites =
        |key: &str| OverwriteVariable::all().iter().find(|known| known.setting() == key || known.gate == key);
    match why {
        Why::Register(key) => match overwrites(key) {
            Some(known) => {
                let rest = if known.is_prefix { "…" } else { "" };
                format!(
                    "a job overwrites `{}` by `{}{rest}`, if the runner sets `{}`",
                    known.setting(),
                    known.name,
                    known.gate
                )
            }
            None if *key == "image" => "name the job's image by the keyword `image`".to_owned(),
            None => format!("set `{key}` under [runners.kubernetes] of a runner, and lead the job there by a tag"),
        },
        Why::Near(near) => format!("write `{near}`"),
        Why::OfJob => {
            format!("write `KUBERNETES_SERVICE_{}`", name.strip_prefix("KUBERNETES_").unwrap_or(name))
        }
    }
}
