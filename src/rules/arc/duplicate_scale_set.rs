//! Two scale sets register as one.

use crate::diagnostic::Severity;
use crate::rule::Checker;
use crate::view::{Fleet, Home, ScaleSet};

/// Words in names of files that tell which of a pair rests.
const PAIRED: [&str; 7] = ["active", "passive", "standby", "failover", "backup", "blue", "green"];

pub(crate) fn check(fleet: &Fleet<'_>, checker: &mut Checker<'_>) {
    let sets = fleet.scale_sets();
    let known: Vec<_> = sets.iter().filter_map(|set| Some((set, set.registration()?))).collect();
    for (index, (set, registration)) in known.iter().enumerate() {
        let is_other = |(other, theirs): &&(&ScaleSet<'_>, _)| {
            registration.is_same(theirs) && !set.may_be_the_same_as(other) && !rests(set) && !rests(other)
        };
        let Some((other, theirs)) = known.iter().take(index).find(is_other) else { continue };
        let place = if is_in_values(other) { stack_name(other) } else { format!("the object `{}`", theirs.name) };
        let name = registration.name;
        let message = format!("{place} registers `{name}` too, with the same URL and runner group");
        let places = registration.name_at.history().chain(set.trail(&[]).into_iter().rev());
        let mut finding = checker.report_first(places, message);
        finding
            .related(theirs.name_at.origin.node, "the other scale set")
            .fault_in_set(set, "runnerScaleSetName")
            .help("GitHub takes both for one, and refuses the second listener with 409: give one another name or runner group");
        if [*set, *other].into_iter().any(is_only_marked) {
            finding.diagnostic.lower_to(Severity::Info);
        }
    }
}

/// Whether a set takes no jobs, or may not, or is one of a pair of which one rests.
fn rests(set: &ScaleSet<'_>) -> bool {
    let is_parked = set.at(&["maxRunners"]).is_some_and(|most| most.is_unknown() || most.as_f64() == Some(0.0));
    let paths = match &set.home {
        Home::Values(stack, _) => stack.paths.as_slice(),
        Home::Object(_) | Home::File => &[],
    };
    let words = |path: &&str| {
        let words: Vec<_> = path.split(|c: char| !c.is_ascii_alphanumeric()).map(str::to_ascii_lowercase).collect();
        words.iter().any(|word| PAIRED.contains(&word.as_str()))
    };
    is_parked || paths.iter().any(words)
}

fn is_in_values(set: &ScaleSet<'_>) -> bool {
    matches!(set.home, Home::Values(..))
}

/// The top file of a set's stack.
fn stack_name(set: &ScaleSet<'_>) -> String {
    match &set.home {
        Home::Values(stack, part) if part.prefix.is_empty() => {
            format!("`{}`", stack.paths.last().copied().unwrap_or(stack.name))
        }
        Home::Values(stack, part) => format!("`{}` in `{}`", part.prefix.join("."), stack.name),
        Home::Object(_) | Home::File => String::new(),
    }
}

/// Whether only its keys tell that it is a scale set: nobody says that it is installed, so it may be an alternative.
fn is_only_marked(set: &ScaleSet<'_>) -> bool {
    matches!(&set.home, Home::Values(stack, _) if stack.is_marked)
}
