//! A setting of the template that the chart's own values beat at registration.

use crate::diagnostic::Severity;
use crate::rule::Checker;
use crate::values::{Value, printed};
use crate::view::{Field, Home, Part, Runner, RunnerConfig, is_conditional};

pub(crate) fn check(config: &RunnerConfig<'_>, checker: &mut Checker<'_>) {
    let Home::Values(_, part) = &config.home else { return };
    let runners = config.runners(checker.trees());
    let Some(runner) = runners.first() else { return };
    for key in ["name", "url", "token", "executor"] {
        // The text says it, whatever else may beat it.
        let Some(at) = said(runner, key, checker) else { continue };
        let Some(text) = at.as_str().filter(|text| !text.is_empty()) else { continue };
        let Some(winner) = winner(part, key, text) else { continue };
        let message = format!("`{key} = \"{}\"` loses: {}", shortened(key, text), winner.why);
        let mut finding = checker.report_value(at, message);
        finding.related(winner.at.and_then(|at| at.origin.node), "this wins").fault_in_config(config).help(winner.help);
        if key != "executor" {
            finding.diagnostic.lower_to(Severity::Warning);
        }
    }
    for (name, value) in part.environment() {
        check_variable(config, runner, name, value, checker);
    }
}

/// What the text says of a key, where nothing else decides if it does.
fn said<'a>(runner: &Runner<'a>, key: &str, checker: &Checker<'_>) -> Option<&'a Value> {
    let value = runner.stated(&[key])?;
    let node = value.origin.node.and_then(|at| checker.trees().node(at))?;
    (!value.is_unknown() && !is_conditional(node)).then_some(value)
}

struct Winner<'a> {
    why: String,
    at: Option<&'a Value>,
    help: String,
}

/// What beats a key; none where that says the same, or cannot be known.
fn winner<'a>(part: &Part<'a>, key: &str, text: &str) -> Option<Winner<'a>> {
    let value = |path: &[&str]| match Field::of(part.values.at(path), |value| Some(printed(value))) {
        Field::Absent => Some(None),
        Field::Present(text, _) if text.is_empty() => Some(None),
        Field::Present(text, at) => Some(Some((text, at))),
        Field::WrongShape(_) | Field::Unknown(_) => None,
    };
    let instead = |path: &str| format!("set the chart's value `{}`, and remove it here", part.shown(path));
    match key {
        "name" => match value(&["runners", "name"])? {
            Some((name, at)) => (name != text).then(|| Winner {
                why: format!("the value `{}` says `{name}`", part.shown("runners.name")),
                at: Some(at),
                help: "remove it here".to_owned(),
            }),
            None => Some(Winner {
                why: "the runner registers under the name of its pod".to_owned(),
                at: None,
                help: instead("runners.name"),
            }),
        },
        "url" => {
            let (url, at) = value(&["gitlabUrl"])??;
            let bare = |url: &str| url.trim_end_matches('/').to_owned();
            (bare(&url) != bare(text)).then(|| Winner {
                why: format!("the value `{}` says `{url}`", part.shown("gitlabUrl")),
                at: Some(at),
                help: instead("gitlabUrl"),
            })
        }
        "token" => {
            let same = value(&["runnerToken"])?.is_some_and(|(token, _)| token == text);
            (!same).then(|| Winner {
                why: "registration blanks the token of a template".to_owned(),
                at: None,
                help: format!(
                    "give the token in `{}` or in the Secret of `{}`, and remove it here",
                    part.shown("runnerToken"),
                    part.shown("runners.secret")
                ),
            })
        }
        _ => {
            let said = value(&["runners", "executor"])?;
            let (executor, at) = said.map_or(("kubernetes".to_owned(), None), |(text, at)| (text, Some(at)));
            (executor != text).then(|| Winner {
                why: format!("the chart registers with the executor `{executor}`"),
                at,
                help: instead("runners.executor"),
            })
        }
    }
}

/// Tokens are for nobody's eyes.
fn shortened<'t>(key: &str, text: &'t str) -> &'t str {
    if key == "token" { "…" } else { text }
}

/// A variable of the pod under which `register` takes a setting of `[runners.kubernetes]`.
fn check_variable(
    config: &RunnerConfig<'_>,
    runner: &Runner<'_>,
    name: &str,
    value: &Value,
    checker: &mut Checker<'_>,
) {
    let Some(key) = name.strip_prefix("KUBERNETES_").map(str::to_ascii_lowercase) else { return };
    let Some(at) = runner.stated(&["kubernetes", &key]) else { return };
    let is_plain = |value: &Value| !value.is_unknown() && value.as_map().is_none() && value.as_list().is_none();
    let (wins, loses) = (printed(value), printed(at));
    let sure = at.origin.node.and_then(|at| checker.trees().node(at)).is_some_and(|node| !is_conditional(node));
    if !sure || !is_plain(value) || !is_plain(at) || wins == loses || wins.is_empty() {
        return;
    }
    let mut finding = checker.report_value(
        at,
        format!("`{key} = {loses}` loses: the variable `{name}` gives `register` the value `{wins}`"),
    );
    finding.related(value.origin.node, "this wins").fault_in_config(config).help("say it in one place only");
    finding.diagnostic.lower_to(Severity::Warning);
}
