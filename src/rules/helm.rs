// GENERATED from `rules/` by `cargo test --test catalog`: do not edit.
//! The rules of the family `helm`.

pub(super) mod dotted_key;
pub(super) mod dropped_container_field;
pub(super) mod dropped_list_item;
pub(super) mod multi_document_values;
pub(super) mod null_has_no_effect;
pub(super) mod set_index_replaces_list;
pub(super) mod table_scalar_conflict;
pub(super) mod unknown_values_key;
pub(super) mod values_cut_short;
pub(super) mod yaml11_surprise;
