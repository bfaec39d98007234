// GENERATED from `rules/` by `cargo test --test catalog`: do not edit.
//! The rules of the family `gitlab`.

pub(super) mod cache_encryption_unknown;
pub(super) mod cache_s3_address_scheme;
pub(super) mod cache_s3_auth_unknown;
pub(super) mod cache_s3_static_keys_ignored;
pub(super) mod cache_type_unknown;
pub(super) mod chart_config_replaced;
pub(super) mod ci_dind_not_privileged;
pub(super) mod dns_policy_invalid;
pub(super) mod duration_invalid;
pub(super) mod duration_number;
pub(super) mod env_entry_dropped;
pub(super) mod feature_flag_deprecated;
pub(super) mod feature_flag_removed;
pub(super) mod feature_flag_unknown;
pub(super) mod key_in_wrong_table;
pub(super) mod map_not_table;
pub(super) mod map_swallows_key;
pub(super) mod missing_limits;
pub(super) mod pod_spec_without_flag;
pub(super) mod privileged;
pub(super) mod profile_type_invalid;
pub(super) mod pull_policy_invalid;
pub(super) mod pull_policy_not_allowed;
pub(super) mod quantity_invalid;
pub(super) mod quantity_suspicious;
pub(super) mod removed_key;
pub(super) mod request_over_limit;
pub(super) mod table_not_array;
pub(super) mod toleration_format;
pub(super) mod toml_duplicate;
pub(super) mod toml_syntax;
pub(super) mod type_mismatch;
pub(super) mod unknown_key;
