//! The merged values as YAML, the origin of every line in a margin, lost parts struck out.

use super::MergeView;
use super::lines::{Line, Writer};
use crate::report::paint::{Paint, one_line};

/// Longer names are cut at the front.
const MAX_MARGIN: usize = 44;

/// With colours lost lines are struck through, without they begin with `- `.
pub fn yaml(view: &MergeView<'_>, paint: Paint) -> String {
    let writer = Writer { lines: Vec::new(), with_lost: true, sorted: false };
    let lines = writer.write(&view.merged.values);
    let places: Vec<String> = lines.iter().map(|line| cut(&one_line(&view.place(line.origin)))).collect();
    let width = places.iter().map(|place| place.chars().count()).max().unwrap_or(0);
    let mut out = String::new();
    let mut before = "";
    for (line, place) in lines.iter().zip(&places) {
        // A place is said once for a run of lines.
        let shown = if place == before { "" } else { place };
        let pad = " ".repeat(width - shown.chars().count());
        out += &format!("{}{pad} {} {}\n", paint.dim(shown), paint.dim("│"), body(view, line, paint));
        before = place;
    }
    for warning in view.warnings() {
        out += &format!("# {}\n", one_line(&warning));
    }
    out
}

fn body(view: &MergeView<'_>, line: &Line, paint: Paint) -> String {
    let text = one_line(&line.text);
    let Some(first) = line.lost else {
        return if paint.0 || text.is_empty() { text } else { format!("  {text}") };
    };
    let why = first.map(|(how, by)| format!("  # lost: {how} by {}", one_line(&view.place(by)))).unwrap_or_default();
    if paint.0 { format!("{}{}", paint.struck(&text), paint.dim(&why)) } else { format!("- {text}{why}") }
}

fn cut(place: &str) -> String {
    let length = place.chars().count();
    if length <= MAX_MARGIN {
        return place.to_owned();
    }
    std::iter::once('…').chain(place.chars().skip(length - MAX_MARGIN + 1)).collect()
}
