//! An address of GitLab from the time when its CI was a program of its own.

use crate::rule::{Checker, Finding};
use crate::values::Value;
use crate::view::{Fleet, GitlabChart};

pub(crate) fn check(fleet: &Fleet<'_>, checker: &mut Checker<'_>) {
    for chart in fleet.stacks.iter().flat_map(GitlabChart::of_stack) {
        if let Some(url) = chart.value(&["gitlabUrl"]).filter(|url| is_legacy(url)) {
            report(url, checker).fault_in_chart(&chart, "gitlabUrl");
        }
    }
    for config in fleet.runner_configs {
        // What the chart's values say beats its template.
        if config.is_chart_template(checker.trees(), checker.sources()) {
            continue;
        }
        for runner in config.runners(checker.trees()) {
            if let Some(url) = runner.stated(&["url"]).filter(|url| is_legacy(url)) {
                report(url, checker).fault_in_config(config);
            }
        }
    }
}

fn report<'c, 'a>(url: &Value, checker: &'c mut Checker<'a>) -> Finding<'c, 'a> {
    let mut finding = checker
        .report_value(url, "`/ci` is the address of GitLab CI before 8.0: GitLab has no API for runners under it");
    finding.help("drop `/ci`");
    finding
}

fn is_legacy(url: &Value) -> bool {
    url.as_str().is_some_and(|url| url.trim_end_matches('/').ends_with("/ci"))
}
