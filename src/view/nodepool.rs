//! Karpenter's node pools: what nodes they would make.

use super::Object;
use super::scheduling::{Atom, LabelSet, Requirements, Taint, Truth, milli};
use crate::knowledge::karpenter;
use crate::values::Value;

/// A node pool of any version of the API.
#[derive(Debug, Clone)]
pub struct NodePool<'a> {
    /// The object.
    pub object: &'a Object<'a>,
    /// What its nodes' labels are and may become; keys that are not there are no labels of its nodes,
    /// well-known ones aside.
    pub requirements: Requirements<'a>,
    /// `spec.template.spec.taints`; startup taints are lifted before pods come.
    pub taints: Vec<Taint<'a>>,
    /// Whether there may be further taints that cannot be known.
    pub open_taints: bool,
    /// Why Karpenter makes no nodes for it, if that is sure.
    pub unusable: Option<Unusable<'a>>,
    /// Whether it is a patch of a pool, or a pool of that name is patched: nothing of it is sure.
    pub is_patched: bool,
    /// Group of its node class; empty where it is not said.
    pub class_group: &'a str,
}

/// Why a pool makes no nodes.
#[derive(Debug, Clone)]
pub struct Unusable<'a> {
    /// Where that is written.
    pub at: &'a Value,
    /// The reason, a clause.
    pub why: String,
    /// Whether it is the version of the API, which an old Karpenter still serves.
    pub is_old_api: bool,
}

impl<'a> Unusable<'a> {
    fn new(at: &'a Value, why: String) -> Self {
        Self { at, why, is_old_api: false }
    }
}

impl<'a> NodePool<'a> {
    /// All pools among objects.
    pub fn all(objects: &'a [Object<'a>]) -> Vec<Self> {
        let is_pool = |object: &&Object<'_>| {
            matches!((object.group(), object.kind), ("karpenter.sh", "NodePool" | "Provisioner"))
        };
        let mut pools: Vec<Self> = objects.iter().filter(is_pool).map(|object| Self::new(object, objects)).collect();
        let patches: Vec<&str> = pools.iter().filter(|pool| pool.is_patched).map(Self::name).collect();
        for pool in &mut pools {
            pool.is_patched |= patches.contains(&pool.name());
        }
        pools
    }

    fn new(object: &'a Object<'a>, objects: &'a [Object<'a>]) -> Self {
        let is_v1 = object.api_version == "karpenter.sh/v1";
        let spec = object.value.get("spec");
        // The legacy kind has no template: all of it stands at the top.
        let (labels, node) = match object.kind {
            "Provisioner" => (spec.and_then(|spec| spec.get("labels")), spec),
            _ => {
                let template = spec.and_then(|spec| spec.get("template"));
                let labels = template.and_then(|template| template.at(&["metadata", "labels"]));
                (labels, template.and_then(|template| template.get("spec")))
            }
        };
        let class = node.and_then(|node| node.get("nodeClassRef"));
        let mut requirements = Requirements::of_labels(labels);
        requirements.add_expressions(node.and_then(|node| node.get("requirements")));
        let mut unusable = restricted(&requirements);
        add_names(&mut requirements, object, class);
        let taints = node.and_then(|node| node.get("taints"));
        if !is_v1 {
            let why = format!("Karpenter 1.1 and later do not serve `{}`", object.api_version);
            unusable =
                Some(Unusable { at: object.value.get("apiVersion").unwrap_or(object.value), why, is_old_api: true });
        } else {
            unusable = unusable
                .or_else(|| incomplete_class(class?))
                .or_else(|| missing_class(class?, objects))
                .or_else(|| wrong_value(&requirements))
                .or_else(|| small_limit(object.value, &requirements));
        }
        Self {
            object,
            taints: taints.into_iter().flat_map(Value::items).map(Taint::of).collect(),
            open_taints: taints.is_some_and(|taints| taints.as_list().is_none() && !taints.is_null()),
            class_group: class.and_then(|class| class.get("group")).and_then(Value::as_str).unwrap_or_default(),
            requirements,
            unusable,
            // The API server wants a class of every whole pool.
            is_patched: is_v1 && class.is_none(),
        }
    }

    /// Its name.
    pub fn name(&self) -> &'a str {
        self.object.name
    }

    /// A label of the object itself: it does not reach nodes.
    pub fn own_label(&self, key: &str) -> Option<&'a Value> {
        self.object.value.at(&["metadata", "labels", key])
    }

    /// Whether a pod may ask for a label that the pool does not mention.
    pub fn may_have(&self, key: &str) -> bool {
        let domain = key.split_once('/').map_or("", |(domain, _)| domain);
        let of_provider = !self.class_group.is_empty() && self.class_group != "karpenter.k8s.aws";
        karpenter::is_well_known(key) || (of_provider && !domain.is_empty() && domain.ends_with(self.class_group))
    }

    /// Whether its class is one of EKS Auto Mode, which has pools of its own that no file shows.
    pub fn is_auto_mode(&self) -> bool {
        self.class_group == "eks.amazonaws.com"
    }
}

/// The labels with the pool's and the class's name that every node gets.
fn add_names<'a>(requirements: &mut Requirements<'a>, object: &'a Object<'a>, class: Option<&'a Value>) {
    let name = object.value.at(&["metadata", "name"]);
    let set = match name.map(Atom::of) {
        Some(Atom::Known(name)) if !name.is_empty() => LabelSet::only(name),
        _ => LabelSet::unknown(),
    };
    requirements.add(karpenter::NODE_POOL_LABEL, set, name.unwrap_or(object.value));
    if let Some(at) = class.and_then(|class| class.get("name")) {
        let set = match Atom::of(at) {
            Atom::Known(name) => LabelSet::only(name),
            Atom::Unknown => LabelSet::unknown(),
        };
        requirements.add(karpenter::NODE_CLASS_LABEL, set, at);
    }
}

fn restricted<'a>(requirements: &Requirements<'a>) -> Option<Unusable<'a>> {
    let is_refused = |key: &str| karpenter::is_restricted(key) || key == karpenter::NODE_POOL_LABEL;
    let asked = requirements.iter().find(|asked| is_refused(asked.key))?;
    Some(Unusable::new(asked.at, format!("Karpenter refuses the label `{}` in a pool", asked.key)))
}

fn incomplete_class(class: &Value) -> Option<Unusable<'_>> {
    class.as_map()?;
    let missing = ["group", "kind", "name"].into_iter().find(|part| class.get(part).is_none_or(Value::is_null))?;
    Some(Unusable::new(class, format!("its `nodeClassRef` has no `{missing}`")))
}

/// A class that is not in view may be elsewhere, unless its like are in view.
fn missing_class<'a>(class: &'a Value, objects: &[Object<'_>]) -> Option<Unusable<'a>> {
    let part = |key: &str| Atom::at(class, key).known().cloned();
    let (group, kind, name) = (part("group")?, part("kind")?, part("name")?);
    let mut alike = objects.iter().filter(|object| object.group() == group && object.kind == kind).peekable();
    alike.peek()?;
    let is_it = |object: &Object<'_>| object.name == name || super::is_templated(object.name);
    (!alike.any(is_it))
        .then(|| Unusable::new(class.get("name").unwrap_or(class), format!("there is no {kind} `{name}`")))
}

fn wrong_value<'a>(requirements: &Requirements<'a>) -> Option<Unusable<'a>> {
    requirements.iter().find_map(|asked| {
        let closed = karpenter::closed_values(asked.key);
        if closed.is_empty() || asked.set.overlaps(&LabelSet::one_of_or_absent(closed)) != Truth::No {
            return None;
        }
        let known = closed.join("`, `");
        Some(Unusable::new(asked.at, format!("`{}` can only be `{known}`", asked.key)))
    })
}

/// A limit below the smallest node that the pool may make.
fn small_limit<'a>(pool: &'a Value, requirements: &Requirements<'a>) -> Option<Unusable<'a>> {
    let limit = pool.at(&["spec", "limits", "cpu"])?;
    let smallest = requirements.get("karpenter.k8s.aws/instance-cpu")?.set.smallest()?;
    (milli(limit)? < i128::from(smallest) * 1000)
        .then(|| Unusable::new(limit, format!("its limit is below its smallest node, which has {smallest} CPUs")))
}
