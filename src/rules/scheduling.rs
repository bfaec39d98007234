// GENERATED from `rules/` by `cargo test --test catalog`: do not edit.
//! The rules of the family `scheduling`.

pub(super) mod pod_matches_no_nodepool;
pub(super) mod runner_disruptable;
pub(super) mod toleration_near_miss;
