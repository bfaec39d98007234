//! Tolerations that do not say what they seem to.

use crate::diagnostic::Severity;
use crate::rule::Checker;
use crate::values::Value;
use crate::view::{Field, RunnerConfig, is_templated, nearest_key};

const EFFECTS: [&str; 4] = ["NoSchedule", "PreferNoSchedule", "NoExecute", ""];

pub(crate) fn check(config: &RunnerConfig<'_>, checker: &mut Checker<'_>) {
    for runner in config.runners(checker.trees()) {
        let Field::Present(tolerations, _) = runner.field(&["kubernetes", "node_tolerations"]) else { continue };
        if !runner.may_be_kubernetes() {
            continue;
        }
        for (key, effect) in tolerations.entries() {
            if config.is_swallowed(effect, checker.trees()) {
                continue;
            }
            if !is_templated(key) && !key.contains('$') {
                of_key(key, effect, config, checker);
            }
            of_effect(effect, config, checker);
        }
    }
}

fn of_key(key: &str, effect: &Value, config: &RunnerConfig<'_>, checker: &mut Checker<'_>) {
    let Some(said) = effect.as_str() else { return };
    let (message, help) = if let Some((taint, rest)) = key.rsplit_once(':') {
        let help = if EFFECTS.contains(&rest) {
            format!("write `\"{taint}\" = \"{rest}\"`")
        } else if taint.contains('=') {
            format!("write `\"{taint}\" = \"{said}\"`")
        } else {
            format!("write `\"{taint}={rest}\" = \"{said}\"`")
        };
        (format!("only `=` splits a toleration: `:{rest}` is part of the taint in `{key}`"), help)
    } else if key.matches('=').count() > 1 {
        let kept = key.split('=').take(2).collect::<Vec<_>>().join("=");
        (
            format!("a second `=` cuts the value short: `{key}` tolerates `{kept}`"),
            "write `\"key=value\" = \"Effect\"`".to_owned(),
        )
    } else {
        return;
    };
    checker.report_key_of(effect, message).fault_in_config(config).help(help).diagnostic.lower_to(Severity::Warning);
}

fn of_effect(effect: &Value, config: &RunnerConfig<'_>, checker: &mut Checker<'_>) {
    let Some(text) = effect.as_str().filter(|text| !text.contains('$')) else { return };
    if EFFECTS.contains(&text) || effect.is_unknown() {
        return;
    }
    let meant = nearest_key(text, EFFECTS.into_iter().filter(|known| !known.is_empty()));
    checker
        .report_value(effect, format!("`{text}` is not an effect of a taint: the API server refuses every job's pod"))
        .fault_in_config(config)
        .help(match meant {
            Some(known) => format!("write `{known}`"),
            None => "write `NoSchedule`, `PreferNoSchedule` or `NoExecute`, or nothing for every effect".to_owned(),
        });
}
