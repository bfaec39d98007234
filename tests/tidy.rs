//! Holds the layering and the house rules: what a room may know, and where effects may stand.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What each room may use of the others, itself aside.
const EDGES: &[(&str, &[&str])] = &[
    ("text", &[]),
    ("syntax", &["text"]),
    ("values", &["text", "syntax"]),
    ("knowledge", &["text", "syntax", "values"]),
    ("diagnostic", &["text", "syntax"]),
    ("view", &["text", "syntax", "values", "knowledge"]),
    ("rule", &["text", "syntax", "values", "knowledge", "diagnostic", "view"]),
    ("rules", &["text", "syntax", "values", "knowledge", "diagnostic", "view", "rule"]),
    ("config", &["text", "syntax", "diagnostic", "rule"]),
    ("project", &["text", "syntax", "values", "knowledge", "diagnostic", "view", "rule", "config"]),
    ("lint", &["text", "syntax", "values", "knowledge", "diagnostic", "view", "rule", "rules", "config", "project"]),
    ("report", &["text", "syntax", "values", "diagnostic", "rule", "lint"]),
    (
        "cli",
        &[
            "text",
            "syntax",
            "values",
            "knowledge",
            "diagnostic",
            "view",
            "rule",
            "rules",
            "config",
            "project",
            "lint",
            "report",
        ],
    ),
];

/// `(what, the only places where it may stand, why)`.
const CONFINED: &[(&str, &[&str], &str)] = &[
    ("std::fs", &["src/project", "src/cli/output.rs"], "only `project` reads files, only the command line writes"),
    ("fs::write", &["src/cli/output.rs"], "only the command line writes"),
    ("miette", &["src/report/text.rs"], "a renderer is no domain type"),
    ("println!", &["src/cli"], "only the command line prints"),
    (
        "std::process",
        &["src/project/git.rs", "src/cli.rs", "src/main.rs"],
        "nothing of the linted repository is executed",
    ),
    ("Command::new", &["src/project/git.rs"], "nothing but git runs, and only to read"),
    ("std::net", &[], "no network"),
];

const JUNK_DRAWERS: &[&str] = &["utils", "util", "helpers", "common", "misc", "types"];
const MAX_LINES: usize = 600;

#[test]
fn rooms_know_only_their_neighbours() {
    let edges: BTreeMap<_, _> = EDGES.iter().copied().collect();
    let mut wrong = Vec::new();
    for (path, text) in sources() {
        let Some(room) = room(&path) else { continue };
        let Some(allowed) = edges.get(room.as_str()) else {
            wrong.push(format!("{}: room `{room}` is not in the table", path.display()));
            continue;
        };
        let code: Vec<_> = code_lines(&text).map(|(_, line)| line.trim()).collect();
        for used in used_rooms(&code.join(" ")) {
            if used != room && edges.contains_key(used) && !allowed.contains(&used) {
                wrong.push(format!("{}: `{room}` must not know `{used}`", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn effects_stand_where_they_belong() {
    let mut wrong = Vec::new();
    for (path, text) in sources().into_iter().filter(|(path, _)| !path.ends_with("tests.rs")) {
        let name = path.to_string_lossy().replace('\\', "/");
        if name.ends_with("/tests.rs") {
            continue;
        }
        for (number, line) in code_lines(&text) {
            for (what, places, why) in CONFINED {
                if line.contains(what) && !places.iter().any(|place| name.starts_with(place)) {
                    wrong.push(format!("{name}:{number}: `{what}`: {why}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn files_are_small_and_well_named() {
    let mut wrong = Vec::new();
    for (path, text) in sources() {
        let lines = text.lines().count();
        let generated = text.starts_with("// GENERATED") || text.starts_with("//! GENERATED");
        if lines > MAX_LINES && !generated {
            wrong.push(format!("{}: {lines} lines are two rooms", path.display()));
        }
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if JUNK_DRAWERS.contains(&stem.as_str()) {
            wrong.push(format!("{}: `{stem}` says nothing", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_rule_is_a_page_and_a_function() {
    let mut wrong = Vec::new();
    for page in files("rules", "md") {
        let Some(family) = page.parent().and_then(Path::file_name) else { continue };
        let text = std::fs::read_to_string(&page).unwrap();
        if family == "rules" || text.contains("\nsubject: engine") {
            continue;
        }
        let name = page.file_stem().unwrap().to_string_lossy().replace('-', "_");
        let code = Path::new("src/rules").join(family).join(format!("{name}.rs"));
        if !code.is_file() {
            wrong.push(format!("{} has no {}", page.display(), code.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn sources() -> Vec<(PathBuf, String)> {
    let sources: Vec<_> = files("src", "rs")
        .into_iter()
        .map(|path| {
            let text = std::fs::read_to_string(&path).unwrap();
            (path, text)
        })
        .collect();
    assert!(sources.len() > 10, "the sources were not found");
    sources
}

fn files(top: &str, extension: &str) -> Vec<PathBuf> {
    walkdir::WalkDir::new(top)
        .sort_by_file_name()
        .into_iter()
        .map(|entry| entry.unwrap().into_path())
        .filter(|path| path.extension().is_some_and(|found| found == extension))
        .collect()
}

/// The room of `src/room.rs` or `src/room/…`; none for `lib.rs` and `main.rs`.
fn room(path: &Path) -> Option<String> {
    let first = path.strip_prefix("src").ok()?.components().next()?;
    let name = first.as_os_str().to_string_lossy();
    let name = name.strip_suffix(".rs").unwrap_or(&name).to_owned();
    (!matches!(name.as_str(), "lib" | "main")).then_some(name)
}

/// Lines before the tests of a file, comments left out.
fn code_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    (1..)
        .zip(text.lines())
        .take_while(|(_, line)| !line.starts_with("#[cfg(test)]"))
        .filter(|(_, line)| !line.trim_start().starts_with("//"))
}

/// Names after `crate::`, also in a group: `use crate::{text::Span, view}`.
fn used_rooms(code: &str) -> Vec<&str> {
    let mut rooms = Vec::new();
    for after in code.split("crate::").skip(1) {
        let names: Vec<&str> = match after.strip_prefix('{') {
            Some(group) => group.split(';').next().unwrap_or_default().split(", ").collect(),
            None => vec![after],
        };
        for name in names {
            rooms.push(name.trim().split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default());
        }
    }
    rooms
}

#[test]
fn used_rooms_are_found() {
    assert_eq!(used_rooms("use crate::text::Span; use crate::{view, values::Value};"), ["text", "view", "values"]);
}
