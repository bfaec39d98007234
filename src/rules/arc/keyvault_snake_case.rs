//! Keys of the key vault in snake_case, as the chart's comments show them and its templates do not read them.

use crate::diagnostic::Severity;
use crate::rule::Checker;
use crate::values::Value;
use crate::view::ScaleSet;

/// The keys that the template reads.
const CAMEL: [&str; 4] = ["tenantId", "clientId", "certificatePath", "secretKey"];

pub(crate) fn check(set: &ScaleSet<'_>, checker: &mut Checker<'_>) {
    let Some(vault) = set.at(&["keyVault"]).filter(|_| set.is_values() && !set.chart_is_before(0, 12, 0)) else {
        return;
    };
    let mut wrong: Vec<(&str, &str, &Value)> = Vec::new();
    wrong.extend(misspelt(vault, &["azureKeyVault"]));
    wrong.extend(vault.get("azureKeyVault").into_iter().flat_map(|block| misspelt(block, &CAMEL)));
    let is_refused = vault.get("type").is_some_and(|kind| !kind.is_empty());
    for (snake, camel, value) in wrong {
        let effect = match vault.get("azureKeyVault") {
            None if is_refused => "it does not render",
            _ => "the vault's settings stay empty",
        };
        let message = format!("the chart does not read `{snake}` but `{camel}`: {effect}");
        let mut finding = checker.report_first_key(value.history(), message);
        finding.help(format!("write `{camel}`, and all keys under `azureKeyVault` in camelCase too"));
        if set.chart_is_newer_than_known() {
            finding.diagnostic.lower_to(Severity::Warning);
        }
    }
}

/// Entries whose key is the snake_case form of a known one that is not there.
fn misspelt<'a>(block: &'a Value, known: &[&'static str]) -> Vec<(&'a str, &'static str, &'a Value)> {
    let camel = |snake: &str| {
        known.iter().find(|camel| snake.contains('_') && snake.replace('_', "").eq_ignore_ascii_case(camel))
    };
    let entries = block.entries().filter(|(_, value)| !value.is_empty());
    let pairs = entries.filter_map(|(key, value)| Some((key, *camel(key)?, value)));
    pairs.filter(|(_, camel, _)| block.get(camel).is_none_or(Value::is_empty)).collect()
}
