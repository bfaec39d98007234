//! An amount that its reader cannot read.

use crate::rule::Checker;
use crate::view::{Bound, Grammar, Resource, ResourceSetting, RunnerConfig};

pub(crate) fn check(config: &RunnerConfig<'_>, checker: &mut Checker<'_>) {
    for setting in config.runners(checker.trees()).iter().flat_map(|runner| runner.resources()) {
        let Some(fault) = fault(&setting) else { continue };
        checker
            .report_value(setting.value, format!("`{}` {fault}: {}", setting.text, consequence(&setting)))
            .fault_in_config(config)
            .help(help(&setting));
    }
}

fn fault(setting: &ResourceSetting<'_>) -> Option<&'static str> {
    match (setting.quantity(), setting.grammar) {
        (Some(quantity), _) => quantity.is_negative().then_some("is below zero"),
        (None, Grammar::Kubernetes) => Some("is not a quantity of Kubernetes"),
        (None, Grammar::Docker) => Some("is not a size of Docker"),
    }
}

fn consequence(setting: &ResourceSetting<'_>) -> &'static str {
    match (setting.grammar, setting.bound) {
        (Grammar::Docker, _) => "the runner process ends when it starts a job",
        (_, Bound::Size) => "the volume gets no limit",
        (_, Bound::Ceiling) => "every job that sets its variable fails",
        (_, Bound::Request | Bound::Limit) => "every job fails before it starts",
    }
}

fn help(setting: &ResourceSetting<'_>) -> String {
    let forms = match setting.grammar {
        Grammar::Kubernetes => "a number and `m`, `k`, `M`, `G`, `Ki`, `Mi`, `Gi` or nothing",
        Grammar::Docker => "a number and `b`, `k`, `m`, `g` or nothing",
    };
    match meant(setting).filter(|text| setting.grammar.read(text).is_some()) {
        Some(meant) => format!("write `{meant}`: it takes {forms}"),
        None => format!("it takes {forms}"),
    }
}

/// The same with a point for the decimal comma, without spaces, and with the reader's own suffix.
fn meant(setting: &ResourceSetting<'_>) -> Option<String> {
    let text = setting.text.trim().replace(',', ".").replace([' ', '_'], "");
    let unit = text.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    let number = text.strip_suffix(unit)?;
    let unit = unit.to_ascii_lowercase();
    if setting.resource == Resource::Cpu {
        return match unit.trim_start_matches("milli").trim_start_matches("vcpu") {
            "" | "cpu" | "cpus" | "core" | "cores" | "s" if !unit.starts_with("milli") => Some(number.to_owned()),
            "" | "cpu" | "cpus" | "core" | "cores" | "m" => Some(format!("{number}m")),
            _ => None,
        };
    }
    let letter = match unit.trim_end_matches("ytes").trim_end_matches("yte").trim_end_matches('b').trim_end_matches('i')
    {
        letter @ ("k" | "m" | "g" | "t" | "p") => letter,
        "" => "",
        _ => return None,
    };
    Some(match setting.grammar {
        Grammar::Docker => format!("{number}{letter}"),
        Grammar::Kubernetes if letter.is_empty() => number.to_owned(),
        Grammar::Kubernetes => format!("{number}{}i", letter.to_ascii_uppercase()),
    })
}
