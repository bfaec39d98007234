//! The fields that ARC's legacy resources have.

use std::sync::OnceLock;

use indexmap::IndexMap;

use super::{pod_field, table};

static TABLE: &str = include_str!("../../rules/data/arc-legacy-fields.tsv");

/// The API group of the legacy resources.
pub const GROUP: &str = "actions.summerwind.dev";

/// The kinds that the table knows.
const KINDS: [&str; 5] = ["RunnerDeployment", "RunnerReplicaSet", "RunnerSet", "Runner", "HorizontalRunnerAutoscaler"];

/// A type of the table: which keys a map may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    name: &'static str,
}

/// What is known of a type.
#[derive(Debug, Default)]
struct Fields {
    /// Each field, with the type that it holds; empty where it is not looked into.
    own: IndexMap<&'static str, &'static str>,
    /// Types of which it has all fields too.
    of: Vec<&'static str>,
    /// Whether there may be more.
    is_open: bool,
}

/// What a field of a known type holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Holds {
    /// Something that is not looked into.
    Anything,
    /// A map.
    Map(Shape),
    /// A list of maps.
    List(Shape),
}

/// The kinds that have a field of that name, each with the path to what has it.
pub fn kinds_with(name: &str) -> Vec<(&'static str, String)> {
    let home = |kind: &&'static str| Some((*kind, Shape { name: kind }.homes_of(name).into_iter().next()?));
    KINDS.iter().filter_map(home).collect()
}

/// The type of an object of a kind; none for kinds that are not known.
pub fn of_kind(kind: &str) -> Option<Shape> {
    KINDS.into_iter().find(|known| *known == kind).map(|name| Shape { name })
}

impl Shape {
    /// The fields with what they hold.
    pub fn fields(self) -> Vec<(&'static str, Holds)> {
        let Some(fields) = table().get(self.name) else { return Vec::new() };
        let own = fields.own.iter().map(|(field, holds)| (*field, Holds::read(holds)));
        own.chain(fields.of.iter().flat_map(|name| Self { name }.fields())).collect()
    }

    /// What a field holds; none where there is no such field.
    pub fn field(self, name: &str) -> Option<Holds> {
        self.fields().into_iter().find(|(field, _)| *field == name).map(|(_, holds)| holds)
    }

    /// The field whose name is nearest to a misspelt one; none where none is near.
    pub fn nearest(self, name: &str) -> Option<&'static str> {
        let plain = |text: &str| text.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_lowercase();
        let name = plain(name);
        let distance = |field: &str| strsim::osa_distance(&plain(field), &name);
        let best = self.fields().into_iter().map(|(field, _)| field).min_by_key(|field| distance(field))?;
        (distance(best) <= name.len() / 4).then_some(best)
    }

    /// Whether there may be fields that the table does not know.
    pub fn is_open(self) -> bool {
        table().get(self.name).is_some_and(|fields| fields.is_open)
    }

    /// The paths under an object of this type to the maps and items that have a field of that name,
    /// the shortest first.
    pub fn homes_of(self, name: &str) -> Vec<String> {
        let mut homes = Vec::new();
        let mut maps = vec![(String::new(), self)];
        let mut next = 0;
        while let Some((path, shape)) = maps.get(next).cloned() {
            next += 1;
            for (field, holds) in shape.fields() {
                if field == name {
                    homes.push(path.clone());
                }
                let below = if path.is_empty() { field.to_owned() } else { format!("{path}.{field}") };
                match holds {
                    Holds::Anything => {}
                    Holds::Map(shape) => maps.push((below, shape)),
                    Holds::List(shape) => maps.push((format!("{below}[]"), shape)),
                }
            }
        }
        homes
    }
}

impl Holds {
    fn read(text: &'static str) -> Self {
        match text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            Some(name) => Self::List(Shape { name }),
            None if text.is_empty() => Self::Anything,
            None => Self::Map(Shape { name: text }),
        }
    }
}

fn table() -> &'static IndexMap<&'static str, Fields> {
    static TYPES: OnceLock<IndexMap<&'static str, Fields>> = OnceLock::new();
    TYPES.get_or_init(|| {
        let mut types: IndexMap<&'static str, Fields> = IndexMap::new();
        for [name, field, holds] in table::rows(TABLE) {
            let fields = types.entry(name).or_default();
            match field {
                "+" => fields.of.push(holds),
                "..." => fields.is_open = true,
                _ => drop(fields.own.insert(field, holds)),
            }
        }
        // Those of Kubernetes stand in a table of their own.
        let pods = pod_field::of_pods().map(|field| ("PodSpec", field));
        for (name, field) in pods.chain(pod_field::of_containers().map(|field| ("Container", field))) {
            types.entry(name).or_default().own.entry(field).or_default();
        }
        types
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_type_that_is_named_is_there() {
        for [_, _, holds] in table::rows::<3>(TABLE).filter(|[_, _, holds]| !holds.is_empty()) {
            let name = holds.trim_matches(['[', ']']);
            assert!(table().contains_key(name), "{name}");
        }
        assert!(KINDS.iter().all(|kind| table().contains_key(kind)));
    }

    #[test]
    fn fields_and_their_homes() {
        let deployment = of_kind("RunnerDeployment").unwrap();
        assert_eq!(deployment.homes_of("organization"), ["spec.template.spec"]);
        assert_eq!(deployment.homes_of("command").first().map(String::as_str), Some("spec.template.spec.containers[]"));
        assert_eq!(deployment.homes_of("scaleTargetRef"), [""; 0]);
        let set = of_kind("RunnerSet").unwrap();
        assert_eq!(set.homes_of("organization"), ["spec"]);
        assert_eq!(set.homes_of("nodeSelector"), ["spec.template.spec"]);
        let Some(Holds::Map(spec)) = set.field("spec") else { panic!("no spec") };
        assert!(!spec.is_open() && spec.field("dockerMTU") == Some(Holds::Anything));
        assert_eq!(of_kind("AutoscalingRunnerSet"), None);
    }
}
