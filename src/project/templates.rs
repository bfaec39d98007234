//! What the templates of a chart's folder say of values.

use std::path::{Path, PathBuf};

/// How many files of a folder are read, and how large they may be.
const MAX_FILES: usize = 500;
const MAX_SIZE: u64 = 1 << 20;

/// The lines that name values, of all templates in a chart's folder and in the charts below it. Notes are for people.
pub(super) fn lines(chart: &Path) -> String {
    let mut text = String::new();
    for path in files(chart) {
        let is_small = std::fs::metadata(&path).is_ok_and(|metadata| metadata.len() <= MAX_SIZE);
        let read = if is_small { std::fs::read_to_string(&path).unwrap_or_default() } else { String::new() };
        for line in read.lines().filter(|line| line.contains(".Values")) {
            text.push_str(line);
            text.push('\n');
        }
    }
    text
}

fn files(chart: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![chart.join("templates"), chart.join("charts")];
    while let Some(folder) = folders.pop() {
        let entries = std::fs::read_dir(&folder).into_iter().flatten().flatten();
        let mut inside: Vec<_> = entries.map(|entry| entry.path()).collect();
        inside.sort();
        for path in inside {
            let is_notes = path.file_name().is_some_and(|name| name == "NOTES.txt");
            let is_template = path.ancestors().any(|folder| folder.ends_with("templates"));
            if path.is_dir() && !path.is_symlink() {
                folders.push(path);
            } else if is_template && !is_notes {
                found.push(path);
            }
            if found.len() + folders.len() > MAX_FILES {
                return found;
            }
        }
    }
    found
}
