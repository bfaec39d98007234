//! An amount that can be read and cannot be meant.

use crate::rule::Checker;
use crate::view::{Bound, Grammar, Quantity, Resource, ResourceSetting, RunnerConfig, Suffix};

/// A container does not start with less memory.
const LEAST_LIMIT: Quantity = Quantity::of_units(4 << 20);

/// Less is asked for by nobody who counts in megabytes.
const LEAST_REQUEST: Quantity = Quantity::of_units(1_000_000);

pub(crate) fn check(config: &RunnerConfig<'_>, checker: &mut Checker<'_>) {
    for setting in config.runners(checker.trees()).iter().flat_map(|runner| runner.resources()) {
        let Some((message, help)) = doubt(&setting) else { continue };
        checker.report_value(setting.value, message).fault_in_config(config).help(help);
    }
}

fn doubt(setting: &ResourceSetting<'_>) -> Option<(String, &'static str)> {
    let quantity = setting.quantity().filter(|quantity| !quantity.is_zero() && !quantity.is_negative())?;
    let suffix = match setting.grammar {
        Grammar::Kubernetes => Quantity::parse_with_suffix(setting.text)?.1,
        Grammar::Docker => Suffix::None,
    };
    let text = setting.text;
    let bytes = match quantity.units() {
        0 => "less than a byte".to_owned(),
        1 => "a single byte".to_owned(),
        bytes => format!("{bytes} bytes"),
    };
    match (setting.resource, suffix) {
        (Resource::Cpu, Suffix::Decimal | Suffix::Binary) => Some((
            format!("`{text}` of cpu is {} cores", quantity.units()),
            "cpu is counted in cores: `500m` is half of one",
        )),
        (Resource::Memory | Resource::Storage, Suffix::Fraction) => {
            Some((format!("`{text}` is {bytes}: `m` stands for thousandths"), "for megabytes write `M` or `Mi`"))
        }
        (Resource::Memory, _) if quantity < least(setting.bound) => {
            let help = match setting.grammar {
                Grammar::Kubernetes => "a number alone counts bytes: for megabytes add `Mi`",
                Grammar::Docker => "a number alone counts bytes: for megabytes add `m`",
            };
            Some((format!("`{text}` of memory is {bytes}"), help))
        }
        _ => None,
    }
}

fn least(bound: Bound) -> Quantity {
    if bound == Bound::Request { LEAST_REQUEST } else { LEAST_LIMIT }
}
