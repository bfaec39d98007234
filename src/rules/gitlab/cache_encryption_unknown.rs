//! An encryption of the cache that the runner does not ask for.

use crate::rule::Checker;
use crate::view::{Field, RunnerConfig};

const KNOWN: [&str; 6] = ["S3", "AES256", "KMS", "aws:kms", "DSSE-KMS", "aws:kms:dsse"];

pub(crate) fn check(config: &RunnerConfig<'_>, checker: &mut Checker<'_>) {
    for runner in config.runners(checker.trees()) {
        let Some(Field::Present(kind, at)) = runner.cache().map(|cache| cache.s3("ServerSideEncryption")) else {
            continue;
        };
        if KNOWN.iter().any(|known| kind.eq_ignore_ascii_case(known)) {
            continue;
        }
        checker
            .report_value(at, format!("`{kind}` is not an encryption that the runner knows: it asks S3 for none"))
            .fault_in_config(config)
            .help("write `S3` (the store's own keys), `KMS` or `DSSE-KMS`");
    }
}
