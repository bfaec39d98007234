// GENERATED from `rules/` by `cargo test --test catalog`: do not edit.
//! The rules of the family `arc`.

pub(super) mod action_needs_newer_runner;
pub(super) mod claim_ignored_in_mode;
pub(super) mod controller_sa_mismatch;
pub(super) mod dind_container_ignored;
pub(super) mod dind_not_privileged;
pub(super) mod floating_tag_if_not_present;
pub(super) mod image_version_unknown;
pub(super) mod k8s_docker_in_workflow;
pub(super) mod k8s_job_without_container;
pub(super) mod k8s_mode_no_work_claim;
pub(super) mod legacy_docker_disabled;
pub(super) mod legacy_image_in_scale_set;
pub(super) mod listener_container_misnamed;
pub(super) mod listener_ignored_field;
pub(super) mod listener_image_pinned;
pub(super) mod listener_pod_field_on_container;
pub(super) mod listener_template_no_containers;
pub(super) mod max_runners_zero;
pub(super) mod min_exceeds_max;
pub(super) mod missing_controller_service_account;
pub(super) mod no_max_runners;
pub(super) mod no_runner_container;
pub(super) mod quoted_runner_count;
pub(super) mod restart_policy;
pub(super) mod root_without_allow;
pub(super) mod runner_command_dropped;
pub(super) mod runner_image_dropped;
pub(super) mod runner_no_resources;
pub(super) mod runner_version_expired;
pub(super) mod runner_version_stale;
pub(super) mod runs_on_default_labels;
pub(super) mod runs_on_mismatch;
pub(super) mod security_context_level;
pub(super) mod version_skew;
