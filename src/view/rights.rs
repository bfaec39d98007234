//! What rules of a Role allow, against what GitLab Runner does to run a job as a pod.

use super::Field;
use crate::values::Value;

/// A verb on a resource of the core group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Right {
    /// The resource.
    pub resource: &'static str,
    /// The verb.
    pub verb: &'static str,
}

/// What each job takes, however it is run.
const FOR_JOBS: [(&str, &[&str]); 2] = [("pods", &["create", "get", "delete"]), ("secrets", &["create"])];
/// What the manager uses where it may, and does without, or needs for some jobs only.
const OF_USE: [(&str, &[&str]); 2] = [("pods", &["list", "watch"]), ("secrets", &["get", "update", "delete"])];
/// How scripts get into their pod: by attaching to it; by `exec` with the legacy strategy.
const ATTACH: (&str, &[&str]) = ("pods/attach", &["create"]);
const EXEC: (&str, &[&str]) = ("pods/exec", &["create"]);

/// Rights that rules do not give.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lacking {
    /// Without these no job runs.
    pub needed: Vec<Right>,
    /// Without these jobs run, but slower or only some of them.
    pub of_use: Vec<Right>,
    /// Whether the rules give none of what is needed.
    pub is_all: bool,
}

impl Lacking {
    /// What rules lack for jobs; none where the rules are not known. `legacy` says whether scripts are run
    /// by `exec`.
    pub fn of_rules(rules: &Value, legacy: Field<'_, bool>) -> Option<Self> {
        let rules = rules.as_list()?.iter().map(Rule::read).collect::<Option<Vec<_>>>()?;
        let lacking = |needed: &mut dyn Iterator<Item = (&'static str, &'static [&'static str])>| {
            let rights = needed.flat_map(|(resource, verbs)| verbs.iter().map(move |verb| Right { resource, verb }));
            rights.filter(|right| !rules.iter().any(|rule| rule.allows(*right))).collect::<Vec<_>>()
        };
        let scripts = match legacy {
            Field::Absent | Field::Present(false, _) => Some(ATTACH),
            Field::Present(true, _) => Some(EXEC),
            Field::WrongShape(_) | Field::Unknown(_) => None,
        };
        let needed = lacking(&mut FOR_JOBS.into_iter().chain(scripts));
        let count: usize = FOR_JOBS.into_iter().chain(scripts).map(|(_, verbs)| verbs.len()).sum();
        Some(Self { is_all: needed.len() == count, needed, of_use: lacking(&mut OF_USE.into_iter()) })
    }
}

/// One rule of a Role.
struct Rule<'a> {
    groups: Vec<&'a str>,
    resources: Vec<&'a str>,
    verbs: Vec<&'a str>,
}

impl<'a> Rule<'a> {
    /// As the chart writes it: what is left out is the core group, and everything in it.
    fn read(rule: &'a Value) -> Option<Self> {
        rule.as_map()?;
        let words = |key: &str, default| match rule.get(key).filter(|list| !list.is_empty()) {
            None => Some(vec![default]),
            Some(list) => list.as_list()?.iter().map(|word| word.as_str().filter(|_| !word.is_unknown())).collect(),
        };
        // Lists of `""` grant nothing, on purpose: the rights come from elsewhere.
        let (resources, verbs) = (words("resources", "*")?, words("verbs", "*")?);
        let is_meant = !resources.contains(&"") && !verbs.contains(&"");
        is_meant.then_some(Self { groups: words("apiGroups", "")?, resources, verbs })
    }

    fn allows(&self, right: Right) -> bool {
        let has = |words: &[&str], word: &str| words.contains(&word) || words.contains(&"*");
        has(&self.groups, "") && has(&self.resources, right.resource) && has(&self.verbs, right.verb)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::values::{Data, LayerId, Map, Origin};

    fn value(data: Data) -> Value {
        Value::new(data, Origin { layer: LayerId(0), node: None })
    }

    fn words(words: &[&str]) -> Value {
        value(Data::List(words.iter().map(|word| value(Data::String((*word).to_owned()))).collect()))
    }

    fn rule(resources: &[&str], verbs: &[&str]) -> Value {
        let entries = [("resources", words(resources)), ("verbs", words(verbs))];
        let entries = entries.into_iter().map(|(key, value)| (key.to_owned(), value)).collect();
        value(Data::Map(Map { entries, deleted: Vec::new() }))
    }

    fn lacking(rules: Vec<Value>) -> (usize, usize) {
        let lacking = Lacking::of_rules(&value(Data::List(rules)), Field::Absent).unwrap();
        (lacking.needed.len(), lacking.of_use.len())
    }

    #[test]
    fn rules_add_up() {
        assert_eq!(lacking(vec![rule(&["*"], &["*"])]), (0, 0));
        assert_eq!(lacking(vec![rule(&[], &[])]), (0, 0));
        let both = vec![rule(&["pods", "secrets"], &["create", "get", "delete"]), rule(&["pods/attach"], &["create"])];
        assert_eq!(lacking(both), (0, 3));
        assert_eq!(lacking(vec![rule(&["pods", "secrets"], &["create", "get", "delete"])]), (1, 3));
        assert_eq!(lacking(vec![rule(&["pods/*"], &["create"])]), (5, 5));
    }
}
