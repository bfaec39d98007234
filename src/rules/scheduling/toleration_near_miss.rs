//! A toleration that was meant for a pool's taint and does not cover it.

use rustc_hash::FxHashSet;

use crate::rule::Checker;
use crate::syntax::NodeRef;
use crate::view::scheduling::{Demand, NearToleration, World, demands};
use crate::view::{Fleet, NodePool, PodRole};

pub(crate) fn check(fleet: &Fleet<'_>, checker: &mut Checker<'_>) {
    let pools = NodePool::all(fleet.objects);
    if pools.is_empty() {
        return;
    }
    let world = World::of(fleet, &pools);
    let mut told: FxHashSet<NodeRef> = FxHashSet::default();
    for demand in &demands(fleet, checker.trees()) {
        let Some(near) = demand.near_toleration(&demand.refusals(&pools, world), &pools) else { continue };
        // Several stacks share what stands in their base.
        let Some(at) = near.toleration.at.origin.node.filter(|at| told.insert(*at)) else { continue };
        report(demand, &near, at, world, checker);
    }
}

fn report(demand: &Demand<'_>, near: &NearToleration<'_, '_>, at: NodeRef, world: World, checker: &mut Checker<'_>) {
    let (ours, theirs, pool) = (near.toleration.display(), near.taint.display(), near.pool.name());
    let message = format!(
        "the toleration `{ours}` does not cover the taint `{theirs}` of node pool `{pool}`: its {} differs",
        near.differs
    );
    // A toleration in TOML is a pair: its key says most of it.
    let is_pair = demand.pod.role == PodRole::Job;
    let mut finding = if is_pair { checker.report_key(at, message) } else { checker.report(at, message) };
    let part = near.taint.at.get(near.differs).unwrap_or(near.taint.at);
    finding.related(part.origin.node, format!("the taint of node pool `{pool}`"));
    let part = near.toleration.at.get(near.differs);
    finding.related(part.and_then(|part| part.origin.node), "what differs");
    finding.help(format!("tolerate `{theirs}`; as it is, no node pool in view can take the {}", demand.name()));
    finding.fault_in_demand(demand, &ours);
    if world == World::Open && !near.is_sure {
        finding.diagnostic.lower_to(crate::diagnostic::Severity::Info);
    }
}
