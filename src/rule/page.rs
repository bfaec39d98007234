//! A rule's page: front matter and example projects, read from Markdown.
//!
//! Only tests and generators read pages; the program itself carries the generated constants.

use std::collections::BTreeMap;
use std::fmt;

use jiff::civil::Date;
use serde::Deserialize;

/// Everything declarative about a rule, as written in the head of its page.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct FrontMatter {
    /// `family/name`; also the page's place under `rules/`.
    pub id: String,
    /// The highest level of its findings.
    pub severity: PageSeverity,
    /// Why it matters.
    pub category: PageCategory,
    /// One sentence.
    pub summary: String,
    /// What its function is shown.
    pub subject: Subject,
    /// Kinds of input where the fault can stand.
    pub inputs: Vec<Input>,
    /// Version of runnerlint that brought it.
    pub since: String,
    /// Whether it runs without being asked for.
    pub default: Switch,
    /// The day by which its examples are judged.
    pub as_of: String,
    /// Whether there is a fix.
    pub fix: Fix,
    /// Where the facts come from.
    #[serde(default)]
    pub references: Vec<String>,
    /// Options with their defaults.
    #[serde(default)]
    pub options: BTreeMap<String, i64>,
}

macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($variant:ident),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
        #[serde(rename_all = "kebab-case")]
        #[allow(missing_docs, reason = "the variants are the words of the page")]
        pub enum $name { $($variant),* }
    };
}

words!(
    /// The words for a level.
    PageSeverity { Error, Warning, Info }
);
words!(
    /// The words for a category.
    PageCategory { Correctness, Security, Reliability, Deprecation, Cost }
);
words!(
    /// The words for what a rule is shown.
    Subject { Stack, ScaleSet, Pod, Object, RunnerConfig, Fleet, Engine }
);
words!(
    /// The words for kinds of input.
    Input { Values, Manifest, RunnerConfig, Pipeline, Workflow, NodePool, Config }
);
words!(
    /// The words for fixes.
    Fix { None, Safe, Unsafe }
);
words!(
    /// On or off.
    Switch { On, Off }
);

impl Input {
    /// The word on the page.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Values => "values",
            Self::Manifest => "manifest",
            Self::RunnerConfig => "runner-config",
            Self::Pipeline => "pipeline",
            Self::Workflow => "workflow",
            Self::NodePool => "node-pool",
            Self::Config => "config",
        }
    }
}

/// Whether an example is to be found fault with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// The rule must report exactly the marked lines.
    Bad,
    /// The rule must be silent.
    Good,
}

/// One example: a small project.
#[derive(Debug, Clone)]
pub struct Example {
    /// What must come of it.
    pub verdict: Verdict,
    /// The heading, `Bad: restated whole`.
    pub title: String,
    /// Its files.
    pub files: Vec<ExampleFile>,
}

/// A file of an example.
#[derive(Debug, Clone)]
pub struct ExampleFile {
    /// Its path inside the project, with `/`.
    pub name: String,
    /// Its text, without the expectations.
    pub text: String,
    /// Lines (from 1) where the rule must report, in order; a line stands twice for two findings.
    pub expected: Vec<usize>,
}

/// A whole page.
#[derive(Debug, Clone)]
pub struct Page {
    /// The head.
    pub front: FrontMatter,
    /// The day by which its examples are judged.
    pub as_of: Date,
    /// The example projects.
    pub examples: Vec<Example>,
}

/// What is wrong with a page: which, where, what.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageError {
    /// The page.
    pub page: String,
    /// The field or heading.
    pub field: String,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for PageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}: {}", self.page, self.field, self.message)
    }
}

impl std::error::Error for PageError {}

const HEADINGS: [&str; 5] = ["What it does", "Why nothing tells you", "Examples", "How to fix", "Limits"];

/// The Markdown after the front matter; the whole text where there is none.
pub fn body(text: &str) -> &str {
    split(text).map_or(text, |(_, body)| body)
}

/// The references in a page's front matter, read without a parser: the program has none for pages.
pub fn references(text: &str) -> impl Iterator<Item = &str> {
    let head = split(text).map_or("", |(head, _)| head);
    let list = head.lines().skip_while(|line| !line.starts_with("references:")).skip(1);
    list.map_while(|line| line.trim_start().strip_prefix("- ")).map(str::trim)
}

fn split(text: &str) -> Option<(&str, &str)> {
    text.strip_prefix("---\n")?.split_once("\n---\n")
}

impl FrontMatter {
    fn check(&self, page: &str) -> Result<(), (&'static str, String)> {
        if !page.replace('\\', "/").ends_with(&format!("{}.md", self.id)) {
            return Err(("id", format!("`{}` is not the page's place", self.id)));
        }
        let (family, rule) = self.id.split_once('/').unwrap_or((&self.id, ""));
        if ![family, rule].iter().all(|part| is_kebab(part)) {
            return Err(("id", format!("`{}` is not `family/name` in kebab-case", self.id)));
        }
        if !self.summary.ends_with('.') || self.summary.contains('\n') {
            return Err(("summary", "must be one sentence with a full stop".to_owned()));
        }
        if semver::Version::parse(&self.since).is_err() {
            return Err(("since", format!("`{}` is no version", self.since)));
        }
        if self.inputs.is_empty() {
            return Err(("inputs", "must name at least one".to_owned()));
        }
        Ok(())
    }
}

impl Page {
    /// Reads a page. `name` is its path, for errors.
    pub fn parse(name: &str, text: &str) -> Result<Self, PageError> {
        let error =
            |field: &str, message: String| PageError { page: name.to_owned(), field: field.to_owned(), message };
        let (head, body) = split(text)
            .ok_or_else(|| error("front matter", "the page does not start with `---` … `---` lines".to_owned()))?;
        let front: FrontMatter =
            serde_yaml::from_str(head).map_err(|wrong| error("front matter", wrong.to_string()))?;
        front.check(name).map_err(|(field, message)| error(field, message))?;
        let as_of = front.as_of.parse().map_err(|wrong: jiff::Error| error("as-of", wrong.to_string()))?;
        let examples = examples(body, &front.id).map_err(|message| error("Examples", message))?;
        let page = Self { front, as_of, examples };
        page.check_body(body).map_err(|(field, message)| error(field, message))?;
        Ok(page)
    }

    fn check_body(&self, body: &str) -> Result<(), (&'static str, String)> {
        let title = format!("# {}", self.front.id);
        if body.lines().find(|line| !line.is_empty()) != Some(title.as_str()) {
            return Err(("title", format!("the text must start with `{title}`")));
        }
        if self.front.subject == Subject::Engine {
            return Ok(());
        }
        for heading in HEADINGS {
            if !body.lines().any(|line| line.strip_prefix("## ") == Some(heading)) {
                return Err(("headings", format!("`## {heading}` is missing")));
            }
        }
        for (verdict, word) in [(Verdict::Bad, "Bad"), (Verdict::Good, "Good")] {
            if !self.examples.iter().any(|example| example.verdict == verdict) {
                return Err(("Examples", format!("there is no `### {word}` with a file")));
            }
        }
        Ok(())
    }
}

fn is_kebab(word: &str) -> bool {
    !word.is_empty() && word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
}

/// The example projects: fences with a file name under `### Bad…` and `### Good…`.
fn examples(body: &str, id: &str) -> Result<Vec<Example>, String> {
    let mut found: Vec<Example> = Vec::new();
    let mut lines = body.lines();
    let mut open = false;
    while let Some(line) = lines.next() {
        if line.starts_with('#') {
            let title = line.trim_start_matches('#').trim();
            let verdict = verdict(title).filter(|_| line.starts_with("### "));
            open = verdict.is_some();
            if let Some(verdict) = verdict {
                found.push(Example { verdict, title: title.to_owned(), files: Vec::new() });
            }
        } else if let Some((fence, info)) = fence(line) {
            let text: Vec<&str> = lines.by_ref().take_while(|line| line.trim_end() != fence).collect();
            let name = info.split_whitespace().nth(1);
            if let (Some(name), Some(example), true) = (name, found.last_mut(), open) {
                example.files.push(example_file(name, &text, id)?);
            }
        }
    }
    found.retain(|example| !example.files.is_empty());
    for example in &found {
        let marked = example.files.iter().any(|file| !file.expected.is_empty());
        if marked != (example.verdict == Verdict::Bad) {
            let word = if marked { "must not have" } else { "needs" };
            return Err(format!("`### {}` {word} a line with `# expect: {id}`", example.title));
        }
    }
    Ok(found)
}

fn verdict(title: &str) -> Option<Verdict> {
    match title.split(':').next().unwrap_or_default().trim() {
        "Bad" => Some(Verdict::Bad),
        "Good" => Some(Verdict::Good),
        _ => None,
    }
}

/// The closing fence and the info string of an opening fence.
fn fence(line: &str) -> Option<(&str, &str)> {
    let info = line.trim_start_matches('`');
    let ticks = line.len() - info.len();
    (ticks >= 3).then(|| (line.get(..ticks).unwrap_or_default(), info))
}

fn example_file(name: &str, lines: &[&str], id: &str) -> Result<ExampleFile, String> {
    let mut file = ExampleFile { name: name.to_owned(), text: String::new(), expected: Vec::new() };
    for (number, line) in (1..).zip(lines) {
        let (text, expected) = match line.split_once("# expect:") {
            Some((text, expected)) => (text.trim_end(), Some(expected)),
            None => (*line, None),
        };
        file.text.push_str(text);
        file.text.push('\n');
        for rule in expected.into_iter().flat_map(|rules| rules.split(',')).map(str::trim) {
            if rule != id {
                return Err(format!("{name}:{number}: expects `{rule}`, but a page speaks of its own rule only"));
            }
            file.expected.push(number);
        }
    }
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "---\nid: arc/x-y\nseverity: error\ncategory: correctness\nsummary: A thing is lost.\n\
        subject: pod\ninputs: [values]\nsince: 0.1.0\ndefault: on\nas-of: 2026-08-17\nfix: none\noptions: {days: 30}\n---\n\
        # arc/x-y\n## What it does\n## Why nothing tells you\n## Examples\n### Bad\n```yaml a/values.yaml\nb: 1 # expect: arc/x-y\n```\n\
        ```toml runnerlint.toml\n```\n### Good: other\n```yaml values.yaml\nb: 2\n```\n## How to fix\n```yaml not-an-example.yaml\n```\n## Limits\n";

    #[test]
    fn examples_are_read_without_their_expectations() {
        let page = Page::parse("rules/arc/x-y.md", PAGE).unwrap();
        assert_eq!(page.front.options["days"], 30);
        assert_eq!(page.examples.len(), 2);
        let file = &page.examples[0].files[0];
        assert_eq!(
            (file.name.as_str(), file.text.as_str(), file.expected.as_slice()),
            ("a/values.yaml", "b: 1\n", &[1][..])
        );
        assert_eq!(page.examples[0].files.len(), 2);
        assert_eq!(page.examples[1].title, "Good: other");
    }

    #[test]
    fn errors_name_page_and_field() {
        let error = |from: &str, to: &str| {
            let text = PAGE.replace(from, to);
            assert_ne!(text, PAGE);
            Page::parse("rules/arc/x-y.md", &text).unwrap_err().to_string()
        };
        assert!(
            error("severity: error", "severity: bad").contains("rules/arc/x-y.md: front matter: severity: unknown")
        );
        assert!(error("since: 0.1.0\n", "").contains("missing field `since`"));
        assert!(error("fix:", "fixx:").contains("unknown field `fixx`"));
        assert!(error("2026-08-17", "2026-13-17").contains("as-of: "));
        assert!(error("id: arc/x-y", "id: arc/x").contains("id: `arc/x` is not the page's place"));
        assert!(error("lost.", "lost").contains("summary: must be one sentence"));
        assert!(error("## Limits", "## Limit").contains("`## Limits` is missing"));
        assert!(error(" # expect: arc/x-y", "").contains("Examples: `### Bad` needs a line"));
        assert!(error("expect: arc/x-y", "expect: arc/z").contains("values.yaml:1: expects `arc/z`"));
    }
}
