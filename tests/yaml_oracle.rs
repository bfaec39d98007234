//! Reading is held against answers of real Helm: spans, values, yes or no, and the place of the fault.

#[path = "yaml_oracle/answers.rs"]
mod answers;
#[path = "yaml_oracle/spans.rs"]
mod spans;
