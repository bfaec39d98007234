//! What Karpenter does to the nodes of a pool, and which pods ask for such nodes.

use super::scheduling::{Placement, Truth};
use super::{Field, NodePool, Pod, is_templated};
use crate::values::{Data, Value};

/// What Karpenter does to nodes of a pool that it could do without.
#[derive(Debug, Clone, Copy)]
pub enum Consolidation<'a> {
    /// Moves their pods elsewhere; with the place that says so, if any.
    MovesPods(Option<&'a Value>),
    /// Takes away only nodes that run nothing.
    LeavesPods,
    /// Cannot be known.
    Unknown,
}

impl<'a> NodePool<'a> {
    /// What Karpenter does to its nodes.
    pub fn consolidation(&self) -> Consolidation<'a> {
        let Some(spec) = self.object.value.get("spec").filter(|_| !self.is_patched) else {
            return Consolidation::Unknown;
        };
        if self.object.kind == "Provisioner" {
            return match Field::of(spec.at(&["consolidation", "enabled"]), Value::as_bool) {
                Field::Present(true, at) => Consolidation::MovesPods(Some(at)),
                Field::Present(false, _) | Field::Absent => Consolidation::LeavesPods,
                Field::WrongShape(_) | Field::Unknown(_) => Consolidation::Unknown,
            };
        }
        let disruption = Field::of(spec.get("disruption"), Value::as_map);
        if matches!(disruption, Field::Unknown(_) | Field::WrongShape(_)) {
            return Consolidation::Unknown;
        }
        let disruption = disruption.value();
        let said = |key: &str| Field::of(disruption.and_then(|disruption| disruption.get(key)), Value::as_str);
        let budgets = disruption.and_then(|disruption| disruption.get("budgets"));
        // Static pools have a fixed number of nodes.
        let is_static = spec.get("replicas").is_some_and(|replicas| !replicas.is_null());
        if is_static || said("consolidateAfter").known() == Some("Never") || allows_none(budgets) {
            return Consolidation::LeavesPods;
        }
        match said("consolidationPolicy") {
            Field::Present("WhenEmpty", _) => Consolidation::LeavesPods,
            Field::Present("WhenEmptyOrUnderutilized" | "WhenUnderutilized" | "Balanced", at) => {
                Consolidation::MovesPods(Some(at))
            }
            Field::Absent => Consolidation::MovesPods(disruption),
            Field::Present(..) | Field::WrongShape(_) | Field::Unknown(_) => Consolidation::Unknown,
        }
    }
}

/// Whether a budget always keeps Karpenter from moving pods, or may.
fn allows_none(budgets: Option<&Value>) -> bool {
    let is_none = |nodes: &Value| match &nodes.data {
        Data::String(text) => matches!(text.as_str(), "0" | "0%") || is_templated(text),
        _ => nodes.as_f64() == Some(0.0),
    };
    let always = |budget: &Value| budget.get("schedule").is_none_or(Value::is_null);
    let moves = |reason: &Value| reason.is_unknown() || reason.as_str() == Some("Underutilized");
    let of_reason = |budget: &Value| {
        let reasons = budget.get("reasons").filter(|reasons| !reasons.is_empty());
        reasons.is_none_or(|reasons| reasons.is_unknown() || reasons.items().any(moves))
    };
    let mut items = budgets.into_iter().flat_map(Value::items);
    items.any(|budget| budget.get("nodes").is_some_and(is_none) && always(budget) && of_reason(budget))
}

impl<'a> Placement<'a> {
    /// Where the pod asks for nodes that Karpenter made: by a label that only those have, or by
    /// tolerating a taint of such a name.
    pub fn asks_for_karpenter(&self) -> Option<&'a Value> {
        let mut first = None;
        for (all, _) in self.alternatives() {
            let asked = all.iter().find(|asked| is_of_karpenter(asked.key) && asked.set.allows_absent() == Truth::No);
            first = first.or(asked.map(|asked| asked.at));
            // An alternative without it may be met by other nodes.
            asked?;
        }
        first
    }

    /// Where the pod tolerates a taint that only Karpenter's nodes have.
    pub fn tolerates_karpenter(&self) -> Option<&'a Value> {
        self.tolerations
            .iter()
            .find(|toleration| toleration.key.known().is_some_and(|key| is_of_karpenter(key)))
            .map(|found| found.at)
    }

    /// Whether the pod keeps away from the nodes that Karpenter made.
    pub fn shuns_karpenter(&self) -> bool {
        let shuns = |asked: &super::scheduling::Asked<'_>| {
            let nothing_else = asked.set.overlaps(&super::scheduling::LabelSet::of("Exists", None)) == Truth::No;
            is_of_karpenter(asked.key) && nothing_else
        };
        self.alternatives().iter().any(|(all, _)| all.iter().any(shuns))
    }
}

impl<'a> Pod<'a> {
    /// Where the pod prefers nodes that only Karpenter makes.
    pub fn prefers_karpenter(&self) -> Option<&'a Value> {
        let path = ["affinity", "nodeAffinity", "preferredDuringSchedulingIgnoredDuringExecution"];
        let terms = self.spec.at(&path).into_iter().flat_map(Value::items);
        let expressions = terms.filter_map(|term| term.at(&["preference", "matchExpressions"])).flat_map(Value::items);
        let wants =
            |at: &Value| matches!(at.get("operator").and_then(Value::as_str), Some("In" | "Exists" | "Gt" | "Lt"));
        let keys = expressions.filter(|at| wants(at)).filter_map(|at| at.get("key"));
        keys.into_iter().find(|key| key.as_str().is_some_and(is_of_karpenter))
    }
}

fn is_of_karpenter(key: &str) -> bool {
    let domain = key.split_once('/').map_or("", |(domain, _)| domain);
    ["karpenter.sh", "karpenter.k8s.aws"].contains(&domain)
}
