//! Typed access to the tables in `rules/data`.

mod chart;

pub use chart::{Chart, ChartRef};
