//! What formats that need a file share: findings with a place, names from the repository's root, limits.

use std::borrow::Cow;

use crate::lint::{Finding, Place, Point, Report};

/// The findings that have a file, each with its place.
pub(super) fn placed(report: &Report) -> impl Iterator<Item = (&Finding, &Place)> {
    report.findings.iter().filter_map(|finding| Some((finding, finding.place.as_ref()?)))
}

/// A file's name seen from the repository's root. Absolute names and those outside stay what they are.
pub(super) fn from_root(prefix: &str, file: &str) -> String {
    if is_absolute(file) {
        return file.to_owned();
    }
    let mut parts: Vec<&str> = Vec::new();
    for part in prefix.split('/').chain(file.split('/')) {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => drop(parts.pop()),
            _ => parts.push(part),
        }
    }
    parts.join("/")
}

/// Whether a name is absolute, on Unix or on Windows.
pub(super) fn is_absolute(file: &str) -> bool {
    file.starts_with('/') || matches!(file.as_bytes(), [drive, b':', b'/', ..] if drive.is_ascii_alphabetic())
}

/// Where a place ends on its first line: receivers that match changed lines want one key or value, not a block.
pub(super) fn end_on_line(report: &Report, place: &Place) -> Point {
    if place.end.line <= place.start.line {
        return place.end;
    }
    let text = report.texts.get(&place.file).and_then(|text| text.get(place.span.clone())).unwrap_or_default();
    let line = text.split(['\n', '\r']).next().unwrap_or_default();
    let Point { line: number, column, byte } = place.start;
    Point { line: number, column: column + line.chars().count(), byte: byte + line.len() }
}

/// A text of at most `max` characters; a cut one ends with `…`.
pub(super) fn cut(text: &str, max: usize) -> Cow<'_, str> {
    match text.char_indices().nth(max) {
        None => Cow::Borrowed(text),
        Some(_) => Cow::Owned(text.chars().take(max.saturating_sub(1)).chain(['…']).collect()),
    }
}

/// A message as a sentence.
pub(super) fn sentence(text: &str) -> String {
    let ends = text.ends_with(['.', '!', '?']);
    format!("{text}{}", if ends { "" } else { "." })
}

/// What a finding says, with the other parties and the help, one a line.
pub(super) fn whole(finding: &Finding) -> String {
    let mut out = finding.message.clone();
    for note in &finding.related {
        let Place { file, start, .. } = &note.place;
        out += &format!("\n{file}:{}:{}: {}", start.line, start.column, note.message);
    }
    if let Some(help) = &finding.help {
        out += &format!("\nhelp: {help}");
    }
    out + &format!("\ndocs: {}", finding.url)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_from_the_root() {
        assert_eq!(from_root("", "./a/b.yaml"), "a/b.yaml");
        assert_eq!(from_root("ci/fleet/", "a.yaml"), "ci/fleet/a.yaml");
        assert_eq!(from_root("ci/fleet/", "../a.yaml"), "ci/a.yaml");
        assert_eq!(from_root("ci/", "../../a.yaml"), "../a.yaml");
        assert_eq!(from_root("ci/", "/tmp/a.yaml"), "/tmp/a.yaml");
        assert_eq!(from_root("ci/", "C:/a.yaml"), "C:/a.yaml");
    }

    #[test]
    fn a_cut_text_says_so() {
        assert_eq!(cut("äöü", 3), "äöü");
        assert_eq!(cut("äöüß", 3), "äö…");
    }
}
