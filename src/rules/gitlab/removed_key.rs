//! A key that the runner no longer heeds.

use crate::diagnostic::Severity;
use crate::rule::Checker;
use crate::syntax::Trees;
use crate::view::{Decoded, Outcome, RunnerConfig, entry_of};

pub(crate) fn check(config: &RunnerConfig<'_>, checker: &mut Checker<'_>) {
    let trees = checker.trees();
    let is_gone = |found: &&Decoded| matches!(found.outcome, Outcome::Gone(..));
    let gone: Vec<_> = config.decoded(trees).iter().filter(is_gone).collect();
    for found in &gone {
        let Outcome::Gone(until, instead) = found.outcome else { continue };
        let message = format!("`{}` is ignored since GitLab Runner {until}", found.name(trees));
        let mut finding = checker.report_key(found.at, message);
        finding.fault_in_config(config).help(help(instead).replace(".s3]", &store(found, trees)));
        let of_table = gone.iter().filter(|other| other.table(trees) == found.table(trees));
        if of_table.into_iter().all(|other| other.is_zero(trees)) {
            finding.diagnostic.lower_to(Severity::Info);
        }
    }
}

/// The end of the header of the store that a cache names, if it has the key, too: all but S3 came later.
fn store(found: &Decoded, trees: &Trees) -> String {
    let cache = trees.node(found.at).and_then(|node| node.parent());
    let kind = cache.and_then(|cache| entry_of(cache, "Type")).map_or("s3", |kind| kind.text());
    let has_it = found.of.child(kind).is_some_and(|store| store.child(found.name(trees)).is_some());
    format!(".{}]", if has_it { kind } else { "s3" })
}

/// What took its place: keys, with their header where that is another one.
fn help(instead: &str) -> String {
    if instead.is_empty() {
        return "remove it: nothing took its place".to_owned();
    }
    let quoted = |key: &str| match key.rsplit_once("] ") {
        Some((header, key)) => format!("`{key}` in `{header}]`"),
        None => format!("`{key}`"),
    };
    format!("use {}", instead.split(" + ").map(quoted).collect::<Vec<_>>().join(" and "))
}
