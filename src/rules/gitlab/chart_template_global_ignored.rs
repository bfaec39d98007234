//! A setting of the whole process in a template that is for one runner only.

use crate::diagnostic::Severity;
use crate::rule::Checker;
use crate::values::{Value, printed};
use crate::view::{Home, RunnerConfig};

/// What the process takes from the top of its own file, and the chart's value for it.
const GLOBALS: [(&str, Option<&str>); 14] = [
    ("check_interval", Some("checkInterval")),
    ("concurrent", Some("concurrent")),
    ("connection_max_age", Some("connectionMaxAge")),
    ("experimental", None),
    ("labels", None),
    ("listen_address", Some("metrics.enabled")),
    ("log_format", Some("logFormat")),
    ("log_level", Some("logLevel")),
    ("machine", None),
    ("metrics_server", Some("metrics.enabled")),
    ("sentry_dsn", Some("sentryDsn")),
    ("session_server", Some("sessionServer")),
    ("shutdown_timeout", Some("shutdown_timeout")),
    ("user", None),
];

pub(crate) fn check(config: &RunnerConfig<'_>, checker: &mut Checker<'_>) {
    if !config.is_chart_template(checker.trees(), checker.sources()) {
        return;
    }
    for (name, value) in config.globals() {
        let Some((known, instead)) = GLOBALS.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)) else {
            continue;
        };
        let is_same = instead.is_some_and(|path| says_the_same(config, path, value));
        let mut finding = checker.report_key_of(
            value,
            format!("`{name}` in the template has no effect: registration takes nothing but its first `[[runners]]`"),
        );
        finding.fault_in_config(config).help(match instead {
            _ if is_same => "remove it: the chart's values say the same".to_owned(),
            Some(path) => format!("set the chart's value `{}`", shown(config, path)),
            None => format!("remove it: the chart has no value for `{known}`"),
        });
        if is_same {
            finding.diagnostic.lower_to(Severity::Info);
        }
    }
}

fn says_the_same(config: &RunnerConfig<'_>, path: &str, value: &Value) -> bool {
    let Home::Values(_, part) = &config.home else { return false };
    part.values.get(path).is_some_and(|said| said.as_map().is_none() && printed(said) == printed(value))
}

fn shown(config: &RunnerConfig<'_>, path: &str) -> String {
    match &config.home {
        Home::Values(_, part) => part.shown(path),
        _ => path.to_owned(),
    }
}
