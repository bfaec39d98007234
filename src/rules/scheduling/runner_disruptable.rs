//! Runner pods on nodes that Karpenter consolidates, without the annotation that keeps them there.

use crate::diagnostic::Severity;
use crate::rule::Checker;
use crate::values::Value;
use crate::view::scheduling::{Demand, Fit, demands};
use crate::view::{Consolidation, ContainerMode, Fleet, Home, NodePool, PodRole};

const KEY: &str = "karpenter.sh/do-not-disrupt";
/// What Karpenter read before 0.32.
const OLD_KEY: &str = "karpenter.sh/do-not-evict";

pub(crate) fn check(fleet: &Fleet<'_>, checker: &mut Checker<'_>) {
    let pools = NodePool::all(fleet.objects);
    // A Provisioner belongs to a Karpenter that reads the old annotation.
    let is_old = pools.iter().any(|pool| pool.object.kind == "Provisioner");
    for demand in &demands(fleet, checker.trees()) {
        let runs_jobs = matches!(demand.pod.role, PodRole::Runner | PodRole::Job) && !demand.pod.is_live();
        // What a patch of Kustomize adds to an object is not in view.
        let may_be_patched = fleet.is_patched && matches!(demand.pod.home, Home::Object(_));
        let is_seen = !may_be_patched && !demand.pod.home.is_partial();
        if !runs_jobs || !is_seen || is_protected(demand, is_old) {
            continue;
        }
        if let Some(risk) = Risk::of(demand, &pools) {
            report(demand, &risk, checker);
        }
    }
}

/// Whether the pod says whether it may be moved, or may say so.
fn is_protected(demand: &Demand<'_>, is_old: bool) -> bool {
    let trail = demand.pod.trail_of_annotations();
    let is_open = trail.iter().chain(&demand.pod.annotations()).any(|value| value.is_unknown());
    is_open || demand.pod.annotation(KEY).is_some() || is_old && demand.pod.annotation(OLD_KEY).is_some()
}

/// Why pods may be moved.
struct Risk<'p, 'a> {
    /// What makes them run on Karpenter's nodes.
    asked: &'a Value,
    /// The pool that moves them, where it is in view, and the place that says so.
    pool: Option<(&'p NodePool<'a>, Option<&'a Value>)>,
    /// Whether only a label of the user's own leads to the pool, which says nothing of disruption.
    is_weak: bool,
}

impl<'p, 'a> Risk<'p, 'a> {
    fn of(demand: &Demand<'a>, pools: &'p [NodePool<'a>]) -> Option<Self> {
        let placement = &demand.placement;
        if placement.shuns_karpenter() {
            return None;
        }
        let takes = |pool: &&NodePool<'a>| !matches!(Fit::of(placement, pool), Fit::No(_));
        let takers: Vec<_> = pools.iter().filter(takes).collect();
        let moving = |pool: &'p NodePool<'a>| match pool.consolidation() {
            Consolidation::MovesPods(at) => Some((pool, at)),
            Consolidation::LeavesPods | Consolidation::Unknown => None,
        };
        let asked = placement.asks_for_karpenter().or_else(|| placement.tolerates_karpenter());
        if let Some(asked) = asked.or_else(|| demand.pod.prefers_karpenter()) {
            let pool = takers.iter().find_map(|pool| moving(pool));
            return (pool.is_some() || takers.is_empty()).then_some(Self { asked, pool, is_weak: false });
        }
        let aims = |pool: &&'p NodePool<'a>| Some((placement.aim_at(pool)?.at, moving(pool)?));
        let (asked, pool) = takers.iter().find_map(aims)?;
        Some(Self { asked, is_weak: pool.1.is_none(), pool: Some(pool) })
    }
}

fn report(demand: &Demand<'_>, risk: &Risk<'_, '_>, checker: &mut Checker<'_>) {
    let pod = &demand.pod;
    let who = risk.pool.map_or("Karpenter".to_owned(), |(pool, _)| format!("node pool `{}`", pool.name()));
    let old = pod.annotation(OLD_KEY);
    let lack = match old {
        Some(_) => format!("have `{OLD_KEY}`, which is not read any more, instead of `{KEY}`"),
        None => format!("have no annotation `{KEY}`"),
    };
    let name = if pod.role == PodRole::Job { "job pods" } else { "runner pods" };
    let message = format!("the {name} {lack}: {who} may move them off their node in the middle of a job");
    let mut finding = match old {
        Some(old) => checker.report_first_key(old.history(), message),
        None => {
            let places = pod.home.users_first(pod.trail_of_annotations().into_iter().rev().collect());
            checker.report_first(places, message)
        }
    };
    finding.related(risk.asked.origin.node, "this brings the pods to Karpenter's nodes");
    if let Some((pool, at)) = risk.pool {
        let at = at.or_else(|| pool.object.value.at(&["metadata", "name"]));
        let label = format!("node pool `{}` takes away nodes that others can stand in for", pool.name());
        finding.related(at.and_then(|at| at.origin.node), label);
    }
    let place = match (pod.role, pod.container_mode()) {
        (PodRole::Job, _) => "`pod_annotations`",
        (_, ContainerMode::Kubernetes | ContainerMode::KubernetesNoVolume) => {
            "the annotations of the pod template, and of the hook's template for the job pods"
        }
        _ => "the annotations of the pod template",
    };
    finding.help(format!("set `{KEY}: \"true\"` in {place}, or let the pool consolidate `WhenEmpty`"));
    finding.fault_in_demand(demand, KEY);
    if risk.is_weak {
        finding.diagnostic.lower_to(Severity::Info);
    }
}
