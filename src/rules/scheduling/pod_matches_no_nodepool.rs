//! A pod that none of the node pools can take.

use rustc_hash::FxHashSet;

use crate::diagnostic::Severity;
use crate::knowledge::karpenter;
use crate::rule::Checker;
use crate::syntax::NodeRef;
use crate::values::Value;
use crate::view::scheduling::{Demand, Miss, NearLabel, Refusal, World, demands};
use crate::view::{Fleet, NodePool, PodRole};

pub(crate) fn check(fleet: &Fleet<'_>, checker: &mut Checker<'_>) {
    let pools = NodePool::all(fleet.objects);
    let world = World::of(fleet, &pools);
    let mut told: FxHashSet<NodeRef> = FxHashSet::default();
    for demand in &demands(fleet, checker.trees()) {
        let Some(verdict) = Verdict::of(demand, &pools, world) else { continue };
        // Several stacks share what stands in their base.
        let Some(at) = verdict.at.origin.node.filter(|at| told.insert(*at)) else { continue };
        let mut finding = checker.report(at, verdict.message);
        if let Some((place, what)) = verdict.related {
            finding.related(place.origin.node, what);
        }
        finding.help(verdict.help).fault_in_demand(demand, demand.name());
        if verdict.is_weak {
            finding.diagnostic.lower_to(Severity::Warning);
        }
    }
}

/// What is to be said of a pod.
struct Verdict<'a> {
    at: &'a Value,
    message: String,
    help: String,
    related: Option<(&'a Value, String)>,
    is_weak: bool,
}

impl<'a> Verdict<'a> {
    fn of(demand: &Demand<'a>, pools: &[NodePool<'a>], world: World) -> Option<Self> {
        if let Some(asked) = demand.placement.contradiction() {
            return Some(Self {
                at: asked.at,
                message: format!("the {} ask for values of `{}` that exclude each other", plural(demand), asked.key),
                help: "no node can have both: drop one of the two".to_owned(),
                related: None,
                is_weak: false,
            });
        }
        let refusals = demand.refusals(pools, world);
        if demand.near_toleration(&refusals, pools).is_some() {
            return None;
        }
        let near_label = |refusal: &Refusal<'_, 'a>| NearLabel::find(refusal.pool, &refusal.misses);
        let aims = |refusal: &Refusal<'_, 'a>| {
            let only_taints = refusal.misses.iter().all(|miss| matches!(miss, Miss::Taint(_)));
            only_taints && demand.placement.aim_at(refusal.pool).is_some()
        };
        let is_near = |refusal: &Refusal<'_, 'a>| near_label(refusal).is_some() || aims(refusal);
        let nearest = refusals.iter().min_by_key(|refusal| (!is_near(refusal), refusal.misses.len()))?;
        let is_weak = match world {
            World::Closed => false,
            World::LikelyClosed if !may_run_beside_karpenter(demand, nearest) => false,
            World::LikelyClosed | World::Open if is_near(nearest) => true,
            World::LikelyClosed | World::Open => return None,
        };
        let miss = nearest.misses.first()?;
        let more = match nearest.misses.len() {
            1 => String::new(),
            several => format!(", and {} more", several - 1),
        };
        let pool = nearest.pool.name();
        Some(Self {
            at: place(miss, demand),
            message: format!(
                "no node pool in view can take the {}: the nearest, `{pool}`, {}{more}",
                demand.name(),
                reason(miss)
            ),
            help: help(miss, pool),
            related: near_label(nearest).map(|near| (near.at, near.what)).or_else(|| party(miss, pool)),
            is_weak,
        })
    }
}

fn plural(demand: &Demand<'_>) -> String {
    let name = demand.name();
    if name.ends_with('s') { name.to_owned() } else { format!("{name}s") }
}

/// Whether the nodes that Karpenter itself runs on, which are none of its own, may be meant: by a pod
/// that any untainted node can take, one that is there to keep the others going, or one that asks for
/// a label that only other makers of nodes set.
fn may_run_beside_karpenter(demand: &Demand<'_>, nearest: &Refusal<'_, '_>) -> bool {
    let serves_jobs = matches!(demand.pod.role, PodRole::Runner | PodRole::Job);
    let chooses = !demand.placement.selector.is_empty() || demand.placement.terms.is_some();
    let is_foreign =
        |miss: &Miss<'_, '_>| matches!(miss, Miss::Label(asked, None) if karpenter::is_of_node_groups(asked.key));
    !serves_jobs || !chooses || nearest.misses.iter().any(is_foreign)
}

/// The smallest thing of the pod to point at.
fn place<'a>(miss: &Miss<'_, 'a>, demand: &Demand<'a>) -> &'a Value {
    match miss {
        Miss::Label(asked, _) | Miss::Restricted(asked) => asked.at,
        Miss::Fields(at) | Miss::EmptyTerm(at) => at,
        Miss::Taint(_) => demand.placement.tolerations_at.unwrap_or(demand.pod.spec),
        Miss::Unusable(_) | Miss::TooLarge(..) => demand.pod.spec,
    }
}

/// The other party: what the pool has instead.
fn party<'a>(miss: &Miss<'_, 'a>, pool: &str) -> Option<(&'a Value, String)> {
    let named = |what: &str| format!("{what} of node pool `{pool}`");
    match miss {
        Miss::Taint(taint) => Some((taint.at, named("the taint"))),
        Miss::Label(_, Some(offered)) => Some((offered.at, named("what the label can be on nodes"))),
        Miss::TooLarge(_, offered) => Some((offered.at, named("the limit on nodes"))),
        Miss::Unusable(unusable) => Some((unusable.at, named("the fault"))),
        Miss::Label(_, None) | Miss::Restricted(_) | Miss::Fields(_) | Miss::EmptyTerm(_) => None,
    }
}

fn reason(miss: &Miss<'_, '_>) -> String {
    match miss {
        Miss::Unusable(unusable) => format!("makes no nodes: {}", unusable.why),
        Miss::Taint(taint) => format!("has the taint `{}`, which is not tolerated", taint.display()),
        Miss::Label(asked, None) => format!("does not offer {}", asked.display()),
        Miss::Label(asked, Some(offered)) => format!("does not offer {} but {}", asked.display(), offered.display()),
        Miss::Restricted(asked) => format!("is not asked, since Karpenter refuses `{}` in pods", asked.key),
        Miss::Fields(_) => "is not asked, since Karpenter refuses `matchFields` in pods".to_owned(),
        Miss::EmptyTerm(_) => "does not match a term that asks for nothing".to_owned(),
        Miss::TooLarge(what, _) => format!("has no node with that much {what}"),
    }
}

fn help(miss: &Miss<'_, '_>, pool: &str) -> String {
    match miss {
        Miss::Unusable(_) => format!("mend node pool `{pool}`"),
        Miss::Taint(taint) => format!("tolerate `{}`, or give the pods a pool without it", taint.display()),
        Miss::Label(asked, _) => {
            format!("ask for what a pool offers, or add `{}` to `spec.template.metadata.labels` of `{pool}`", asked.key)
        }
        Miss::Restricted(_) => "use `karpenter.sh/nodepool`, or a label of your own".to_owned(),
        Miss::Fields(_) | Miss::EmptyTerm(_) => "ask for labels with `matchExpressions`".to_owned(),
        Miss::TooLarge(..) => format!("ask for less, or let `{pool}` make larger nodes"),
    }
}
