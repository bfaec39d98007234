// GENERATED from `rules/` by `cargo test --test catalog`: do not edit.
//! The rules of the family `gitlab`.

pub(super) mod chart_config_replaced;
pub(super) mod ci_dind_not_privileged;
pub(super) mod missing_limits;
pub(super) mod privileged;
pub(super) mod toml_duplicate;
pub(super) mod toml_syntax;
