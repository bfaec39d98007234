//! Every rule on every subject that it asks for, side by side, each isolated from the others.

use std::panic::{AssertUnwindSafe, catch_unwind};

use rayon::prelude::*;

use super::Found;
use super::options::{Options, Verdict};
use super::subject::{Subject, View};
use crate::diagnostic::{Diagnostic, Label, Severity};
use crate::project::Project;
use crate::rule::{Check, Checker, Facts, Rule};
use crate::text::{Location, Span};

/// The rule that reports failures of the others.
const FAILURE: &str = "meta/internal-error";

/// Findings in the order of subjects, then rules.
pub(super) fn judge(
    project: &Project,
    options: &Options,
    rules: &'static [Rule],
    subjects: &[Subject<'_>],
) -> Vec<Found> {
    let rules: Vec<_> = rules.iter().filter(|rule| may_speak(project, options, rule)).collect();
    let one = |number: usize, subject: &Subject<'_>, rule: &'static Rule| {
        let facts = options.facts(project, subject.config);
        let found = apply(project, &facts, rule, subject);
        found.into_iter().map(|diagnostic| shown_by(diagnostic, number, subject)).collect::<Vec<_>>()
    };
    // Rules on the whole fleet take longest: they run beside each other and beside all else.
    let (fleets, others): (Vec<_>, Vec<_>) = (0..).zip(subjects).partition(|(_, subject)| subject.is_fleet());
    let fleets: Vec<_> =
        fleets.into_iter().flat_map(|subject| rules.iter().map(move |rule| (subject, *rule))).collect();
    // Collecting keeps the order, whichever thread is done first.
    let (mut found, of_fleets): (Vec<Vec<_>>, Vec<Vec<_>>) = rayon::join(
        || {
            let all = |&(number, subject): &(usize, &Subject<'_>)| {
                rules.iter().flat_map(|rule| one(number, subject, rule)).collect()
            };
            others.par_iter().map(all).collect()
        },
        || fleets.par_iter().map(|&((number, subject), rule)| one(number, subject, rule)).collect(),
    );
    found.extend(of_fleets);
    found.into_iter().flatten().collect()
}

fn shown_by(diagnostic: Diagnostic, number: usize, subject: &Subject<'_>) -> Found {
    let in_object = subject.in_object || diagnostic.fault.as_ref().is_some_and(|fault| fault.in_object);
    Found { diagnostic, subject: Some(number), in_object, config: subject.config }
}

/// Whether a rule has a chance to be heard in any file; triage decides for each.
fn may_speak(project: &Project, options: &Options, rule: &Rule) -> bool {
    match options.selection.verdict(&rule.meta) {
        Verdict::Off => false,
        Verdict::On => true,
        Verdict::Unsaid => rule.meta.on_by_default || !project.configs.is_empty(),
    }
}

fn apply(project: &Project, facts: &Facts, rule: &'static Rule, subject: &Subject<'_>) -> Vec<Diagnostic> {
    let config = subject.config.and_then(|id| project.config(id));
    let set = config.map_or(&[][..], |file| file.config.options(rule.meta.id));
    let mut checker = Checker::new(&rule.meta, facts, &project.trees, &project.sources, set);
    let run = || {
        match (rule.check, &subject.view) {
            (Check::Stack(check), View::Stack(stack)) => check(stack, &mut checker),
            (Check::ScaleSet(check), View::ScaleSet(set)) => check(set, &mut checker),
            (Check::Object(check), View::Object(object)) => check(object, &mut checker),
            (Check::Pod(check), View::Pod(pod)) => check(pod, &mut checker),
            (Check::RunnerConfig(check), View::RunnerConfig(config)) => check(config, &mut checker),
            (Check::Fleet(check), View::Fleet(fleet)) => check(fleet, &mut checker),
            _ => return Vec::new(),
        }
        checker.finish()
    };
    // What a rule that failed had reported is thrown away with its checker.
    catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|cause| vec![failure(project, rule, subject, &*cause)])
}

fn failure(project: &Project, rule: &Rule, subject: &Subject<'_>, cause: &(dyn std::any::Any + Send)) -> Diagnostic {
    let text = cause.downcast_ref::<&str>().copied().or_else(|| cause.downcast_ref::<String>().map(String::as_str));
    let file = subject.source.filter(|id| project.sources.get(*id).is_some_and(|source| source.is_file));
    let primary = file.map(|source| Label::primary(Location { source, span: Span::empty(0) }, ""));
    let message = format!("the rule `{}` failed on this input: {}", rule.meta.id, text.unwrap_or("no reason given"));
    let mut failure = Diagnostic::new(FAILURE, Severity::Error, primary, message);
    failure.help(format!("please report it; until it is mended, `--ignore {}` leaves the rule out", rule.meta.id));
    failure
}
