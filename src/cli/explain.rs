//! `runnerlint explain RULE`: the rule's page, for the terminal.

use std::fmt::Write;

use super::args::ExplainArgs;
use super::{CLEAN, Failure, output};
use crate::report::Paint;
use crate::rule::{Rule, page};
use crate::rules;

pub(super) fn run(args: &ExplainArgs) -> Result<u8, Failure> {
    let id = args.rule.trim();
    let rule = rules::find(id).ok_or_else(|| unknown(id))?;
    output::print(&render(rule, Paint(output::colored(args.color.color))))?;
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

fn render(rule: &Rule, paint: Paint) -> String {
    let meta = &rule.meta;
    let mut out = format!("{} {}\n", paint.severity(meta.severity, meta.severity.as_str()), paint.bold(meta.id));
    let _ = writeln!(out, "{}\n", meta.summary);
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
    let mut in_fence = false;
    for line in page::body(meta.page).lines().skip_while(|line| line.is_empty() || line.starts_with("# ")) {
        let _ = writeln!(out, "{}", styled(line, &mut in_fence, paint));
    }
    let _ = writeln!(out, "\n{}", paint.dim(&meta.url()));
    out
}

/// One line of Markdown: headings and code set apart, fences as indented text under their file's name.
fn styled(line: &str, in_fence: &mut bool, paint: Paint) -> String {
    if let Some(info) = line.strip_prefix("```") {
        *in_fence = !*in_fence;
        let name = info.split_whitespace().nth(1).unwrap_or_default();
        return if *in_fence && !name.is_empty() {
            format!("  {}", paint.dim(&format!("# {name}")))
        } else {
            String::new()
        };
    }
    if *in_fence {
        return match line.split_once("# expect:") {
            Some((text, _)) => format!("    {text}{}", paint.severity(crate::diagnostic::Severity::Error, "# <- here")),
            None => format!("    {line}"),
        };
    }
    match line.trim_start_matches('#') {
        title if title.len() < line.len() => paint.bold(title.trim()),
        _ => code_spans(line, paint),
    }
}

fn code_spans(line: &str, paint: Paint) -> String {
    let mut out = String::new();
    for (index, part) in line.split('`').enumerate() {
        let is_code = index % 2 == 1;
        out += &if is_code && paint.0 { paint.name(part) } else { part.to_owned() };
        if !paint.0 && index + 1 < line.split('`').count() {
            out.push('`');
        }
    }
    out
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
            let shown = render(rule, Paint(false));
            assert!(shown.contains("What it does"), "{}", rule.meta.id);
            assert!(!shown.contains("```") && !shown.contains("severity:"), "{shown}");
        }
    }
}
