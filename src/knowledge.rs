//! Typed access to the tables in `rules/data`. Each table is read on first use.

pub mod action;
mod broken_chart;
mod chart;
mod chart_data;
mod chart_keys;
mod feature_flag;
pub mod gitlab_version;
pub mod karpenter;
pub mod legacy_resource;
mod overwrite_variable;
pub mod pod_field;
pub mod runner_label;
pub mod runner_release;
pub mod runner_schema;
mod runners_key;
mod table;

pub use broken_chart::{BrokenChart, Condition, broken_chart};
pub use chart::{Chart, ChartRef};
pub use chart_data::{defaults, known_versions};
pub use chart_keys::{ChartKey, ChartKeys, Shape};
pub use feature_flag::FeatureFlag;
pub use overwrite_variable::{Check as OverwriteCheck, OverwriteVariable};
pub use runners_key::{RunnersKey, live_runners_keys, runners_key};
