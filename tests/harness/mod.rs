//! Runs small projects through the library.
#![allow(dead_code, reason = "each test uses its part")]

use std::path::Path;

use jiff::civil::Date;
use runnerlint::lint::{self, Options, Report, Selection};
use runnerlint::project::{self, Request};
use runnerlint::rule::Meta;
use runnerlint::rules;

/// `runnerlint check .` in `directory` on the day `today`, with `--select` where there is any.
pub(crate) fn check(directory: &Path, today: Date, select: &[&str]) -> Report {
    let metas: Vec<&Meta> = rules::all().iter().map(|rule| &rule.meta).collect();
    let request = Request { directory: directory.to_owned(), paths: vec![".".into()], ..Request::default() };
    let project =
        project::load(&request, &metas).unwrap_or_else(|error| panic!("{}: {}", directory.display(), error.0));
    let select = select.iter().map(|word| (*word).to_owned()).collect();
    let selection = Selection { select, ignore: Vec::new() };
    let options = Options {
        today,
        as_of: None,
        kube_version: None,
        gitlab_runner_version: None,
        node_pools_closed: None,
        selection,
    };
    lint::run(&project, &options, rules::all())
}

/// Writes a file and the folders that lead to it.
pub(crate) fn write(directory: &Path, name: &str, text: &str) {
    let path = directory.join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

/// `file:line` of a finding; `-` without a place.
pub(crate) fn place(finding: &lint::Finding) -> String {
    finding.place.as_ref().map_or_else(|| "-".to_owned(), |place| format!("{}:{}", place.file, place.start.line))
}

/// Copies a case without its expectations.
pub(crate) fn copy_all(from: &Path, to: &Path) {
    for entry in walkdir::WalkDir::new(from).min_depth(1).into_iter().map(Result::unwrap) {
        let target = to.join(entry.path().strip_prefix(from).unwrap());
        if entry.file_type().is_dir() {
            std::fs::create_dir_all(target).unwrap();
        } else if entry.file_name() != "expect.yaml" {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}
