//! Writing: stdout, stderr, files, and whether in colour.

use std::io::{ErrorKind, IsTerminal, Write};
use std::path::Path;

use super::Failure;
use super::args::Color;

/// Writes to stdout. A reader that has gone away is no failure.
pub(super) fn print(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::new(format!("cannot write to stdout: {error}")))
        }
        _ => Ok(()),
    }
}

/// Writes a line to stderr; nobody is left to hear of a failure.
pub(super) fn note(line: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{line}");
}

/// Says why the work could not be done.
pub(super) fn complain(message: &str) {
    let color = wants_color(Color::Auto, std::io::stderr().is_terminal());
    note(&format!("{} {message}", if color { "\u{1b}[1;31merror:\u{1b}[0m" } else { "error:" }));
}

/// Writes a file.
pub(super) fn write(path: &Path, text: &str) -> Result<(), Failure> {
    std::fs::write(path, text).map_err(|error| Failure::new(format!("cannot write {}: {error}", path.display())))
}

/// Writes a file that must not be there yet.
pub(super) fn create(path: &Path, text: &str) -> Result<(), Failure> {
    let file = std::fs::File::create_new(path);
    let written = file.and_then(|mut file| file.write_all(text.as_bytes()));
    written.map_err(|error| Failure::new(format!("cannot write {}: {error}", path.display())))
}

/// Whether stdout gets colours.
pub(super) fn colored(choice: Color) -> bool {
    wants_color(choice, std::io::stdout().is_terminal())
}

fn wants_color(choice: Color, terminal: bool) -> bool {
    decide(choice, terminal, |name| std::env::var(name).ok())
}

/// `--color`, then NO_COLOR, FORCE_COLOR, CLICOLOR_FORCE, CLICOLOR, then what is at the other end.
fn decide(choice: Color, terminal: bool, var: impl Fn(&str) -> Option<String>) -> bool {
    let set = |name: &str| var(name).is_some_and(|value| !value.is_empty());
    let forced = |name: &str| var(name).is_some_and(|value| !value.is_empty() && value != "0");
    match choice {
        Color::Always => true,
        Color::Never => false,
        Color::Auto if set("NO_COLOR") => false,
        Color::Auto if forced("FORCE_COLOR") || forced("CLICOLOR_FORCE") => true,
        Color::Auto => terminal && var("CLICOLOR").as_deref() != Some("0") && var("TERM").as_deref() != Some("dumb"),
    }
}

/// Columns to wrap at.
pub(super) fn width() -> usize {
    let columns = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    columns.unwrap_or(100).clamp(40, 120)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_follow_the_conventions() {
        let with = |vars: &'static [(&str, &str)]| {
            move |name: &str| vars.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned())
        };
        assert!(decide(Color::Auto, true, with(&[])));
        assert!(!decide(Color::Auto, false, with(&[])));
        assert!(!decide(Color::Auto, true, with(&[("NO_COLOR", "1"), ("FORCE_COLOR", "1")])));
        assert!(decide(Color::Auto, true, with(&[("NO_COLOR", "")])));
        assert!(decide(Color::Auto, false, with(&[("FORCE_COLOR", "1")])));
        assert!(!decide(Color::Auto, false, with(&[("FORCE_COLOR", "0")])));
        assert!(!decide(Color::Auto, true, with(&[("CLICOLOR", "0")])));
        assert!(!decide(Color::Auto, true, with(&[("TERM", "dumb")])));
        assert!(decide(Color::Always, false, with(&[("NO_COLOR", "1")])));
        assert!(!decide(Color::Never, true, with(&[("FORCE_COLOR", "1")])));
    }
}
