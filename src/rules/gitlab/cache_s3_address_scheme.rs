//! An address of an S3 store with a scheme, which the runner puts before it itself.

use crate::rule::Checker;
use crate::view::RunnerConfig;

pub(crate) fn check(config: &RunnerConfig<'_>, checker: &mut Checker<'_>) {
    for runner in config.runners(checker.trees()) {
        let Some(address) = runner.cache().and_then(|cache| cache.s3("ServerAddress").value()) else { continue };
        // What follows may be templated: the scheme is there whatever it becomes.
        let text = address.as_str().unwrap_or_default();
        let Some((scheme, rest)) = text.split_once("://").filter(|(scheme, _)| is_scheme(scheme)) else { continue };
        let insecure = if scheme.eq_ignore_ascii_case("http") { " with `Insecure = true`" } else { "" };
        checker
            .report_value(
                address,
                format!("the runner puts a scheme before `ServerAddress`, so that `{scheme}://` breaks it: jobs get no cache"),
            )
            .fault_in_config(config)
            .help(format!("write `{}`{insecure}", rest.trim_end_matches('/')));
    }
}

fn is_scheme(text: &str) -> bool {
    ["http", "https", "s3"].iter().any(|scheme| text.eq_ignore_ascii_case(scheme))
}
