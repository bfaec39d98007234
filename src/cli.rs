//! The command line: what was typed, what it means, what is written, the exit status.

mod args;
mod check;
mod explain;
mod file_list;
mod init;
mod known;
mod list;
mod lock;
mod merge;
mod output;
mod shell;

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
const FOUND: u8 = 1;
const UNUSABLE: u8 = 2;
const NOTHING: u8 = 3;

/// Runs the program with the arguments of the process.
pub fn main() -> ExitCode {
    // A rule that fails is reported as a finding; the trace would only stand in its way.
    if std::env::var_os("RUST_BACKTRACE").is_none() {
        std::panic::set_hook(Box::new(|_| ()));
    }
    let status = std::panic::catch_unwind(run).unwrap_or_else(|cause| {
        let text = cause.downcast_ref::<&str>().copied().or_else(|| cause.downcast_ref::<String>().map(String::as_str));
        let text = text.unwrap_or("no reason given");
        output::complain(&format!("runnerlint failed, please report it (RUST_BACKTRACE=1 says more): {text}"));
        UNUSABLE
    });
    ExitCode::from(status)
}

fn run() -> u8 {
    let cli = match Cli::try_parse_from(with_default_command(std::env::args_os().collect())) {
        Ok(cli) => cli,
        Err(usage) => {
            let _ = usage.print();
            return if usage.use_stderr() { UNUSABLE } else { CLEAN };
        }
    };
    let result = match cli.command {
        Command::Check(args) => check::run(&args),
        Command::Completions(args) => shell::completions(&args),
        Command::Explain(args) => explain::run(&args),
        Command::Init => init::run(),
        Command::Lock(args) => lock::run(&args),
        Command::Man => shell::man(),
        Command::Merge(args) => merge::run(&args),
        Command::Rules(args) => list::run(&args),
    };
    result.unwrap_or_else(|Failure(message)| {
        output::complain(&message);
        UNUSABLE
    })
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
