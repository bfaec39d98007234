//! The `runnerlint` program.

use std::process::ExitCode;

fn main() -> ExitCode {
    runnerlint::cli::main()
}
