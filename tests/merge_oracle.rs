//! Answers of real Helm against ours: values, Go types, charts, refusals, warnings.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::print_stdout, reason = "a test")]

#[path = "merge_oracle/clauses.rs"]
mod clauses;
#[path = "merge_oracle/found.rs"]
mod found;
#[path = "merge_oracle/laws.rs"]
mod laws;
#[path = "merge_oracle/rows.rs"]
mod rows;
#[path = "merge_oracle/run.rs"]
mod run;

use std::collections::BTreeMap;

use rows::{Row, read_rows};
use run::{World, compare_row, compare_upgrade, merge_row};
use runnerlint::values::HelmVersion;

/// Versions that must agree on every row.
const EXACT: [&str; 3] = ["v3.19.0", "v3.22.0", "v4.3.1"];
const OTHERS: f64 = 0.98;

#[derive(Default)]
struct Tally {
    rows: usize,
    wrong: Vec<String>,
}

fn judge(file: &str, compare: impl Fn(&Row, &serde_json::Value, &str) -> Result<(), String>) {
    let Some(rows) = read_rows(file) else {
        return;
    };
    let mut table: BTreeMap<String, Tally> = BTreeMap::new();
    for row in &rows {
        for answer in row.list("results") {
            if answer["error"].as_str().is_some_and(|error| error.starts_with("panic:")) {
                continue;
            }
            for version in answer["helm"].as_array().into_iter().flatten().filter_map(|version| version.as_str()) {
                if row.is_nondeterministic(version) {
                    continue;
                }
                let tally = table.entry(version.to_owned()).or_default();
                tally.rows += 1;
                if let Err(difference) = compare(row, answer, version) {
                    tally.wrong.push(format!("{}: {difference}", row.name()));
                }
            }
        }
    }
    println!("{file}\n{:<10}{:>6}{:>8}", "version", "rows", "equal");
    for (version, tally) in &table {
        println!("{version:<10}{:>6}{:>8}", tally.rows, tally.rows - tally.wrong.len());
    }
    let mut failed = String::new();
    for (version, tally) in &table {
        let equal = (tally.rows - tally.wrong.len()) as f64 / tally.rows as f64;
        if !tally.wrong.is_empty() && (EXACT.contains(&version.as_str()) || equal < OTHERS) {
            failed +=
                &format!("\n{version}: {} of {} differ\n  {}", tally.wrong.len(), tally.rows, tally.wrong.join("\n  "));
        } else if !tally.wrong.is_empty() {
            println!("{version}:\n  {}", tally.wrong.join("\n  "));
        }
    }
    assert!(failed.is_empty(), "{failed}");
}

#[test]
fn cases_equal_helm() {
    judge("testdata/merge/cases.jsonl", compare_row);
}

#[test]
fn chance_is_reported() {
    let rows = read_rows("testdata/merge/cases.jsonl").unwrap();
    let chancy: Vec<&Row> = rows.iter().filter(|row| !row.list("nondeterministic").is_empty()).collect();
    assert_eq!(chancy.len(), 2);
    for row in chancy {
        for helm in [HelmVersion::NEWEST_3, HelmVersion::NEWEST_4] {
            let merged = merge_row(&mut World::default(), row, helm).unwrap();
            assert!(!merged.collisions.is_empty(), "{}", row.name());
        }
    }
}

#[test]
fn upgrades_equal_helm() {
    judge("testdata/merge/reuse.jsonl", compare_upgrade);
}

#[test]
fn real_charts_equal_helm() {
    judge("../shared/helm-oracle/real.jsonl", compare_row);
}
