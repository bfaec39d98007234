//! An id of a GitHub App as a number, which Helm turns into a float.

use crate::diagnostic::Severity;
use crate::knowledge::Chart;
use crate::rule::Checker;
use crate::values::{Data, Value, printed};
use crate::view::{Field, Part, Stack};

/// Where a chart has the ids, and how it calls them.
type Ids = (&'static str, [&'static str; 2]);

const IDS: [&str; 2] = ["github_app_id", "github_app_installation_id"];

pub(crate) fn check(stack: &Stack<'_>, checker: &mut Checker<'_>) {
    let blocks = stack.parts.iter().filter_map(credentials);
    for (name, block, id) in blocks.flat_map(|((name, ids), block)| ids.map(|id| (name, block, id))) {
        // Integers of `--set`, and json.Number of Helm 3.18.0, keep their digits.
        let Some(value) = block.get(id).filter(|value| matches!(value.data, Data::Float(_))) else { continue };
        let text = printed(value);
        let is_spoilt = text.contains('e');
        let message = match is_spoilt {
            true => format!("`{name}.{id}` is a number, and the Secret will hold `{text}`"),
            false => format!("`{name}.{id}` is a number: from 1000000 on the Secret would hold something like `1e+06`"),
        };
        let mut finding = checker.report_first(value.history(), message);
        finding.help("put the id in quotes");
        if !is_spoilt {
            finding.diagnostic.lower_to(Severity::Warning);
        }
    }
}

/// The block that a chart makes a Secret of.
fn credentials<'a>(part: &Part<'a>) -> Option<(Ids, &'a Value)> {
    match part.chart.chart {
        Chart::GhaRunnerScaleSet => Some((("githubConfigSecret", IDS), part.values.get("githubConfigSecret")?)),
        Chart::GhaRunnerScaleSetExperimental => {
            // With the name of a Secret they are not read.
            let named = part.values.at(&["auth", "secretName"]).is_some_and(|name| !name.is_empty());
            let block = part.values.at(&["auth", "app"]).filter(|_| !named)?;
            Some((("auth.app", ["clientId", "installationId"]), block))
        }
        Chart::ActionsRunnerController => {
            let block = part.values.get("authSecret")?;
            let is_made = Field::of(block.get("create"), Value::as_bool).known() == Some(true);
            is_made.then_some((("authSecret", IDS), block))
        }
        _ => None,
    }
}
