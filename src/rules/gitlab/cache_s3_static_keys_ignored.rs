//! Keys to an S3 store that the runner does not use.

use crate::diagnostic::Severity;
use crate::rule::Checker;
use crate::view::{Cache, Field, RunnerConfig};

pub(crate) fn check(config: &RunnerConfig<'_>, checker: &mut Checker<'_>) {
    let (trees, sources) = (checker.trees(), checker.sources());
    for runner in config.runners(trees) {
        let Some(cache) = runner.cache().filter(|cache| cache.s3("AuthenticationType").is_absent()) else { continue };
        let keys = ["AccessKey", "SecretKey"].map(|key| (key, cache.s3(key)));
        let Some((key, at)) = keys.into_iter().find_map(|(key, field)| match field {
            Field::Present(_, at) => Some((key, at)),
            _ => None,
        }) else {
            continue;
        };
        let Some(missing) = missing(&cache, config) else { continue };
        let mut finding = checker.report_value(
            at,
            format!("`{key}` is ignored: without `{missing}` the runner signs in with the rights of its machine (IAM)"),
        );
        finding.fault_in_config(config).help("set `AuthenticationType = \"access-key\"`");
        if cache.may_be_completed(config, trees, sources) {
            finding.diagnostic.lower_to(Severity::Warning);
        }
    }
}

/// The first of the three settings that must be there for the keys to count.
fn missing(cache: &Cache<'_, '_>, config: &RunnerConfig<'_>) -> Option<&'static str> {
    let all = ["ServerAddress", "AccessKey", "SecretKey"];
    let needed = if cache.has_secret(config) { 1 } else { 3 };
    all.into_iter().take(needed).find(|key| cache.s3(key).is_absent())
}
