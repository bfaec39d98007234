//! The names of the fields of pods and of their containers.

use super::table;

static TABLE: &str = include_str!("../../rules/data/pod-fields.tsv");

/// Fields of a pod's spec.
pub fn of_pods() -> impl Iterator<Item = &'static str> {
    of("pod")
}

/// Fields of a container.
pub fn of_containers() -> impl Iterator<Item = &'static str> {
    of("container")
}

fn of(kind: &'static str) -> impl Iterator<Item = &'static str> {
    table::rows(TABLE).filter(move |[of, _]: &[&str; 2]| *of == kind).map(|[_, field]| field)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_of_pods_or_of_containers() {
        assert_eq!(of_pods().count() + of_containers().count(), table::rows::<2>(TABLE).count());
        assert!(of_pods().any(|field| field == "nodeSelector"));
        assert!(of_containers().all(|field| field != "nodeSelector"));
    }
}
