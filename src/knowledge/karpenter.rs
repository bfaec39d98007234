//! What Karpenter and its AWS provider know of node labels.

use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use super::table;

static TABLE: &str = include_str!("../../rules/data/karpenter.tsv");

/// Label of a node with the name of its pool.
pub const NODE_POOL_LABEL: &str = "karpenter.sh/nodepool";

/// Label of a node with the name of its class.
pub const NODE_CLASS_LABEL: &str = "karpenter.k8s.aws/ec2nodeclass";

#[derive(Default)]
struct Facts {
    well_known: FxHashMap<&'static str, Vec<&'static str>>,
    aliases: FxHashMap<&'static str, &'static str>,
    domains: Vec<&'static str>,
    node_groups: Vec<&'static str>,
    restricted: Vec<&'static str>,
}

fn facts() -> &'static Facts {
    static FACTS: OnceLock<Facts> = OnceLock::new();
    FACTS.get_or_init(|| {
        let mut facts = Facts::default();
        for [kind, key, values] in table::rows(TABLE) {
            match kind {
                "well-known" => drop(facts.well_known.insert(key, values.split_whitespace().collect())),
                "alias" => drop(facts.aliases.insert(key, values)),
                "restricted-domain" => facts.domains.push(key),
                "node-group-domain" => facts.node_groups.push(key),
                "restricted-label" => facts.restricted.push(key),
                _ => {}
            }
        }
        facts
    })
}

/// The key that Karpenter compares a label key as: deprecated ones have a successor.
pub fn canonical(key: &str) -> &str {
    facts().aliases.get(key).copied().unwrap_or(key)
}

/// Whether a pod may ask for the label though the pool does not mention it.
pub fn is_well_known(key: &str) -> bool {
    facts().well_known.contains_key(key)
}

/// All values that a label can have; empty where any may be.
pub fn closed_values(key: &str) -> &'static [&'static str] {
    facts().well_known.get(key).map_or(&[], Vec::as_slice)
}

/// Whether Karpenter refuses the label, in a pool's template and in a pod's selectors.
pub fn is_restricted(key: &str) -> bool {
    let facts = facts();
    facts.restricted.contains(&key) || (is_in(key, &facts.domains) && !is_well_known(key))
}

/// Whether it is a label that other makers of nodes set: a pod that asks for it means their nodes.
pub fn is_of_node_groups(key: &str) -> bool {
    is_in(key, &facts().node_groups)
}

/// Whether a key is in one of several domains, or in a domain below one.
fn is_in(key: &str, domains: &[&str]) -> bool {
    let domain = key.split_once('/').map_or("", |(domain, _)| domain);
    let below = |of: &&str| domain.strip_suffix(*of).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'));
    domains.iter().any(below)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_well_formed() {
        for [kind, key, values] in table::rows::<3>(TABLE) {
            assert!(!key.is_empty());
            match kind {
                "alias" => assert!(is_well_known(values), "{key}"),
                "well-known" | "restricted-domain" | "restricted-label" | "node-group-domain" => {}
                _ => panic!("{kind}"),
            }
        }
    }

    #[test]
    fn labels() {
        assert_eq!(canonical("beta.kubernetes.io/arch"), "kubernetes.io/arch");
        assert_eq!(canonical("workload"), "workload");
        assert!(is_well_known("topology.k8s.aws/zone-id"));
        assert!(!is_well_known("karpenter.sh/capacityType"));
        assert_eq!(closed_values("karpenter.sh/capacity-type"), ["spot", "on-demand", "reserved"]);
        assert!(closed_values("kubernetes.io/arch").is_empty());
    }

    #[test]
    fn restricted_labels() {
        assert!(is_restricted("karpenter.sh/provisioner-name"));
        assert!(is_restricted("test.karpenter.sh/x"));
        assert!(is_restricted("kubernetes.io/hostname"));
        assert!(!is_restricted("karpenter.sh/capacity-type"));
        assert!(!is_restricted("mykarpenter.sh/x"));
        assert!(!is_restricted("workload"));
        assert!(is_of_node_groups("eks.amazonaws.com/nodegroup"));
        assert!(!is_of_node_groups("karpenter.sh/nodepool"));
    }
}
