//! The image of a pipeline's job.

use std::cell::Cell;

use super::pipeline::MAX_PARENTS;
use super::{Field, Job};
use crate::values::Value;

/// What a job runs in.
#[derive(Debug, Clone)]
pub struct JobImage<'a> {
    /// The image, with variables put in.
    pub name: String,
    /// Where it is named.
    pub value: &'a Value,
    /// What is to be run instead of the image's own entrypoint.
    pub entrypoint: Field<'a, &'a Value>,
}

impl<'a> Job<'a> {
    /// Its image; none where it names none, or none that can be known.
    pub fn image(self) -> Option<JobImage<'a>> {
        let Field::Present(value, _) = self.part("image", "name") else { return None };
        let entrypoint = match self.part("image", "entrypoint") {
            // The image in short form.
            Field::Present(found, _) if found.origin.node == value.origin.node => Field::Absent,
            found => found,
        };
        let name = self.expand(value.as_str()?)?;
        Some(JobImage { name, value, entrypoint })
    }

    /// An entry of a keyword that is a map, or the whole where it is a scalar in short.
    fn part(self, key: &str, entry: &str) -> Field<'a, &'a Value> {
        match self.extended(key, &Cell::new(MAX_PARENTS)) {
            Field::Absent => match self.default(key) {
                Field::Present(value, _) => part_of(value, entry),
                found => found,
            },
            _ => self.extended_part(key, entry, &Cell::new(MAX_PARENTS)),
        }
    }

    /// Unlike the defaults, maps of parents are merged.
    fn extended_part(self, key: &str, entry: &str, left: &Cell<usize>) -> Field<'a, &'a Value> {
        match self.value.get(key) {
            Some(value) if self.pipeline.is_unknown(value) => return Field::Unknown(Some(value)),
            Some(value) if !part_of(value, entry).is_absent() => return part_of(value, entry),
            _ => {}
        }
        self.of_parents(left, |parent| parent.extended_part(key, entry, left))
    }
}

fn part_of<'a>(value: &'a Value, entry: &str) -> Field<'a, &'a Value> {
    match value.as_map() {
        Some(map) => map.entries.get(entry).map_or(Field::Absent, |part| Field::Present(part, part)),
        None => Field::Present(value, value),
    }
}
