//! Words in the template keep the chart from setting the namespace of jobs, and set none themselves.

use crate::rule::Checker;
use crate::text::Span;
use crate::view::{Decoded, Executor, Field, Home, RunnerConfig};

pub(crate) fn check(config: &RunnerConfig<'_>, checker: &mut Checker<'_>) {
    let Home::Values(_, part) = &config.home else { return };
    let runners = config.runners(checker.trees());
    let Some(runner) = runners.first().filter(|runner| runner.executor == Executor::Kubernetes) else { return };
    let per_job = runner.flag(&["kubernetes", "namespace_per_job"]);
    if part.has_unknown_environment() || !matches!(per_job, Field::Absent | Field::Present(false, _)) {
        return;
    }
    let message = "jobs go to the namespace `default`";
    let help = "set `namespace` in `[runners.kubernetes]`, or take the words away: then the chart sets it";
    match runner.text(&["kubernetes", "namespace"]) {
        Field::Present("", at) => {
            checker.report_value(at, format!("{message}: an empty `namespace` keeps the chart from setting one"))
        }
        Field::Absent => {
            let Some(tree) = checker.trees().get(config.tree) else { return };
            // A setting in the wrong place is reported as that.
            let Some(words) = words(&tree.text).filter(|words| !is_misplaced(config, *words, checker)) else { return };
            let shown = words.slice(&tree.text).split_whitespace().collect::<Vec<_>>().join(" ");
            checker.report_span(
                config.tree,
                words,
                format!("{message}: `{shown}` keeps the chart from setting one, and it is no setting of the executor"),
            )
        }
        _ => return,
    }
    .fault_in_config(config)
    .help(help);
}

/// Whether words are the key of a setting that stands in the wrong place.
fn is_misplaced(config: &RunnerConfig<'_>, words: Span, checker: &Checker<'_>) -> bool {
    let key = |found: &Decoded| Some(checker.trees().node(found.at)?.key()?.span());
    let found = config.decoded(checker.trees()).iter().filter(|found| found.is_misplaced());
    found.filter_map(key).any(|key| words.start <= key.start && key.end <= words.end)
}

/// Where the chart's regular expression `namespace\s*=` matches the raw text, from the beginning of the word on.
fn words(text: &str) -> Option<Span> {
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    text.match_indices("namespace").find_map(|(at, word)| {
        let (before, after) = (text.get(..at)?, text.get(at + word.len()..)?);
        let blank = after.len() - after.trim_start().len();
        let start = before.trim_end_matches(is_word).len();
        after.trim_start().starts_with('=').then(|| Span::new(start, at + word.len() + blank + 1))
    })
}
