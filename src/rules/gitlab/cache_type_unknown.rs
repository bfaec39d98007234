//! A cache whose store is unknown or not described.

use crate::diagnostic::Severity;
use crate::rule::Checker;
use crate::values::Value;
use crate::view::{Cache, Field, RunnerConfig};

/// The stores, each with the setting that none can do without.
const STORES: [(&str, &str); 3] = [("s3", "BucketName"), ("gcs", "BucketName"), ("azure", "ContainerName")];

/// What people call them.
const MEANT: [(&str, &str); 7] = [
    ("s3", "s3"),
    ("aws", "s3"),
    ("minio", "s3"),
    ("gcs", "gcs"),
    ("gcp", "gcs"),
    ("google", "gcs"),
    ("azure", "azure"),
];

pub(crate) fn check(config: &RunnerConfig<'_>, checker: &mut Checker<'_>) {
    let (trees, sources) = (checker.trees(), checker.sources());
    for runner in config.runners(trees) {
        let Some(cache) = runner.cache() else { continue };
        let Some((at, message, help, is_absent)) = fault(&cache) else { continue };
        let mut finding = match is_absent {
            Absent::Type => checker.report_key_of(at, message),
            Absent::Table | Absent::Nothing => checker.report_value(at, message),
        };
        finding.fault_in_config(config).help(help);
        if is_absent != Absent::Nothing && cache.may_be_completed(config, trees, sources) {
            finding.diagnostic.lower_to(Severity::Warning);
        }
    }
}

#[derive(PartialEq)]
enum Absent {
    Type,
    Table,
    Nothing,
}

fn fault<'a>(cache: &Cache<'_, 'a>) -> Option<(&'a Value, String, String, Absent)> {
    let (kind, at) = match cache.kind() {
        Field::Present(kind, at) => (kind, at),
        Field::Absent => {
            let is_used = |(store, key): &&(&str, &str)| matches!(cache.text(&[store, key]), Field::Present(..));
            let (store, _) = STORES.iter().find(is_used).filter(|_| !has_stray_keys(cache))?;
            let message = "this store is not used: the cache has no `Type`, so that jobs get none".to_owned();
            return Some((
                cache.store(store).value()?,
                message,
                format!("set `Type = \"{store}\"` under `[runners.cache]`"),
                Absent::Type,
            ));
        }
        _ => return None,
    };
    match STORES.iter().find(|(store, _)| kind.strip_suffix("v2").unwrap_or(kind) == *store) {
        None => {
            let meant = MEANT.iter().find(|(word, _)| kind.to_ascii_lowercase().contains(word));
            let help = match meant {
                Some((_, store)) => format!("write `{store}`"),
                None => "write `s3`, `gcs` or `azure`; without a store, leave `[runners.cache]` out".to_owned(),
            };
            Some((at, format!("`{kind}` is not a kind of cache: jobs get none"), help, Absent::Nothing))
        }
        Some((store, _)) if cache.store(store).is_absent() => {
            let message =
                format!("the cache is of type `{kind}`, but `[runners.cache.{store}]` is missing: jobs get none");
            Some((at, message, format!("add the table `[runners.cache.{store}]`"), Absent::Table))
        }
        Some(_) => None,
    }
}

/// Whether a key stands where the runner does not read it: then `Type` may be what stands there.
fn has_stray_keys(cache: &Cache<'_, '_>) -> bool {
    let own = ["path", "shared", "maxuploadedarchivesize", "s3", "gcs", "azure"];
    let is_stray = |key: &str| !own.contains(&key.to_ascii_lowercase().as_str());
    let in_store = |table: &Value| table.entries().any(|(key, _)| key.eq_ignore_ascii_case("type"));
    cache.table.entries().any(|(key, table)| is_stray(key) || in_store(table))
}
