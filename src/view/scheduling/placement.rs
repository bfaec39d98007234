//! What a pod asks of the node it runs on.

use super::{Asked, Requirements, Toleration};
use crate::values::Value;
use crate::view::{Field, Runner};

/// One of the required node selector terms; they are alternatives.
#[derive(Debug, Clone)]
pub struct Term<'a> {
    /// Where it is written.
    pub at: &'a Value,
    /// Its expressions on labels.
    pub requirements: Requirements<'a>,
    /// Whether it asks for fields of the node, which Karpenter refuses.
    pub has_fields: bool,
    /// Whether it asks for nothing, and so matches no node.
    pub is_empty: bool,
}

/// What a pod asks of the node it runs on; what is only preferred is left out.
#[derive(Debug, Clone)]
pub struct Placement<'a> {
    /// `nodeSelector`.
    pub selector: Requirements<'a>,
    /// Required terms of the node affinity; none where there is no such affinity.
    pub terms: Option<Vec<Term<'a>>>,
    /// `tolerations`.
    pub tolerations: Vec<Toleration<'a>>,
    /// Whether there may be further tolerations that cannot be known.
    pub open_tolerations: bool,
    /// The tolerations as a whole, where some are written.
    pub tolerations_at: Option<&'a Value>,
    /// CPU that it asks for at least, in thousandths.
    pub cpu: i128,
    /// Memory that it asks for at least, in thousandths of a byte.
    pub memory: i128,
}

/// A required affinity and its parts, as Kubernetes and as GitLab Runner's TOML call them.
const AFFINITY: [[&str; 5]; 2] = [
    [
        "nodeAffinity",
        "requiredDuringSchedulingIgnoredDuringExecution",
        "nodeSelectorTerms",
        "matchExpressions",
        "matchFields",
    ],
    [
        "node_affinity",
        "required_during_scheduling_ignored_during_execution",
        "node_selector_terms",
        "match_expressions",
        "match_fields",
    ],
];

impl<'a> Placement<'a> {
    /// Reads a pod spec, or values with its keys.
    pub fn of_spec(spec: &'a Value) -> Self {
        let mut selector = Requirements::of_labels(spec.get("nodeSelector"));
        let affinity = spec.get("affinity");
        selector.open |= spec.is_unknown() || affinity.is_some_and(Value::is_unknown);
        let tolerations = spec.get("tolerations").filter(|tolerations| !tolerations.is_null());
        Self {
            terms: affinity.and_then(|affinity| terms(affinity, &AFFINITY[0], &mut selector.open)),
            selector,
            tolerations: tolerations.into_iter().flat_map(Value::items).map(Toleration::of).collect(),
            open_tolerations: spec.is_unknown() || tolerations.is_some_and(|list| list.as_list().is_none()),
            tolerations_at: tolerations,
            cpu: super::size::request(spec, "cpu"),
            memory: super::size::request(spec, "memory"),
        }
    }

    /// Reads the settings of a runner's job pods; none where they are patched, so that nothing is sure.
    pub fn of_runner(runner: &Runner<'a>) -> Option<Self> {
        let field = |key: &str| runner.field(&["kubernetes", key]);
        if !field("pod_spec").is_absent() {
            return None;
        }
        let mut selector = match field("node_selector") {
            Field::Present(labels, _) => Requirements::of_labels(Some(labels)),
            _ => Requirements::default(),
        };
        // What is set for a job wins, and what is not known may be anything.
        let may_change = |key: &str| !matches!(field(key), Field::Absent | Field::WrongShape(_));
        let is_open = |key: &str| matches!(field(key), Field::Unknown(_));
        selector.open |=
            is_open("node_selector") || is_open("affinity") || may_change("node_selector_overwrite_allowed");
        let tolerations = field("node_tolerations").known();
        let entries = tolerations.into_iter().flat_map(Value::entries);
        let affinity = field("affinity").known();
        let milli = |key: &str| field(key).known().and_then(super::size::milli).unwrap_or_default();
        Some(Self {
            terms: affinity.and_then(|affinity| terms(affinity, &AFFINITY[1], &mut selector.open)),
            selector,
            tolerations: entries.map(|(entry, at)| Toleration::of_entry(entry, at)).collect(),
            open_tolerations: is_open("node_tolerations") || may_change("node_tolerations_overwrite_allowed"),
            tolerations_at: tolerations,
            cpu: milli("cpu_request"),
            memory: milli("memory_request"),
        })
    }

    /// The alternatives: the selector with each of the terms.
    pub fn alternatives(&self) -> Vec<(Requirements<'a>, Option<&Term<'a>>)> {
        match &self.terms {
            None => vec![(self.selector.clone(), None)],
            Some(terms) => terms.iter().map(|term| (self.selector.and(&term.requirements), Some(term))).collect(),
        }
    }

    /// Requirements of the pod that contradict each other, where every alternative has some: no node
    /// whatsoever can run it.
    pub fn contradiction(&self) -> Option<Asked<'a>> {
        let alternatives = self.alternatives();
        let mut first = None;
        for (all, term) in &alternatives {
            match all.contradiction() {
                Some(asked) => first = first.or(Some(asked.clone())),
                None if term.is_some_and(|term| term.is_empty) => {}
                None => return None,
            }
        }
        first
    }
}

fn terms<'a>(affinity: &'a Value, names: &[&str; 5], open: &mut bool) -> Option<Vec<Term<'a>>> {
    let [node, required, list, expressions, fields] = *names;
    let way = [affinity.get(node)?, affinity.at(&[node, required])?, affinity.at(&[node, required, list])?];
    *open |= way.iter().any(|value| value.is_unknown());
    let items = way.last()?.as_list()?;
    let term = |at: &'a Value| {
        let is_said = |key: &str| at.get(key).is_some_and(|list| list.as_list().is_none_or(|items| !items.is_empty()));
        let mut requirements = Requirements::default();
        requirements.open = at.is_unknown();
        requirements.add_expressions(at.get(expressions));
        let has_fields = is_said(fields);
        Term { at, has_fields, is_empty: !has_fields && !is_said(expressions) && !at.is_unknown(), requirements }
    };
    Some(items.iter().map(term).collect())
}
