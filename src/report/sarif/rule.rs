//! A rule's page as SARIF describes rules.

use super::level;
use super::model::{Configuration, Help, Message, Properties, ReportingDescriptor};
use crate::diagnostic::Severity;
use crate::report::placed::cut;
use crate::rule::{Category, Meta, page};

/// Characters of a description that GitHub takes.
const MAX_DESCRIPTION: usize = 1024;

pub(super) fn descriptor(meta: &'static Meta) -> ReportingDescriptor<'static> {
    let body = page::body(meta.page);
    let is_security = meta.category == Category::Security;
    ReportingDescriptor {
        id: meta.id,
        name: pascal(meta.id),
        short_description: Message::new(cut(meta.summary, MAX_DESCRIPTION)),
        full_description: Message::new(full(meta, body)),
        help: Help { text: help(meta, body), markdown: markdown(meta, body) },
        help_uri: meta.url(),
        default_configuration: Configuration { enabled: meta.on_by_default, level: level(meta.severity) },
        properties: Properties {
            tags: vec![meta.category.as_str(), meta.family()],
            precision: "high",
            problem_severity: (!is_security).then_some(match meta.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
                Severity::Info => "recommendation",
            }),
            security_severity: is_security.then_some(match meta.severity {
                Severity::Error => "8.0",
                Severity::Warning => "5.5",
                Severity::Info => "2.0",
            }),
        },
    }
}

/// `arc/runner-no-resources` as `ArcRunnerNoResources`.
fn pascal(id: &str) -> String {
    let words = id.split(['/', '-']).filter(|word| !word.is_empty());
    words
        .flat_map(|word| {
            let mut chars = word.chars();
            chars.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(chars)
        })
        .collect()
}

/// The first paragraph of what the rule does.
fn full(meta: &'static Meta, body: &'static str) -> String {
    let section = section(body, "What it does");
    let paragraph = section.split("\n\n").next().unwrap_or_default();
    let text = if paragraph.is_empty() { meta.summary.to_owned() } else { paragraph.replace('\n', " ") };
    cut(&text, MAX_DESCRIPTION).into_owned()
}

fn help(meta: &Meta, body: &str) -> String {
    let fix = section(body, "How to fix");
    format!("{}\n\n{}{}{}", meta.summary, fix, if fix.is_empty() { "" } else { "\n\n" }, meta.url())
}

/// The page without its title, and without the marks that its test reads.
fn markdown(meta: &Meta, body: &str) -> String {
    let lines = body.trim_start().lines().skip_while(|line| line.starts_with("# ") || line.is_empty());
    let mut out = String::with_capacity(body.len());
    for line in lines {
        out.push_str(line.split_once("# expect:").map_or(line, |(before, _)| before).trim_end());
        out.push('\n');
    }
    for url in page::references(meta.page) {
        out.push_str(&format!("\n<{url}>"));
    }
    out.trim_end().to_owned() + "\n"
}

/// The text under a heading of the second level.
fn section<'a>(body: &'a str, title: &str) -> &'a str {
    let heading = format!("## {title}\n");
    let text = body.split_once(&heading).map_or("", |(_, after)| after);
    text.split_once("\n## ").map_or(text, |(text, _)| text).trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_become_descriptions() {
        assert_eq!(pascal("arc/runner-no-resources"), "ArcRunnerNoResources");
        let body = "# a/b\n## What it does\nOne\nline.\n\nMore.\n## How to fix\nSo.\n## Limits\nNone.\n";
        assert_eq!(section(body, "What it does"), "One\nline.\n\nMore.");
        assert_eq!(section(body, "How to fix"), "So.");
        assert_eq!(section(body, "Gone"), "");
    }
}
