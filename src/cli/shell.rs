//! `runnerlint completions` and `runnerlint man`: what shells and `man` want to know of the command line.

use clap::CommandFactory;

use super::args::{Cli, CompletionsArgs};
use super::{CLEAN, Failure, output};

pub(super) fn completions(args: &CompletionsArgs) -> Result<u8, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "runnerlint", &mut script);
    print(&script)
}

/// One page: the program, then each command with its options.
pub(super) fn man() -> Result<u8, Failure> {
    let failed = |error: std::io::Error| Failure::new(format!("cannot write the page: {error}"));
    let mut page = Vec::new();
    let mut cli = Cli::command();
    cli.build();
    clap_mangen::Man::new(cli.clone()).render(&mut page).map_err(failed)?;
    for command in cli.get_subcommands().filter(|command| !command.is_hide_set()) {
        let man = clap_mangen::Man::new(command.clone());
        let name = command.get_name().to_uppercase();
        page.extend_from_slice(format!(".SH \"RUNNERLINT {name}\"\n").as_bytes());
        man.render_description_section(&mut page).map_err(failed)?;
        man.render_options_section(&mut page).map_err(failed)?;
    }
    print(&page)
}

fn print(bytes: &[u8]) -> Result<u8, Failure> {
    output::print(&String::from_utf8_lossy(bytes))?;
    Ok(CLEAN)
}
