//! All pods of a fleet with what they ask of nodes.

use super::Placement;
use crate::syntax::Trees;
use crate::values::Value;
use crate::view::{Executor, Fleet, Home, PodRole};

/// Pods of one kind that have to run somewhere.
#[derive(Debug, Clone)]
pub struct Demand<'a> {
    /// What they are.
    pub role: PodRole,
    /// Where they were found.
    pub home: Home<'a>,
    /// What they ask for.
    pub placement: Placement<'a>,
    /// Where they are written, to point at where nothing smaller is.
    pub at: &'a Value,
}

impl Demand<'_> {
    /// What to call one of them.
    pub fn name(&self) -> &'static str {
        match self.role {
            PodRole::Runner => "runner pod",
            PodRole::Listener => "listener pod",
            PodRole::Controller => "controller pod",
            PodRole::Manager => "runner manager's pod",
            PodRole::Job => "job pod",
        }
    }
}

/// The pods of a fleet that are written somewhere: a listener without a template is not.
pub fn demands<'a>(fleet: &Fleet<'a>, trees: &Trees) -> Vec<Demand<'a>> {
    let pods = fleet.pods().into_iter().filter(|pod| pod.spec.as_map().is_some());
    let pods = pods.map(|pod| Demand {
        role: pod.role,
        placement: Placement::of_spec(pod.spec),
        at: pod.spec,
        home: pod.home,
    });
    let jobs = fleet.runner_configs.iter().flat_map(|config| {
        let runners = config.runners(trees).into_iter().filter(|runner| runner.executor == Executor::Kubernetes);
        runners.filter_map(|runner| {
            let at = runner.field(&["kubernetes"]).known().unwrap_or(runner.value);
            let placement = Placement::of_runner(&runner)?;
            Some(Demand { role: PodRole::Job, home: config.home.clone(), placement, at })
        })
    });
    pods.chain(jobs).collect()
}
