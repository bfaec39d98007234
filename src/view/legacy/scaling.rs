//! Which legacy autoscaler scales which runners, as far as what is in view can tell.

use super::{Autoscaler, LegacyRunner, may_share_namespace};
use crate::syntax::{TreeId, Trees};
use crate::text::Sources;
use crate::view::{Fleet, Object, is_templated, scheduling};

/// The legacy runners that can be scaled, and the autoscalers, of everything in view.
#[derive(Debug)]
pub struct LegacyScaling<'a> {
    /// RunnerDeployments and RunnerSets.
    pub runners: Vec<LegacyRunner<'a>>,
    /// HorizontalRunnerAutoscalers.
    pub autoscalers: Vec<Autoscaler<'a>>,
    trees: &'a Trees,
    sources: &'a Sources,
}

/// What an autoscaler's target is.
#[derive(Debug)]
pub enum Target<'f, 'a> {
    /// It is in view.
    There,
    /// All that has its name in the namespace is of the other kind.
    OfOtherKind(&'f LegacyRunner<'a>),
    /// It is not there, while these runners, which nothing scales, look as if they were meant.
    Missed(Vec<&'f LegacyRunner<'a>>),
    /// It may be somewhere else, or cannot be known.
    Unknown,
}

impl<'a> LegacyScaling<'a> {
    /// Looks at everything in view.
    pub fn of(fleet: &Fleet<'a>, trees: &'a Trees, sources: &'a Sources) -> Self {
        let can_be_scaled = |runner: &LegacyRunner<'_>| matches!(runner.object.kind, "RunnerDeployment" | "RunnerSet");
        let runners = fleet.objects.iter().filter_map(LegacyRunner::of_object).filter(can_be_scaled).collect();
        let autoscalers = fleet.objects.iter().filter_map(Autoscaler::of_object).collect();
        Self { runners, autoscalers, trees, sources }
    }

    /// The autoscaler of these runners. Where others in view are called the same (one cluster each), it
    /// is one of the same folder.
    pub fn autoscaler_of(&self, runner: &LegacyRunner<'a>) -> Option<&Autoscaler<'a>> {
        let is_twin = |other: &&LegacyRunner<'_>| {
            let same_name = other.object.name == runner.object.name || is_templated(other.object.name);
            same_name && other.object.kind == runner.object.kind && may_share_namespace(&other.object, &runner.object)
        };
        let is_alone = self.runners.iter().filter(is_twin).count() == 1;
        let is_near = |scaler: &&Autoscaler<'a>| is_alone || self.folder(&scaler.object) == self.folder(&runner.object);
        let is_here = |scaler: &&Autoscaler<'a>| surely_shares_namespace(&scaler.object, &runner.object);
        self.autoscalers.iter().filter(|scaler| scaler.scales(runner)).filter(is_here).find(is_near)
    }

    /// What an autoscaler scales.
    pub fn target_of(&self, scaler: &Autoscaler<'a>) -> Target<'_, 'a> {
        let Some(name) = scaler.target_name().known() else { return Target::Unknown };
        let here: Vec<_> =
            self.runners.iter().filter(|runner| may_share_namespace(&runner.object, &scaler.object)).collect();
        let cannot_be_known = |runner: &&&LegacyRunner<'_>| {
            scaler.wants_kind(runner.object.kind).is_none()
                || runner.object.name.is_empty()
                || is_templated(runner.object.name)
        };
        let is_elsewhere = |runner: &LegacyRunner<'_>| !surely_shares_namespace(&runner.object, &scaler.object);
        let is_nowhere = scaler.object.namespace.is_some_and(is_templated) && self.runners.iter().any(is_elsewhere);
        if is_nowhere || here.iter().any(|runner| cannot_be_known(&runner)) {
            return Target::Unknown;
        }
        let namesakes: Vec<_> = here.into_iter().filter(|runner| runner.object.name == name).collect();
        if namesakes.iter().any(|runner| scaler.scales(runner)) {
            return Target::There;
        }
        if let Some(runner) = namesakes.first() {
            return Target::OfOtherKind(runner);
        }
        let meant: Vec<_> = self.runners.iter().filter(|runner| self.may_be_meant(runner, scaler, name)).collect();
        if meant.is_empty() { Target::Unknown } else { Target::Missed(meant) }
    }

    /// Whether nothing scales the runners, while they stand beside the autoscaler or have nearly the name
    /// that it looks for.
    fn may_be_meant(&self, runner: &LegacyRunner<'a>, scaler: &Autoscaler<'a>, name: &str) -> bool {
        if is_templated(runner.object.name) {
            return false;
        }
        let is_beside = tree(&runner.object) == tree(&scaler.object);
        let is_near = is_near_name(name, runner.object.name);
        let is_idle = !self.autoscalers.iter().any(|other| other.may_scale(runner));
        if surely_shares_namespace(&runner.object, &scaler.object) {
            return is_idle && (is_beside || is_near);
        }
        let is_apart = !may_share_namespace(&runner.object, &scaler.object);
        is_idle && is_apart && is_beside && name == runner.object.name
    }

    fn folder(&self, object: &Object<'_>) -> Option<&str> {
        let source = self.sources.get(self.trees.get(tree(object)?)?.source)?;
        Some(source.name.rsplit_once('/').map_or("", |(folder, _)| folder))
    }
}

/// Whether two objects lie in one namespace; one that is not said is that of the command line.
fn surely_shares_namespace(a: &Object<'_>, b: &Object<'_>) -> bool {
    let is_open = |name: Option<&str>| name.is_some_and(is_templated);
    a.namespace == b.namespace || may_share_namespace(a, b) && !is_open(a.namespace) && !is_open(b.namespace)
}

/// Whether one name of runners is the other but for a slip, or but for a word before or after it.
pub fn is_near_name(a: &str, b: &str) -> bool {
    scheduling::is_slip(a, b) || scheduling::extends(a, b)
}

fn tree(object: &Object<'_>) -> Option<TreeId> {
    object.value.origin.node.map(|node| node.tree)
}
