//! All pods of a fleet with what they ask of nodes, and the pools that could take them.

use super::{Fit, Miss, NearToleration, Placement};
use crate::syntax::Trees;
use crate::values::Value;
use crate::view::{Executor, Fleet, NodePool, Pod, PodRole, PodShape, RunnerConfig};

/// Whether the pools in view are all nodes that there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum World {
    /// The user says so.
    Closed,
    /// Pools and Karpenter's installation are in view, and nothing else that makes nodes; the nodes
    /// that Karpenter itself runs on are not.
    LikelyClosed,
    /// There may be others.
    Open,
}

impl World {
    /// What is known of a fleet.
    pub fn of(fleet: &Fleet<'_>, pools: &[NodePool<'_>]) -> Self {
        let hidden = fleet.unread_node_sources || pools.iter().any(NodePool::is_auto_mode);
        match fleet.node_pools_closed {
            Some(true) => Self::Closed,
            None if fleet.karpenter_install_in_view && !hidden => Self::LikelyClosed,
            _ => Self::Open,
        }
    }
}

/// Pods of one kind that have to run somewhere.
#[derive(Debug, Clone)]
pub struct Demand<'a> {
    /// One of them.
    pub pod: Pod<'a>,
    /// What they ask for.
    pub placement: Placement<'a>,
    /// The runner config that says so, of job pods.
    pub config: Option<&'a RunnerConfig<'a>>,
}

/// A pool that surely cannot take a pod, and why.
#[derive(Debug)]
pub struct Refusal<'p, 'a> {
    /// The pool.
    pub pool: &'p NodePool<'a>,
    /// What stands against it.
    pub misses: Vec<Miss<'p, 'a>>,
}

impl<'a> Demand<'a> {
    /// What to call one of them.
    pub fn name(&self) -> &'static str {
        match self.pod.role {
            PodRole::Runner => "runner pod",
            PodRole::Listener => "listener pod",
            PodRole::Controller => "controller pod",
            PodRole::Manager => "runner manager's pod",
            PodRole::Job => "job pods",
        }
    }

    /// Why no pool can take the pod; nothing where one can, or may.
    pub fn refusals<'p>(&self, pools: &'p [NodePool<'a>], world: World) -> Vec<Refusal<'p, 'a>> {
        let mut refusals = Vec::new();
        for pool in pools {
            let Fit::No(misses) = Fit::of(&self.placement, pool) else { return Vec::new() };
            // An old Karpenter may still serve an old API.
            let may_be_served = |miss: &Miss<'_, '_>| matches!(miss, Miss::Unusable(unusable) if unusable.is_old_api);
            if world != World::Closed && misses.iter().all(may_be_served) {
                return Vec::new();
            }
            refusals.push(Refusal { pool, misses });
        }
        refusals
    }

    /// The toleration that was probably meant for the only taints that keep the pod from a pool.
    pub fn near_toleration<'p>(
        &'p self,
        refusals: &[Refusal<'p, 'a>],
        pools: &[NodePool<'a>],
    ) -> Option<NearToleration<'p, 'a>> {
        let near =
            |refusal: &Refusal<'p, 'a>| NearToleration::find(&self.placement, refusal.pool, &refusal.misses, pools);
        let found: Vec<_> = refusals.iter().filter_map(near).collect();
        found.iter().find(|near| near.is_sure).or(found.first()).cloned()
    }
}

/// The pods of a fleet that are written somewhere: a listener without a template is not.
pub fn demands<'a>(fleet: &Fleet<'a>, trees: &Trees) -> Vec<Demand<'a>> {
    let pods = fleet.pods().into_iter().filter(|pod| pod.spec.as_map().is_some());
    let pods = pods.map(|pod| Demand { placement: Placement::of_spec(pod.spec), config: None, pod });
    let jobs = fleet.runner_configs.iter().flat_map(|config| {
        let runners = config.runners(trees).into_iter().filter(|runner| runner.executor == Executor::Kubernetes);
        runners.filter_map(|runner| {
            let spec: &Value = runner.field(&["kubernetes"]).known().unwrap_or(runner.value);
            let (home, path, shape) = (config.home.clone(), [].as_slice(), PodShape::ChartValues);
            let pod = Pod { role: PodRole::Job, home, spec, path, shape };
            Some(Demand { placement: Placement::of_runner(&runner)?, config: Some(config), pod })
        })
    });
    pods.chain(jobs).collect()
}
