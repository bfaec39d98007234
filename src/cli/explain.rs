//! `runnerlint explain RULE`: the rule's page, for the terminal.

use std::fmt::Write;

use super::args::ExplainArgs;
use super::{CLEAN, Failure, output};
use crate::diagnostic::Severity;
use crate::report::{self, Paint};
use crate::rule::{Rule, page};
use crate::rules;

pub(super) fn run(args: &ExplainArgs) -> Result<u8, Failure> {
    let id = args.rule.trim();
    let rule = rules::find(id).ok_or_else(|| unknown(id))?;
    output::print(&render(rule, Paint(output::colored(args.color.color)), output::width()))?;
    Ok(CLEAN)
}

fn unknown(id: &str) -> Failure {
    let ids = rules::all().iter().map(|rule| rule.meta.id);
    let near = nearest(id, ids).map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
    Failure::new(format!("there is no rule `{id}`{near} `runnerlint rules` lists all"))
}

/// The candidate that is most like `word`, if any is like it; a name without its family counts too.
pub(super) fn nearest<'a>(word: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let word = word.to_lowercase();
    let likeness = |candidate: &str| {
        let name = candidate.split('/').next_back().unwrap_or(candidate);
        strsim::jaro_winkler(&word, candidate).max(strsim::jaro_winkler(&word, name))
    };
    let scored = candidates.map(|candidate| (likeness(candidate), candidate));
    let best = scored.max_by(|(a, _), (b, _)| a.total_cmp(b))?;
    (best.0 > 0.8).then_some(best.1)
}

fn render(rule: &Rule, paint: Paint, width: usize) -> String {
    let meta = &rule.meta;
    let mut out = format!("{} {}\n", paint.severity(meta.severity, meta.severity.as_str()), paint.bold(meta.id));
    let _ = writeln!(out, "{}\n", code_spans(meta.summary, paint));
    let mut facts = vec![
        format!("category: {}", meta.category.as_str()),
        format!("reads: {}", meta.inputs.join(", ")),
        format!("since: {}", meta.since),
    ];
    if !meta.on_by_default {
        facts.push("off by default".to_owned());
    }
    facts.extend(meta.options.iter().map(|(name, value)| format!("option `{name}`: {value}")));
    let _ = writeln!(out, "{}", paint.dim(&facts.join(" · ")));
    for block in Blocks::new(page::body(meta.page)) {
        if matches!(block, Block::Heading(_)) && !out.ends_with("\n\n") {
            out.push('\n');
        }
        out.push_str(&block.shown(paint, width));
    }
    let references = page::references(meta.page).map(|url| format!("  {}\n", paint.dim(url))).collect::<String>();
    if !references.is_empty() {
        let _ = write!(out, "\n{}\n{references}", heading("References", paint));
    }
    let _ = writeln!(out, "\n{}", paint.dim(&meta.url()));
    out
}

/// A piece of a page.
#[derive(Debug, PartialEq)]
enum Block<'a> {
    Heading(&'a str),
    /// Lines of a paragraph or of an item.
    Text(Vec<&'a str>),
    /// File name and lines of a fence.
    Code(&'a str, Vec<&'a str>),
}

/// The blocks of a page after its title.
struct Blocks<'a>(std::iter::Peekable<std::str::Lines<'a>>);

impl<'a> Blocks<'a> {
    fn new(body: &'a str) -> Self {
        Self(body.lines().peekable())
    }
}

impl<'a> Iterator for Blocks<'a> {
    type Item = Block<'a>;

    fn next(&mut self) -> Option<Block<'a>> {
        let line = self.0.find(|line| !line.trim().is_empty() && !line.starts_with("# "))?;
        if let Some(info) = line.strip_prefix("```") {
            let name = info.split_whitespace().nth(1).unwrap_or_default();
            return Some(Block::Code(name, self.0.by_ref().take_while(|line| !line.starts_with("```")).collect()));
        }
        if line.starts_with('#') {
            return Some(Block::Heading(line.trim_start_matches('#').trim()));
        }
        let mut lines = vec![line];
        while let Some(next) = self.0.next_if(|line| continues(line)) {
            lines.push(next);
        }
        Some(Block::Text(lines))
    }
}

/// Whether a line goes on with the paragraph or item before it.
fn continues(line: &str) -> bool {
    !line.trim().is_empty() && !["#", "```", "- ", "* ", "|"].iter().any(|start| line.starts_with(start))
}

impl Block<'_> {
    fn shown(&self, paint: Paint, width: usize) -> String {
        match self {
            Self::Heading(title) => format!("{}\n", heading(title, paint)),
            Self::Text(lines) => code_spans(&wrap(lines, width), paint) + "\n",
            Self::Code(name, lines) => {
                let name =
                    if name.is_empty() { String::new() } else { format!("    {}\n", paint.dim(&format!("# {name}"))) };
                name + &lines.iter().map(|line| format!("    {}\n", marked(line, paint))).collect::<String>() + "\n"
            }
        }
    }
}

fn heading(title: &str, paint: Paint) -> String {
    if paint.0 { paint.bold(title) } else { format!("== {title}") }
}

/// The expectation of an example, as an arrow.
fn marked(line: &str, paint: Paint) -> String {
    match line.split_once("# expect:") {
        Some((text, _)) => format!("{text}{}", paint.severity(Severity::Error, "# <- reported here")),
        None => line.to_owned(),
    }
}

/// The lines of a paragraph, filled up to `width`; an item's further lines are indented. Tables stay.
fn wrap(lines: &[&str], width: usize) -> String {
    let first = lines.first().copied().unwrap_or_default();
    if first.starts_with('|') {
        return lines.join("\n");
    }
    let indent = if first.starts_with("- ") || first.starts_with("* ") { "  " } else { "" };
    report::wrap(&lines.join(" "), width, indent)
}

/// Text in back ticks, set apart.
fn code_spans(text: &str, paint: Paint) -> String {
    if !paint.0 {
        return text.to_owned();
    }
    let parts = text.split('`').enumerate();
    parts.map(|(index, part)| if index % 2 == 1 { paint.name(part) } else { part.to_owned() }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_id_gets_the_nearest() {
        let ids = ["arc/runner-command-dropped", "meta/syntax-error", "gitlab/privileged"];
        let near = |word| nearest(word, ids.into_iter());
        assert_eq!(near("arc/runner-comand-droped"), Some("arc/runner-command-dropped"));
        assert_eq!(near("syntax-eror"), Some("meta/syntax-error"));
        assert_eq!(near("zzz"), None);
    }

    #[test]
    fn every_page_can_be_shown() {
        for rule in rules::all() {
            let shown = render(rule, Paint(false), 100);
            assert!(shown.contains("What it does"), "{}", rule.meta.id);
            assert!(!shown.contains("```") && !shown.contains("severity:"), "{shown}");
        }
    }
}
