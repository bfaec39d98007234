//! The command line: what was typed, what it means, what is written, the exit status.

mod args;
mod explain;
mod list;
mod output;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::Parser;

use args::{Cli, Command};

/// Why the work could not be done: one message, exit status 2.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Failure(String);

impl Failure {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self(message.into())
    }
}

const CLEAN: u8 = 0;
const UNUSABLE: u8 = 2;

/// Runs the program with the arguments of the process.
pub fn main() -> ExitCode {
    let cli = match Cli::try_parse_from(with_default_command(std::env::args_os().collect())) {
        Ok(cli) => cli,
        Err(usage) => {
            let _ = usage.print();
            return ExitCode::from(if usage.use_stderr() { UNUSABLE } else { CLEAN });
        }
    };
    let result = match cli.command {
        Command::Check(args) => Ok(CLEAN).and_then(|_| check(&args)),
        Command::Explain(args) => explain::run(&args),
        Command::Rules(args) => list::run(&args),
    };
    ExitCode::from(result.unwrap_or_else(|Failure(message)| {
        output::complain(&message);
        UNUSABLE
    }))
}

/// Puts `check` in where no command was named.
fn with_default_command(mut words: Vec<OsString>) -> Vec<OsString> {
    let named = words.get(1).is_some_and(|word| {
        let word = word.to_string_lossy();
        Command::NAMES.contains(&&*word) || matches!(&*word, "-h" | "--help" | "-V" | "--version")
    });
    if !named {
        words.insert(words.len().min(1), "check".into());
    }
    words
}

fn check(_args: &args::CheckArgs) -> Result<u8, Failure> {
    Ok(CLEAN)
}
