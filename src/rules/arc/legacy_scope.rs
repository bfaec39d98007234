//! A legacy runner is for an enterprise, an organization or a repository: for one of them.

use crate::rule::Checker;
use crate::values::Value;
use crate::view::{Fleet, LegacyRunner};

const SCOPES: [&str; 3] = ["enterprise", "organization", "repository"];

pub(crate) fn check(fleet: &Fleet<'_>, checker: &mut Checker<'_>) {
    for runner in fleet.objects.iter().filter_map(LegacyRunner::of_object) {
        // In the order in which they are written.
        let given: Vec<(&str, &Value)> =
            runner.settings.entries().filter(|(key, _)| SCOPES.contains(key) && runner.at(key).is_some()).collect();
        match given.as_slice() {
            [] => report_none(fleet, &runner, checker),
            [_] => {}
            // A template may leave nothing behind.
            all if all.iter().any(|(_, value)| value.is_unknown()) => {}
            all => report_many(all, checker),
        }
    }
}

fn report_many(given: &[(&str, &Value)], checker: &mut Checker<'_>) {
    let [(_, first), others @ ..] = given else { return };
    let names: Vec<_> = given.iter().map(|(key, _)| format!("`{key}`")).collect();
    let message = format!("{} are set, and a runner can be for one of them only", names.join(" and "));
    let mut finding = checker.report_value(first, message);
    for (key, value) in others {
        finding.related(value.origin.node, format!("`{key}` is set too"));
    }
    finding.help("keep one; a `repository` is written as `owner/name`");
}

fn report_none(fleet: &Fleet<'_>, runner: &LegacyRunner<'_>, checker: &mut Checker<'_>) {
    // What a patch adds is not in view here.
    if fleet.is_patched {
        return;
    }
    let message = format!("{} says no `enterprise`, `organization` or `repository`", runner.object.kind);
    checker
        .report_first(runner.trail(&[]).into_iter().rev(), message)
        .help("say for whom the runners are with one of the three");
}
