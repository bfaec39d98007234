//! Every test that `docs/merge.md` names exists.

use std::collections::BTreeSet;

use crate::rows::{read_rows, root};

#[test]
fn documented_tests_exist() {
    let rows: Vec<String> = ["cases", "reuse"]
        .iter()
        .flat_map(|file| read_rows(&format!("testdata/merge/{file}.jsonl")).unwrap())
        .map(|row| row.name().to_owned())
        .collect();
    let functions = functions();
    let text = std::fs::read_to_string(root().join("docs/merge.md")).unwrap();
    let mut named = 0;
    let mut missing = Vec::new();
    for line in text.lines().filter(|line| line.starts_with('|')) {
        let held_by = line.trim_end_matches([' ', '|']).rsplit('|').next().unwrap();
        for name in held_by.split('`').skip(1).step_by(2) {
            named += 1;
            let found = if name.contains('/') {
                rows.iter().any(|row| row.starts_with(name))
            } else {
                functions.contains(name)
            };
            if !found {
                missing.push(name.to_owned());
            }
        }
    }
    assert!(missing.is_empty(), "{missing:?}");
    assert!(named > 60, "only {named} tests are named");
}

/// Names of all functions in the tests of the merge.
fn functions() -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for folder in ["src/values", "tests"] {
        for entry in walkdir::WalkDir::new(root().join(folder)).into_iter().filter_map(Result::ok) {
            if entry.path().extension().is_some_and(|extension| extension == "rs") {
                let text = std::fs::read_to_string(entry.path()).unwrap();
                let found = text.lines().filter_map(|line| line.trim().strip_prefix("fn ")?.split_once('('));
                names.extend(found.map(|(name, _)| name.to_owned()));
            }
        }
    }
    names
}
