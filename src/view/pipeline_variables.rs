//! All places of a pipeline that set variables.

use super::{Job, Pipeline};
use crate::values::Value;

impl<'a> Pipeline<'a> {
    /// Every variable that the file sets: for all jobs, for one, and under rules of either.
    pub fn variables(self) -> impl Iterator<Item = (&'a str, &'a Value)> {
        let tops = [Some(self.value), self.value.get("workflow")].into_iter().flatten();
        let holders = tops.chain(self.all().map(|job: Job<'a>| job.value));
        let rules = |holder: &'a Value| holder.get("rules").into_iter().flat_map(Value::items);
        let maps = holders.flat_map(move |holder| std::iter::once(holder).chain(rules(holder)));
        let entries = maps.filter_map(|map| map.get("variables")).flat_map(Value::entries);
        entries.filter(|(name, _)| !super::is_templated(name) && !name.contains("$[["))
    }
}
