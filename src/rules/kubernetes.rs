// GENERATED from `rules/` by `cargo test --test catalog`: do not edit.
//! The rules of the family `kubernetes`.

pub(super) mod privileged_container;
