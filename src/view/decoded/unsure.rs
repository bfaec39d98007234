//! Where it cannot be known which table an entry belongs to, or whether it was read right.

use crate::syntax::{Kind, Node, Tree};
use crate::text::Span;
use crate::values::{Data, Value};

/// Parts of a text that are not to be judged.
#[derive(Debug)]
pub(super) struct Unsure {
    /// Ascending and apart.
    spans: Vec<Span>,
    /// Where the first template statement stands that may bring a table.
    first_output: Option<u32>,
}

impl Unsure {
    pub(super) fn of(tree: &Tree) -> Self {
        if tree.errors.is_empty() && tree.statements.is_empty() {
            return Self { spans: Vec::new(), first_output: None };
        }
        let text = &tree.text;
        let headers = headers(text);
        let mut spans = misread(tree, &headers);
        let outputs = tree.statements.iter().filter(|span| brings_text(span.slice(text)));
        let outputs: Vec<Span> = outputs.copied().collect();
        // What markup writes may end in another table: up to the next header nothing is known.
        let ends = outputs.iter().copied().chain(ends_of_conditional_tables(tree));
        spans.extend(ends.map(|span| to_header(text, &headers, span)));
        Self { spans: apart(spans), first_output: outputs.first().map(|span| span.start) }
    }

    /// Only what syntax errors leave.
    fn of_errors(tree: &Tree) -> Self {
        Self { spans: apart(misread(tree, &headers(&tree.text))), first_output: None }
    }

    /// Whether an entry is not to be judged.
    pub(super) fn hides(&self, key: Node<'_>, value: Node<'_>) -> bool {
        key.is_masked() || self.covers(key, value)
    }

    fn covers(&self, key: Node<'_>, value: Node<'_>) -> bool {
        let is_on_its_line = !matches!(value.kind(), Kind::BlockMap | Kind::BlockSeq);
        self.touches(key.span()) || (is_on_its_line && self.touches(value.span()))
    }

    /// Whether markup before a node may have opened the array of tables that it belongs to.
    pub(super) fn may_be_opened_before(&self, node: Node<'_>) -> bool {
        self.first_output.is_some_and(|first| first < node.span().start)
    }

    fn touches(&self, span: Span) -> bool {
        let next = self.spans.partition_point(|unsure| unsure.end < span.start);
        self.spans.get(next).is_some_and(|unsure| unsure.start <= span.end)
    }
}

/// Takes out of a document what was not read right: nobody knows what it says. `tree` is its tree.
pub fn forget_misread(document: &mut Value, tree: &Tree) {
    if tree.errors.iter().any(|error| !error.duplicate) {
        forget(document, tree, &Unsure::of_errors(tree));
    }
}

fn forget(value: &mut Value, tree: &Tree, unsure: &Unsure) {
    match &mut value.data {
        Data::Map(map) => map.entries.retain(|_, value| {
            let entry = value.origin.node.map(|at| tree.node(at.node)).and_then(|node| Some((node.key()?, node)));
            let is_read = entry.is_none_or(|(key, node)| !unsure.covers(key, node));
            if is_read {
                forget(value, tree, unsure);
            }
            is_read
        }),
        Data::List(items) => items.iter_mut().for_each(|item| forget(item, tree, unsure)),
        _ => {}
    }
}

/// What syntax errors leave not to be judged.
fn misread(tree: &Tree, headers: &[usize]) -> Vec<Span> {
    let errors = tree.errors.iter().filter(|error| !error.duplicate);
    errors.map(|error| broken(&tree.text, headers, error.span)).collect()
}

/// In order, and apart.
fn apart(mut spans: Vec<Span>) -> Vec<Span> {
    spans.sort_unstable();
    spans.dedup_by(|next, last| {
        let meets = next.start <= last.end;
        if meets {
            last.end = last.end.max(next.end);
        }
        meets
    });
    spans
}

/// Statements that end parts with headers in them, which may not be there.
fn ends_of_conditional_tables(tree: &Tree) -> Vec<Span> {
    let (mut blocks, mut last, mut ends): (Vec<Block>, usize, Vec<Span>) = (Vec::new(), 0, Vec::new());
    for span in &tree.statements {
        let part = tree.text.get(last..span.start as usize).unwrap_or_default();
        let has_header = part.lines().any(is_header);
        if let Some(block) = blocks.last_mut() {
            block.is_in_branch |= has_header;
            block.is_in_any |= has_header;
        }
        match word(span.slice(&tree.text)) {
            "if" | "range" | "for" | "with" | "unless" => blocks.push(Block::default()),
            "end" | "endif" | "endfor" => {
                let has_header = blocks.pop().is_some_and(|block| block.is_in_any);
                ends.extend(has_header.then_some(*span));
                if let Some(around) = blocks.last_mut() {
                    around.is_in_branch |= has_header;
                    around.is_in_any |= has_header;
                }
            }
            _ => {
                let has_header = blocks.last_mut().is_some_and(|block| std::mem::take(&mut block.is_in_branch));
                ends.extend(has_header.then_some(*span));
            }
        }
        last = span.end as usize;
    }
    ends
}

/// Where markup decides about what is there: whether that has headers.
#[derive(Debug, Default, Clone, Copy)]
struct Block {
    /// In the branch that is open.
    is_in_branch: bool,
    /// In any branch of it.
    is_in_any: bool,
}

fn is_header(line: &str) -> bool {
    line.trim_start_matches([' ', '\t']).starts_with('[')
}

/// Where the lines of headers begin, ascending.
fn headers(text: &str) -> Vec<usize> {
    let breaks = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1);
    breaks.filter(|at| text.get(*at..).is_some_and(is_header)).collect()
}

/// The line of an error; of a broken header or bracket, all up to the next header.
fn broken(text: &str, headers: &[usize], error: Span) -> Span {
    let before = text.get(..error.start as usize).unwrap_or_default();
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    let line = text.get(start..).unwrap_or_default();
    let span = Span::new(start, start + line.find('\n').unwrap_or(line.len()));
    let is_bracket = error.slice(text).starts_with(['[', '{']);
    // The first bracket of a header may be what is missing, or the line break before it.
    let whole = span.slice(text).trim_end();
    let is_after_value = whole.rfind('[').is_some_and(|at| start + at >= error.start as usize);
    let is_end_of_header = whole.ends_with(']') && (is_after_value || !whole.contains('='));
    if is_bracket || is_header(line) || is_end_of_header { to_header(text, headers, span) } else { span }
}

fn to_header(text: &str, headers: &[usize], span: Span) -> Span {
    let next = headers.partition_point(|header| *header <= span.end as usize);
    Span::new(span.start as usize, headers.get(next).map_or(text.len(), |header| header - 1))
}

/// Whether markup writes text of its own, rather than deciding about what stands between it and its end.
fn brings_text(markup: &str) -> bool {
    !["if", "else", "elif", "elsif", "end", "endif", "range", "for", "endfor", "with", "unless", "break", "continue"]
        .contains(&word(markup))
}

/// The first word of markup.
fn word(markup: &str) -> &str {
    let inside = markup.trim_start_matches(['{', '%', '<', '$', '-', '~', '+', ' ', '\t', '\n']);
    inside.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::toml;
    use crate::text::SourceId;

    fn hidden(text: &str) -> Vec<String> {
        let tree = toml::parse(text.into(), SourceId(0));
        let unsure = Unsure::of(&tree);
        let all = tree.nodes().filter_map(|node| Some((node.key()?, node)));
        all.filter(|(key, value)| unsure.hides(*key, *value)).map(|(key, _)| key.text().to_owned()).collect()
    }

    #[test]
    fn what_markup_may_have_moved() {
        assert_eq!(hidden("a = 1\n{{ include \"x\" . }}\nb = 1\n[c]\nd = 1"), ["b"]);
        assert_eq!(hidden("[a]\nb = 1\n%{ if x }\n[c]\nd = 1\n%{ endif }\ne = 1\n[f]\ng = 1"), ["e"]);
        assert_eq!(hidden("{% if x %}\n[a]\nb = 1\n{% else %}\nc = 1\n{% endif %}\nd = 1\n"), ["c", "d"]);
        assert!(hidden("{% for r in x %}\n[a]\n{% if y %}\nb = 1\n{% else %}\nb = 2\n{% endif %}\nc = 1").is_empty());
        assert!(hidden("a = 1\n{{ if .x }}\nb = 1\n{{ end }}\nd = 1").is_empty());
    }

    #[test]
    fn what_was_not_read_right() {
        assert_eq!(hidden("a = 1\nb = c\nd = 1"), ["b"]);
        assert_eq!(hidden("[[a]]\nb = c\nd = 1"), ["b"]);
        assert_eq!(hidden("[a]\nb = 1\nc]\nd = 1\n[e]\nf = 1"), ["c", "d"]);
        assert_eq!(hidden("[a]\nb = 1  [c]\nd = 1\n[e]\nf = 1"), ["b", "d"]);
        assert_eq!(hidden("[a\nb = 1\n[c]\nd = 1"), ["b", "a"]);
        assert_eq!(hidden("a = [\"b\"\nc = 1\n[d]\ne = 1"), ["a"]);
    }
}
