//! A cache that needs a key to its store, and nothing that gives one.

use crate::rule::Checker;
use crate::view::{Cache, Field, Home, Part, RunnerConfig};

pub(crate) fn check(config: &RunnerConfig<'_>, checker: &mut Checker<'_>) {
    let Home::Values(_, part) = &config.home else { return };
    let (trees, sources) = (checker.trees(), checker.sources());
    let runners = config.runners(trees);
    let Some(cache) = runners.first().and_then(|runner| runner.cache()) else { return };
    // Old keys have a rule of their own.
    let is_completed = cache.may_be_completed(config, trees, sources) || part.has_unknown_environment();
    if cache.kind().known() != Some("s3") || cache.has_secret(config) || is_completed {
        return;
    }
    let Some(missing) = ["AccessKey", "SecretKey"].into_iter().find(|key| cache.s3(key).is_absent()) else { return };
    let secret = part.shown("runners.cache.secretName");
    match (cache.s3("AuthenticationType"), cache.s3("ServerAddress")) {
        (Field::Present(kind, at), _) if kind.eq_ignore_ascii_case("access-key") => checker
            .report_value(at, format!("nothing gives the access key to the cache: neither `{missing}` nor `{secret}` is set")),
        (Field::Absent, Field::Present(address, at)) if is_foreign(address) && has_no_key(&cache) && !has_role(part) => {
            checker.report_value(
                at,
                format!("nothing gives the access key to the cache: the runner signs in to `{address}` with the rights of its machine (IAM)"),
            )
        }
        _ => return,
    }
    .fault_in_config(config)
    .help(format!("put `accesskey` and `secretkey` into a Secret, and name it in `{secret}`"));
}

/// Whether a store is none of Amazon's, so that it knows nothing of its machines.
fn is_foreign(address: &str) -> bool {
    !address.contains("amazonaws.")
}

/// Keys that are given in part have a rule of their own.
fn has_no_key(cache: &Cache<'_, '_>) -> bool {
    ["AccessKey", "SecretKey"].iter().all(|key| cache.s3(key).is_absent())
}

/// Whether the service account stands for a role, which some stores take.
fn has_role(part: &Part<'_>) -> bool {
    let places = [["serviceAccount", "annotations"], ["rbac", "serviceAccountAnnotations"]];
    places.iter().any(|path| part.values.at(path).is_some_and(|annotations| !annotations.is_empty()))
}
