//! Re-runs the commands that the documentation shows. A `console` fence holds one command after `$ ` and what it
//! prints; only `runnerlint …` lines are run, in the repository's root. `BLESS=1 cargo test --test docs` writes them anew.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::path::{Path, PathBuf};
use std::process::Command;

#[test]
fn documented_output_is_real() {
    let mut stale = Vec::new();
    let mut shown = 0;
    for page in pages() {
        let text = std::fs::read_to_string(&page).unwrap();
        let (fresh, commands) = rewrite(&text);
        shown += commands;
        if fresh == text {
            continue;
        }
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(&page, fresh).unwrap();
        } else {
            let diff = similar::TextDiff::from_lines(&text, &fresh);
            stale.push(format!("{}\n{}", page.display(), diff.unified_diff().context_radius(2)));
        }
    }
    assert!(shown > 0, "no page shows a command");
    assert!(stale.is_empty(), "BLESS=1 cargo test --test docs\n{}", stale.join("\n"));
}

fn pages() -> Vec<PathBuf> {
    let docs = walkdir::WalkDir::new("docs").sort_by_file_name().into_iter().map(|entry| entry.unwrap().into_path());
    std::iter::once(PathBuf::from("README.md"))
        .chain(docs)
        .filter(|path| path.extension() == Some("md".as_ref()))
        .collect()
}

/// The page with the output of its commands as it is today, and how many commands there were.
fn rewrite(text: &str) -> (String, usize) {
    let mut out = String::new();
    let mut commands = 0;
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        out.push_str(line);
        out.push('\n');
        let Some(command) =
            lines.peek().filter(|_| is_console(line)).and_then(|next| next.strip_prefix("$ runnerlint "))
        else {
            continue;
        };
        commands += 1;
        let fence = line.trim_end_matches("console");
        out.push_str(&format!("$ runnerlint {command}\n{}", run(command)));
        for line in lines.by_ref() {
            if line == fence {
                out.push_str(&format!("{fence}\n"));
                break;
            }
        }
    }
    (out, commands)
}

/// Whether a line opens a `console` fence; a longer fence holds output that has fences itself.
fn is_console(line: &str) -> bool {
    line.strip_suffix("console").is_some_and(|fence| fence.len() >= 3 && fence.chars().all(|c| c == '`'))
}

fn run(command: &str) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_runnerlint"))
        .args(command.split(' '))
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")))
        .env("COLUMNS", "100")
        .env("NO_COLOR", "1")
        .output()
        .unwrap();
    let printed = String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap();
    without_time(&printed)
}

/// The time that a run took is not the same twice.
fn without_time(printed: &str) -> String {
    let mut out = String::new();
    for line in printed.lines() {
        let line = match line.rsplit_once(" in ") {
            Some((before, time)) if time.ends_with("ms") || time.ends_with('s') => format!("{before} in 5 ms"),
            _ => line.trim_end().to_owned(),
        };
        out.push_str(&line);
        out.push('\n');
    }
    out
}
