//! All rules: one opinion each, a page in `rules/` and a function here.

mod catalog;

// The families that have functions; kept by `cargo test --test catalog`.
// <families>
mod arc;
mod gitlab;
mod helm;
mod kubernetes;
mod scheduling;
// </families>

use crate::rule::Rule;

/// All rules, sorted by id.
pub fn all() -> &'static [Rule] {
    catalog::RULES
}

/// The rule of an id.
pub fn find(id: &str) -> Option<&'static Rule> {
    let index = catalog::RULES.binary_search_by(|rule| rule.meta.id.cmp(id)).ok()?;
    catalog::RULES.get(index)
}
