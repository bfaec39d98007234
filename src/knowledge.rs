//! Typed access to the tables in `rules/data`. Each table is read on first use.

mod chart;
mod chart_data;
pub mod karpenter;
pub mod runner_release;
mod table;

pub use chart::{Chart, ChartRef};
pub use chart_data::{defaults, known_versions};
