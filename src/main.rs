//! The `runnerlint` program.
fn main() {}
