//! A stack of the nearest configuration, for commands that look at one stack only.

use std::path::{Path, PathBuf};

use super::{ConfigChoice, ExplicitStack, LoadError, relative};
use crate::config::{Config, StackConfig};
use crate::rule::Meta;
use crate::syntax::{Trees, toml};
use crate::text::decode::decode;
use crate::text::{Encoding, Sources};
use crate::values::FlagKind;

const NAMES: [&str; 2] = ["runnerlint.toml", ".runnerlint.toml"];

/// A configuration and the folder that its paths are relative to; none where there is none. What is
/// wrong in it is `check`'s matter.
pub fn nearest_config(
    directory: &Path,
    choice: &ConfigChoice,
    rules: &[&Meta],
) -> Result<Option<(PathBuf, Config)>, LoadError> {
    let path = match choice {
        ConfigChoice::None => return Ok(None),
        ConfigChoice::File(path) => directory.join(path),
        ConfigChoice::Nearest => {
            let up = directory.ancestors().flat_map(|folder| NAMES.map(|name| folder.join(name)));
            match up.into_iter().find(|path| path.is_file()) {
                Some(path) => path,
                None => return Ok(None),
            }
        }
    };
    let failed = |error: &dyn std::fmt::Display| LoadError(format!("{}: {error}", path.display()));
    let bytes = std::fs::read(&path).map_err(|error| failed(&error))?;
    let text = decode(bytes).map_err(|error| failed(&error))?.text;
    let (mut sources, mut trees) = (Sources::default(), Trees::default());
    let source = sources.add(path.to_string_lossy(), text.as_str(), Encoding::Utf8, true);
    let tree = trees.add(toml::parse(text.into(), source));
    let folder = path.parent().unwrap_or(directory).to_path_buf();
    Ok(Some((folder, Config::read(&trees, tree, rules).0)))
}

/// A `[[stack]]` as if it had been typed in `directory`.
pub fn explicit_stack(stack: &StackConfig, folder: &Path, directory: &Path) -> ExplicitStack {
    let here = |path: &str| relative(&folder.join(path), directory);
    let flags = stack.set.iter().filter_map(|set| Some((FlagKind::of_name(set.flag)?, set.text.clone())));
    let chart = stack.chart.as_deref().map(|chart| {
        let is_path = chart.starts_with(['.', '/']) || folder.join(chart).exists();
        if is_path { here(chart) } else { chart.to_owned() }
    });
    ExplicitStack {
        files: stack.values.iter().map(|file| here(file)).collect(),
        flags: flags.collect(),
        chart,
        namespace: stack.namespace.clone(),
        release: stack.release.clone(),
    }
}
