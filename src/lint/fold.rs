//! One fault, one finding: what several stacks, or values and their rendered output, say of it.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::Found;
use crate::diagnostic::{Diagnostic, Fault, Label};
use crate::text::Location;

/// Folds findings of the same fault into one each; the order of what is left stays.
pub(super) fn fold(found: Vec<Found>) -> Vec<Found> {
    fold_rendered(fold_places(found))
}

/// The same rule at the same place, shown by several subjects.
fn fold_places(found: Vec<Found>) -> Vec<Found> {
    let mut groups: BTreeMap<(&'static str, Option<Location>), Vec<usize>> = BTreeMap::new();
    let mut kept: Vec<Found> = Vec::new();
    for next in found {
        let at = next.diagnostic.primary.as_ref().map(|label| label.location);
        let group = groups.entry((next.diagnostic.rule, at)).or_default();
        let same = |index: &&usize| kept.get(**index).is_some_and(|old| is_same(old, &next, at.is_some()));
        match group.iter().find(same).copied().and_then(|index| kept.get_mut(index)) {
            Some(old) => absorb(old, next),
            None => {
                group.push(kept.len());
                kept.push(next);
            }
        }
    }
    kept
}

/// Two things that one subject shows at one place are two faults, unless they say the same.
fn is_same(old: &Found, next: &Found, placed: bool) -> bool {
    let same_words = old.diagnostic.message == next.diagnostic.message;
    same_words || (placed && old.subject.is_some() && next.subject.is_some() && old.subject != next.subject)
}

/// The worse of the two speaks; both name the other parties.
fn absorb(old: &mut Found, mut next: Found) {
    if next.diagnostic.severity > old.diagnostic.severity {
        std::mem::swap(old, &mut next);
    }
    for label in next.diagnostic.related {
        add_related(&mut old.diagnostic, label);
    }
}

fn add_related(diagnostic: &mut Diagnostic, label: Label) {
    let known = diagnostic.related.iter().any(|other| other.location == label.location);
    let is_primary = diagnostic.primary.as_ref().is_some_and(|primary| primary.location == label.location);
    if !known && !is_primary {
        diagnostic.related.push(label);
    }
}

/// What stands in values is mended there: what was rendered from them becomes related.
fn fold_rendered(found: Vec<Found>) -> Vec<Found> {
    let (rendered, mut kept): (Vec<_>, Vec<_>) =
        found.into_iter().partition(|found| found.in_object && found.diagnostic.fault.is_some());
    let mut of_values: FxHashMap<(&'static str, FaultKey), Vec<usize>> = FxHashMap::default();
    for (index, old) in kept.iter().enumerate().filter(|(_, old)| !old.in_object) {
        let Some(fault) = &old.diagnostic.fault else { continue };
        of_values.entry((old.diagnostic.rule, key(fault))).or_default().push(index);
    }
    for next in rendered {
        let candidates =
            next.diagnostic.fault.as_ref().and_then(|fault| of_values.get(&(next.diagnostic.rule, key(fault))));
        let same = |index: &&usize| kept.get(**index).is_some_and(|old| is_same_fault(old, &next));
        match candidates.and_then(|list| list.iter().find(same)).copied().and_then(|index| kept.get_mut(index)) {
            Some(old) => {
                let label = next.diagnostic.primary.map(|label| Label { message: "rendered here".to_owned(), ..label });
                label.into_iter().for_each(|label| add_related(&mut old.diagnostic, label));
            }
            None => kept.push(next),
        }
    }
    kept
}

/// What of a fault must be equal; the release need not be known.
type FaultKey = (String, String, String);

fn key(fault: &Fault) -> FaultKey {
    (fault.chart.clone(), fault.kind.clone(), fault.container.clone())
}

fn is_same_fault(old: &Found, next: &Found) -> bool {
    old.diagnostic.fault.as_ref().zip(next.diagnostic.fault.as_ref()).is_some_and(|(a, b)| a.is_same(b))
}
