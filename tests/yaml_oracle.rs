//! Reading is held against answers of real Helm: spans, values, yes or no, and the place of the fault.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, clippy::string_slice)]

#[path = "yaml_oracle/answers.rs"]
mod answers;
#[path = "yaml_oracle/scalars.rs"]
mod scalars;
#[path = "yaml_oracle/spans.rs"]
mod spans;
