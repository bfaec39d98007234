// GENERATED from `rules/` by `cargo test --test catalog`: do not edit.
//! The rules of the family `helm`.

pub(super) mod dropped_container_field;
pub(super) mod dropped_list_item;
pub(super) mod unknown_values_key;
