//! What was probably meant: tolerations and labels that miss by a little.

use super::{Asked, Atom, Miss, Placement, Taint, Toleration, Truth};
use crate::values::Value;
use crate::view::NodePool;

/// A toleration that misses the only taint that keeps the pod from a pool.
#[derive(Debug, Clone)]
pub struct NearToleration<'p, 'a> {
    /// The toleration.
    pub toleration: &'p Toleration<'a>,
    /// The taint.
    pub taint: &'p Taint<'a>,
    /// The pool.
    pub pool: &'p NodePool<'a>,
    /// What differs: `key`, `operator`, `value` or `effect`.
    pub differs: &'static str,
    /// Whether it is surely that taint that was meant: the pod asks for a label of the pool, or the two are alike.
    pub is_sure: bool,
}

/// A label of a pool that is nearly the one that the pod asks for.
#[derive(Debug, Clone)]
pub struct NearLabel<'a> {
    /// Where the pool has it.
    pub at: &'a Value,
    /// What is to be said of it.
    pub what: String,
}

impl<'p, 'a> NearToleration<'p, 'a> {
    /// Looks for one in a pool that the pod misses for its taints alone. A toleration that has its
    /// use with another pool is not meant for this one.
    pub fn find(
        pod: &'p Placement<'a>,
        pool: &'p NodePool<'a>,
        misses: &[Miss<'p, 'a>],
        pools: &[NodePool<'a>],
    ) -> Option<Self> {
        let mut found = None;
        for miss in misses {
            let Miss::Taint(taint) = miss else { return None };
            let near = pod.tolerations.iter().find_map(|toleration| {
                let differs = difference(toleration, taint)?;
                let others = pools.iter().filter(|other| !std::ptr::eq(*other, pool)).flat_map(|other| &other.taints);
                let is_used = others.into_iter().any(|other| toleration.covers(other) == Truth::Yes);
                let is_sure =
                    differs != "value" || pod.aim_at(pool).is_some() || alike(&toleration.value, &taint.value);
                (!is_used).then_some(Self { toleration, taint, pool, differs, is_sure })
            })?;
            found = found.or(Some(near));
        }
        found
    }
}

/// What keeps a toleration from covering a taint that it nearly covers.
fn difference(toleration: &Toleration<'_>, taint: &Taint<'_>) -> Option<&'static str> {
    let (key, wanted) = (toleration.key.known()?, taint.key.known()?);
    if key.is_empty() {
        return None;
    }
    let with = |change: &dyn Fn(&mut Toleration<'_>)| {
        let mut other = toleration.clone();
        change(&mut other);
        other.covers(taint) == Truth::Yes
    };
    let nothing = || Atom::Known("".into());
    let exists = || Atom::Known("Exists".into());
    if key == wanted && with(&|other| other.operator = exists()) {
        // Operators are told apart by case, and one of another spelling covers nothing.
        let is_operator = |text| matches!(text, "" | "Equal" | "Exists" | "Lt" | "Gt");
        return Some(if toleration.operator.known().is_none_or(|text| is_operator(text)) {
            "value"
        } else {
            "operator"
        });
    }
    if key == wanted && with(&|other| other.effect = nothing()) {
        return Some("effect");
    }
    let meant = is_near_key(key, wanted) && with(&|other| other.key = nothing());
    meant.then_some("key")
}

/// Whether two keys are the same but for a slip, or differ in their prefix only.
fn is_near_key(a: &str, b: &str) -> bool {
    let name = |key: &'_ str| key.rsplit('/').next().unwrap_or_default().to_owned();
    a != b && (name(a) == name(b) || is_slip(a, b))
}

/// Whether two words are the same but for a slip of the keyboard.
pub(in crate::view) fn is_slip(a: &str, b: &str) -> bool {
    let allowed = match a.len().min(b.len()) {
        0..4 => 0,
        4..8 => 1,
        _ => 2,
    };
    // Numbers tell apart what is meant to be apart.
    let digits = |text: &str| text.chars().filter(char::is_ascii_digit).collect::<String>();
    digits(a) == digits(b) && strsim::osa_distance(a, b) <= allowed
}

/// Whether one key is the other with a word before or after it.
pub(in crate::view) fn extends(a: &str, b: &str) -> bool {
    let (short, long) = if a.len() < b.len() { (a, b) } else { (b, a) };
    let is_word = |rest: &str, at_end: bool| {
        let edge = if at_end { rest.chars().next() } else { rest.chars().next_back() };
        edge.is_some_and(|edge| matches!(edge, '-' | '_' | '.' | '/'))
    };
    long.strip_prefix(short).is_some_and(|rest| is_word(rest, true))
        || long.strip_suffix(short).is_some_and(|rest| is_word(rest, false))
}

/// Whether two values are variants of each other, or one is the usual filler.
fn alike(ours: &Atom<'_>, theirs: &Atom<'_>) -> bool {
    let (Some(ours), Some(theirs)) = (ours.known(), theirs.known()) else { return false };
    let is_filler = |text: &str| matches!(text, "" | "true" | "false" | "yes" | "1");
    is_filler(ours)
        || is_filler(theirs)
        || is_slip(ours, theirs)
        || ours.contains(theirs.as_ref())
        || theirs.contains(ours.as_ref())
}

impl<'a> Placement<'a> {
    /// The label by which the pod chooses just this pool: one that the pool's nodes have, and not
    /// one of those that nodes of many pools have.
    pub fn aim_at(&self, pool: &NodePool<'a>) -> Option<Asked<'a>> {
        let common =
            ["kubernetes.io/", "topology.", "karpenter.k8s.aws/", "karpenter.sh/capacity-type", "node.kubernetes.io/"];
        let is_aim = |asked: &Asked<'a>| {
            let offered = pool.requirements.get(asked.key);
            !common.iter().any(|start| asked.key.starts_with(start))
                && asked.set.values().is_some()
                && offered.is_some_and(|offered| offered.set.overlaps(&asked.set) == Truth::Yes)
        };
        self.alternatives().into_iter().find_map(|(all, _)| all.iter().find(|asked| is_aim(asked)).cloned())
    }
}

impl<'a> NearLabel<'a> {
    /// Looks for one where a label is the only thing that keeps the pod from a pool.
    pub fn find(pool: &NodePool<'a>, misses: &[Miss<'_, 'a>]) -> Option<Self> {
        let [Miss::Label(asked, offered)] = misses else { return None };
        let wanted: Vec<&str> = asked.set.values()?.collect();
        let is_wanted = |value: &Value| Atom::of(value).known().is_some_and(|text| wanted.contains(&text.as_ref()));
        if let Some(at) = pool.own_label(asked.key).filter(|value| is_wanted(value)) {
            let what = format!("a label of node pool `{}` itself, which does not reach its nodes", pool.name());
            return Some(Self { at, what });
        }
        match offered {
            None => pool.requirements.iter().find(|other| {
                let same = other.set.values().is_some_and(|mut values| values.any(|value| wanted.contains(&value)));
                same && (is_near_key(other.key, asked.key) || extends(other.key, asked.key))
            }),
            Some(offered) => Some(offered).filter(|offered| {
                let plain = |text: &str| text.to_ascii_lowercase().replace(['-', '_', '.'], "");
                let near = |value: &str| wanted.iter().any(|wanted| plain(wanted) == plain(value));
                offered.set.values().is_some_and(|mut values| values.any(near))
            }),
        }
        .map(|near| Self { at: near.at, what: format!("node pool `{}` has {}", pool.name(), near.display()) })
    }
}

#[cfg(test)]
mod tests {
    use super::super::Fit;
    use super::super::fit::tests::{pools, read};
    use super::*;

    /// What differs and whether it is sure, for a pod and a pool with a taint.
    fn near(pod: &str, taint: &str, others: &[&str]) -> Option<(&'static str, bool)> {
        let pools = pools(&format!("taints: [{{{taint}}}]"), "pool: runners", others);
        let placement = Placement::of_spec(read(pod));
        let Fit::No(misses) = Fit::of(&placement, &pools[0]) else { return None };
        NearToleration::find(&placement, &pools[0], &misses, &pools).map(|near| (near.differs, near.is_sure))
    }

    #[test]
    fn tolerations_that_miss_by_a_little() {
        let taint = "key: dedicated, value: ci-runners, effect: NoSchedule";
        let tolerates = |words: &str| near(&format!("tolerations: [{{{words}}}]"), taint, &[]);
        assert_eq!(tolerates("key: dedicated, value: runners"), Some(("value", true)));
        assert_eq!(tolerates("key: dedicated, value: 'true'"), Some(("value", true)));
        assert_eq!(tolerates("key: dedicated, value: gpu"), Some(("value", false)));
        assert_eq!(tolerates("key: dedicated, operator: exists"), Some(("operator", true)));
        assert_eq!(tolerates("key: dedicated, operator: Exists, effect: NoExecute"), Some(("effect", true)));
        assert_eq!(tolerates("key: dedicatd, operator: Exists"), Some(("key", true)));
        assert_eq!(tolerates("key: example.com/dedicated, operator: Exists"), Some(("key", true)));
        assert_eq!(tolerates("key: other, operator: Exists"), None);
        assert_eq!(tolerates("key: dedicated, value: gpu, effect: NoExecute"), None);
        assert_eq!(tolerates("key: dedicatd, value: gpu"), None);
        assert_eq!(tolerates("key: '${key}', value: gpu"), None);
        assert_eq!(near("{}", taint, &[]), None);
    }

    #[test]
    fn a_pod_that_chooses_the_pool_means_its_taint() {
        let taint = "key: dedicated, value: ci-runners, effect: NoSchedule";
        let pod = "tolerations: [{key: dedicated, value: gpu}]\nnodeSelector: ";
        assert_eq!(near(&format!("{pod} {{pool: runners}}"), taint, &[]), Some(("value", true)));
        assert_eq!(near(&format!("{pod} {{kubernetes.io/arch: amd64}}"), taint, &[]), Some(("value", false)));
        assert_eq!(near(&format!("{pod} {{pool: gpu}}"), taint, &[]), None, "its labels are missed too");
    }

    #[test]
    fn a_toleration_with_a_use_is_left_alone() {
        let taint = "key: dedicated, value: ci, effect: NoSchedule";
        let other = "{apiVersion: karpenter.sh/v1, kind: NodePool, metadata: {name: gpu}, spec: {template: {spec: {nodeClassRef: {group: a, kind: b, name: c}, taints: [{key: dedicated, value: gpu, effect: NoSchedule}]}}}}";
        assert_eq!(near("tolerations: [{key: dedicated, value: gpu}]", taint, &[other]), None);
    }

    /// What is said of the near label, for a pod and a pool.
    fn label(selector: &str, requirement: &str) -> Option<String> {
        let pools = pools(&format!("requirements: [{{{requirement}}}]"), "workload-class: ci", &[]);
        let placement = Placement::of_spec(read(&format!("nodeSelector: {{{selector}}}")));
        let Fit::No(misses) = Fit::of(&placement, &pools[0]) else { return None };
        NearLabel::find(&pools[0], &misses).map(|near| near.what)
    }

    #[test]
    fn labels_that_miss_by_a_little() {
        let spot = "key: karpenter.sh/capacity-type, operator: In, values: [on-demand]";
        let has = |selector: &str, words: &str| {
            let what = label(selector, spot).unwrap_or_default();
            assert!(what.contains(words) && !what.is_empty(), "{selector}: {what}");
        };
        has("own: ci", "does not reach its nodes");
        has("workload: ci", "`workload-class=ci`");
        has("worload-class: ci", "`workload-class=ci`");
        has("example.com/workload-class: ci", "`workload-class=ci`");
        has("karpenter.sh/capacity-type: on_demand", "`karpenter.sh/capacity-type=on-demand`");
        assert_eq!(label("workload: builds", spot), None);
        assert_eq!(label("team: ci", spot), None);
        // Not a slip: another architecture.
        assert_eq!(label("kubernetes.io/arch: arm64", "key: kubernetes.io/arch, operator: In, values: [amd64]"), None);
    }
}
