//! Variables by which jobs overwrite settings of GitLab Runner's Kubernetes executor.

use std::sync::OnceLock;

use super::table;

static TABLE: &str = include_str!("../../rules/data/gitlab-runner/job-variables.tsv");

/// How the value of a variable is held against the setting that lets it count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Check {
    /// An amount: the setting is the most that is allowed.
    Ceiling,
    /// A text: the setting is a regular expression.
    Pattern,
    /// `key=value`: likewise.
    Pair,
    /// `key[=value][:effect]`: likewise.
    Toleration,
    /// Anything: the setting is a boolean.
    Switch,
}

/// A variable that a runner reads.
#[derive(Debug)]
pub struct OverwriteVariable {
    /// Its name, or where there may be several the beginning of their names.
    pub name: &'static str,
    /// Whether `name` is only the beginning.
    pub is_prefix: bool,
    /// How its value is judged.
    pub check: Check,
    /// The setting under `[runners.kubernetes]` without which it is ignored.
    pub gate: &'static str,
    /// What gets it: `build`, `service`, `helper` or `pod`.
    pub of: &'static str,
}

impl OverwriteVariable {
    /// The one that a runner takes a variable for.
    pub fn named(name: &str) -> Option<&'static Self> {
        Self::all().iter().find(|known| match name.strip_prefix(known.name) {
            Some("") => !known.is_prefix,
            Some(_) => known.is_prefix,
            None => false,
        })
    }

    /// All of them.
    pub fn all() -> &'static [Self] {
        static ALL: OnceLock<Vec<OverwriteVariable>> = OnceLock::new();
        ALL.get_or_init(|| table::rows(TABLE).filter_map(read).collect())
    }

    /// The setting under `[runners.kubernetes]` that it overwrites.
    pub fn setting(&self) -> &'static str {
        let ends = ["_overwrite_max_allowed", "_overwrite_allowed"];
        ends.iter().find_map(|end| self.gate.strip_suffix(end)).unwrap_or(self.gate)
    }
}

fn read([name, value, gate, of]: [&'static str; 4]) -> Option<OverwriteVariable> {
    let check = match value {
        "quantity" => Check::Ceiling,
        "text" => Check::Pattern,
        "pair" => Check::Pair,
        "toleration" => Check::Toleration,
        "secret" => Check::Switch,
        _ => return None,
    };
    let prefix = name.strip_suffix('*');
    Some(OverwriteVariable { name: prefix.unwrap_or(name), is_prefix: prefix.is_some(), check, gate, of })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::knowledge::runner_schema::Key;

    #[test]
    fn every_row_is_read_and_names_settings_of_the_schema() {
        assert_eq!(OverwriteVariable::all().len(), table::rows::<1>(TABLE).count());
        let table = Key::root().child("runners").and_then(|runners| runners.child("kubernetes")).unwrap();
        for known in OverwriteVariable::all() {
            for key in [known.gate, known.setting()] {
                assert!(table.child(key).is_some(), "{key}");
            }
        }
    }

    #[test]
    fn names() {
        let gate = |name| OverwriteVariable::named(name).map(|known| known.gate);
        assert_eq!(gate("KUBERNETES_CPU_LIMIT"), Some("cpu_limit_overwrite_max_allowed"));
        assert_eq!(gate("KUBERNETES_NODE_SELECTOR_ARCH"), Some("node_selector_overwrite_allowed"));
        for name in ["KUBERNETES_CPU_LIMITS", "KUBERNETES_NODE_SELECTOR_", "KUBERNETES_NAMESPACE", "CPU_LIMIT"] {
            assert_eq!(gate(name), None, "{name}");
        }
    }
}
