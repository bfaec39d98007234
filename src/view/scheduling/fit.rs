//! Whether a pod can run on a pool's nodes.

use super::{Asked, LabelSet, Placement, Requirements, Taint, Truth};
use crate::knowledge::karpenter;
use crate::values::Value;
use crate::view::{NodePool, Unusable};

/// Whether a pod can run on a pool's nodes.
#[derive(Debug, Clone)]
pub enum Fit<'p, 'a> {
    /// Surely.
    Yes,
    /// Cannot be known.
    Unknown,
    /// Surely not; all that stands against it, in the alternative of the pod with the least of it.
    No(Vec<Miss<'p, 'a>>),
}

/// One thing that stands against it.
#[derive(Debug, Clone)]
pub enum Miss<'p, 'a> {
    /// The pool makes no nodes.
    Unusable(&'p Unusable<'a>),
    /// A taint that the pod does not tolerate.
    Taint(&'p Taint<'a>),
    /// A label that the pod asks for and the pool does not offer, with what it offers of that key.
    Label(Asked<'a>, Option<Asked<'a>>),
    /// A label that Karpenter refuses in pods.
    Restricted(Asked<'a>),
    /// Fields of the node, which Karpenter refuses in pods.
    Fields(&'a Value),
    /// A term that asks for nothing matches no node.
    EmptyTerm(&'a Value),
    /// The pod asks for more than the largest node has.
    TooLarge(&'static str, Asked<'a>),
}

/// What the checks found so far.
#[derive(Default)]
struct Findings<'p, 'a> {
    misses: Vec<Miss<'p, 'a>>,
    unknown: bool,
}

impl<'p, 'a> Findings<'p, 'a> {
    fn needs(&mut self, answer: Truth, miss: impl FnOnce() -> Miss<'p, 'a>) {
        match answer {
            Truth::Yes => {}
            Truth::Unknown => self.unknown = true,
            Truth::No => self.misses.push(miss()),
        }
    }
}

impl<'p, 'a> Fit<'p, 'a> {
    /// Decides it.
    pub fn of(pod: &Placement<'a>, pool: &'p NodePool<'a>) -> Self {
        if pool.is_patched {
            return Self::Unknown;
        }
        let mut whole = Findings::default();
        if let Some(unusable) = &pool.unusable {
            whole.misses.push(Miss::Unusable(unusable));
        }
        whole.unknown |= pool.open_taints;
        for taint in &pool.taints {
            whole.needs(tolerates(pod, taint), || Miss::Taint(taint));
        }
        check_refused(pod, &mut whole);
        check_size(pod, pool, &mut whole);
        let alternatives = pod.alternatives().into_iter().map(|(asked, term)| {
            let mut found = Findings::default();
            if let Some(term) = term {
                found.needs((!term.is_empty).into(), || Miss::EmptyTerm(term.at));
                found.needs((!term.has_fields).into(), || Miss::Fields(term.at));
            }
            check_labels(&asked, pool, &mut found);
            found
        });
        match alternatives.min_by_key(|found| (found.misses.len(), found.unknown)) {
            Some(best) => {
                whole.misses.extend(best.misses);
                whole.unknown |= best.unknown;
            }
            // No term at all: the API server refuses it, nothing is to be said of pools.
            None => whole.unknown = true,
        }
        match (whole.misses.is_empty(), whole.unknown) {
            (false, _) => Self::No(whole.misses),
            (true, true) => Self::Unknown,
            (true, false) => Self::Yes,
        }
    }
}

/// Whether some toleration covers the taint, or it forbids nothing.
fn tolerates(pod: &Placement<'_>, taint: &Taint<'_>) -> Truth {
    let harmless = match taint.forbids() {
        Truth::Yes => Truth::No,
        Truth::Unknown => Truth::Unknown,
        Truth::No => Truth::Yes,
    };
    let open = if pod.open_tolerations { Truth::Unknown } else { Truth::No };
    let covered = pod.tolerations.iter().map(|toleration| toleration.covers(taint));
    covered.fold(harmless.or(open), Truth::or)
}

/// One refused label anywhere makes Karpenter ignore the pod, whichever term holds it.
fn check_refused<'a>(pod: &Placement<'a>, found: &mut Findings<'_, 'a>) {
    let terms = pod.terms.iter().flatten().flat_map(|term| term.requirements.iter());
    if let Some(asked) = pod.selector.iter().chain(terms).find(|asked| karpenter::is_restricted(asked.key)) {
        found.misses.push(Miss::Restricted(asked.clone()));
    }
}

fn check_labels<'p, 'a>(asked: &Requirements<'a>, pool: &'p NodePool<'a>, found: &mut Findings<'p, 'a>) {
    found.unknown |= asked.open;
    for asked in asked.iter().filter(|asked| !karpenter::is_restricted(asked.key)) {
        let offered = pool.requirements.get(asked.key);
        let answer = match offered {
            Some(offered) => asked.set.overlaps(&offered.set),
            None if pool.may_have(asked.key) => overlaps_closed(asked),
            None if pool.requirements.open => Truth::Unknown,
            None => asked.set.allows_absent(),
        };
        found.needs(answer, || Miss::Label(asked.clone(), offered.cloned()));
    }
}

/// A well-known label that the pool leaves open can still have its known values only.
fn overlaps_closed(asked: &Asked<'_>) -> Truth {
    let closed = karpenter::closed_values(asked.key);
    if closed.is_empty() { Truth::Yes } else { asked.set.overlaps(&LabelSet::one_of_or_absent(closed)) }
}

fn check_size<'p, 'a>(pod: &Placement<'a>, pool: &'p NodePool<'a>, found: &mut Findings<'p, 'a>) {
    let sizes = [
        ("CPU", "karpenter.k8s.aws/instance-cpu", pod.cpu, 1000),
        ("memory", "karpenter.k8s.aws/instance-memory", pod.memory, 1000 * 1024 * 1024),
    ];
    for (name, key, wanted, unit) in sizes {
        let Some(offered) = pool.requirements.get(key) else { continue };
        let Some(largest) = offered.set.largest() else { continue };
        if wanted > i128::from(largest) * unit {
            found.misses.push(Miss::TooLarge(name, offered.clone()));
        }
    }
}

#[cfg(test)]
pub(super) mod tests;
