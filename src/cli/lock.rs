//! `runnerlint lock`: writes down by which day and releases to judge from now on.

use super::args::LockArgs;
use super::check::directory;
use super::{CLEAN, Failure, output};
use crate::project::{self, ConfigChoice, NewLock};
use crate::report::counted;
use crate::rules;

pub(super) fn run(args: &LockArgs) -> Result<u8, Failure> {
    let directory = directory()?;
    let choice = args.config.clone().map_or(ConfigChoice::Nearest, ConfigChoice::File);
    let day = args.as_of.unwrap_or_else(|| jiff::ZonedDateTime::now().date());
    let metas: Vec<_> = rules::all().iter().map(|rule| &rule.meta).collect();
    let new = project::renew_lock(&directory, &choice, args.runner_releases.as_deref(), day, &metas)
        .map_err(|error| Failure::new(error.0))?;
    let name = project::relative(&new.path, &directory);
    let text = new.lock.to_toml();
    if new.old.as_deref() == Some(text.as_str()) {
        output::note(&format!("`{name}` is fresh: nothing to write"));
        return Ok(CLEAN);
    }
    output::write(&new.path, &text)?;
    say(&new, &name);
    Ok(CLEAN)
}

fn say(new: &NewLock, name: &str) {
    if let Some(first) = new.lost.first() {
        output::note(&format!("`{name}` was broken, and what could not be read of it is lost: {first}"));
    }
    let day = new.lock.as_of.map(|day| format!(" as of {day}")).unwrap_or_default();
    let up_to = new.lock.releases_up_to.map(|day| format!(" up to {day}")).unwrap_or_default();
    output::note(&format!("wrote `{name}`{day}, with {}{up_to}", counted(new.lock.releases.len(), "release")));
    if let Some(day) = new.day_of_config {
        output::note(&format!("`as-of = {day}` of the configuration wins over its date"));
    }
}
