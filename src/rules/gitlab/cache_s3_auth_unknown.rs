//! A way to sign in to S3 that the runner does not know.

use crate::rule::Checker;
use crate::view::{Field, RunnerConfig};

pub(crate) fn check(config: &RunnerConfig<'_>, checker: &mut Checker<'_>) {
    for runner in config.runners(checker.trees()) {
        let Some(Field::Present(kind, at)) = runner.cache().map(|cache| cache.s3("AuthenticationType")) else {
            continue;
        };
        if ["access-key", "iam"].iter().any(|known| kind.eq_ignore_ascii_case(known)) {
            continue;
        }
        checker
            .report_value(
                at,
                format!("`{kind}` is not a way to sign in: the runner uses no credentials, and jobs get no cache"),
            )
            .fault_in_config(config)
            .help("write `access-key` (for `AccessKey` and `SecretKey`) or `iam` (for the rights of the machine)");
    }
}
