//! Profiles of job containers that the runner drops.

use crate::rule::Checker;
use crate::values::Value;
use crate::view::{Field, Runner, RunnerConfig, nearest_key};

const CONTEXTS: [&str; 5] = [
    "pod_security_context",
    "init_permissions_container_security_context",
    "build_container_security_context",
    "helper_container_security_context",
    "service_container_security_context",
];
const TYPES: [&str; 3] = ["RuntimeDefault", "Localhost", "Unconfined"];

pub(crate) fn check(config: &RunnerConfig<'_>, checker: &mut Checker<'_>) {
    for runner in config.runners(checker.trees()) {
        for context in CONTEXTS.into_iter().filter(|_| runner.may_be_kubernetes()) {
            let profiles =
                ["seccomp_profile", "app_armor_profile"].map(|profile| of_profile(&runner, context, profile));
            for (at, message, help) in profiles.into_iter().flatten().chain(of_proc_mount(&runner, context)) {
                checker.report_value(at, message).fault_in_config(config).help(help);
            }
        }
    }
}

type Fault<'a> = (&'a Value, String, String);

fn of_profile<'a>(runner: &Runner<'a>, context: &str, profile: &str) -> Option<Fault<'a>> {
    let text = |key: &str| runner.text(&["kubernetes", context, profile, key]);
    let Field::Present(kind, at) = text("type") else { return None };
    if !TYPES.contains(&kind) {
        let help = match nearest_key(kind, TYPES.into_iter()) {
            Some(known) => format!("write `{known}`: case matters"),
            None => "write `RuntimeDefault`, `Unconfined` or `Localhost`".to_owned(),
        };
        return Some((at, format!("`{kind}` is not a type of profile: the runner drops `{profile}`"), help));
    }
    let file = text("localhost_profile");
    if kind == "Localhost" && matches!(file, Field::Absent | Field::Present("", _)) {
        let message = format!("a `Localhost` profile needs `localhost_profile`: the runner drops `{profile}`");
        return Some((at, message, "name the node's profile as `localhost_profile`".to_owned()));
    }
    None
}

fn of_proc_mount<'a>(runner: &Runner<'a>, context: &str) -> Option<Fault<'a>> {
    let Field::Present(kind, at) = runner.text(&["kubernetes", context, "proc_mount"]) else { return None };
    let is_known = ["", "default", "unmasked"].iter().any(|known| kind.eq_ignore_ascii_case(known));
    let message = format!("`{kind}` is not a type of mount: the runner drops `proc_mount`");
    (!is_known).then(|| (at, message, "write `Default` or `Unmasked`".to_owned()))
}
