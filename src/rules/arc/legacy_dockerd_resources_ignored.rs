//! Settings of the Docker side-car, where there is none or where they do not reach it.

use crate::rule::Checker;
use crate::values::Value;
use crate::view::{Docker, LegacyRunner, Object};

/// Settings for the container `docker`, each with the fields of the container that they fill.
const SETTINGS: [(&str, &[&[&str]]); 3] = [
    ("dockerdContainerResources", &[&["resources", "limits"], &["resources", "requests"]]),
    ("dockerEnv", &[&["env"]]),
    ("dockerVolumeMounts", &[&["volumeMounts"]]),
];

pub(crate) fn check(object: &Object<'_>, checker: &mut Checker<'_>) {
    let Some(runner) = LegacyRunner::of_object(object).filter(|_| object.kind != "RunnerSet") else { return };
    for (key, fields) in SETTINGS {
        let Some(setting) = runner.at(key).filter(|setting| !setting.is_empty() && !setting.is_unknown()) else {
            continue;
        };
        let Some(reason) = Reason::of(&runner, setting, fields) else { continue };
        let Some(at) = setting.origin.node else { continue };
        checker
            .report_key(at, format!("`{key}` has no effect: {}", reason.text))
            .related(reason.because.and_then(|value| value.origin.node), "because of this")
            .help(reason.help);
    }
}

/// Why a setting does not reach a side-car.
struct Reason<'a> {
    text: &'static str,
    because: Option<&'a Value>,
    help: &'static str,
}

impl<'a> Reason<'a> {
    fn of(runner: &LegacyRunner<'a>, setting: &Value, fields: &[&[&str]]) -> Option<Self> {
        let containers = runner.at("containers").filter(|list| !list.is_empty());
        if containers.is_some_and(|list| list.as_list().is_none()) {
            return None;
        }
        let is_docker = |item: &&Value| item.get("name").and_then(Value::as_str) == Some("docker");
        let own = containers.into_iter().flat_map(Value::items).find(is_docker);
        let because = |text, key, help| Some(Self { text, because: runner.at(key), help });
        match (runner.docker(), own, containers) {
            (Docker::Unknown, ..) => None,
            _ if runner.at("containerMode").and_then(Value::as_str) == Some("kubernetes") => because(
                "in the mode `kubernetes` there is no container `docker`",
                "containerMode",
                "delete it; jobs run in pods of their own",
            ),
            (_, Some(item), _) => {
                let given =
                    |field: &&&[&str]| field.len() == 1 || field.last().is_some_and(|key| setting.get(key).is_some());
                let is_taken = |field: &&[&str]| item.at(field).is_some_and(|value| !value.is_empty());
                let all_taken = fields.iter().filter(given).all(is_taken);
                all_taken.then_some(Self {
                    text: "the item `docker` of `containers` says its own",
                    because: Some(item),
                    help: "move it into the item",
                })
            }
            (Docker::Within, None, _) => because(
                "the daemon runs in the runner's container",
                "dockerdWithinRunnerContainer",
                "delete it, and size the runner's own `resources` for both",
            ),
            (Docker::Off, None, _) => {
                because("Docker is switched off", "dockerEnabled", "delete it, or set `dockerEnabled: true`")
            }
            (Docker::Sidecar, None, Some(list)) => Some(Self {
                text: "with `containers` written out, it only reaches an item `docker` there",
                because: Some(list),
                help: "add an item `docker` to `containers`, or write no `containers`",
            }),
            (Docker::Sidecar, None, None) => None,
        }
    }
}
