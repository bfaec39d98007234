//! Reads what `merge` is given: values files, charts, flags.

use std::path::Path;

use super::chart::{Charts, read_archive, read_folder};
use super::{ExplicitStack, LoadError, relative};
use crate::syntax::{Trees, yaml};
use crate::text::Sources;
use crate::text::decode::decode;
use crate::values::read::refused_bytes;
use crate::values::{Chart, Flag, HelmError, HelmVersion, ValuesFile};

/// What `merge` is asked for.
#[derive(Debug, Clone)]
pub struct MergeRequest<'a> {
    /// Folder that paths are relative to.
    pub directory: &'a Path,
    /// The stack.
    pub stack: &'a ExplicitStack,
    /// `--previous`.
    pub previous: Option<&'a str>,
    /// `--previous-chart`.
    pub previous_chart: Option<&'a str>,
    /// Whose merge.
    pub helm: HelmVersion,
}

/// What was read for it.
#[derive(Debug, Default)]
pub struct MergeInput {
    /// All texts.
    pub sources: Sources,
    /// All trees.
    pub trees: Trees,
    /// The chart; none: its defaults are unknown.
    pub chart: Option<Chart>,
    /// Values files in order.
    pub files: Vec<ValuesFile>,
    /// Flags in order.
    pub flags: Vec<Flag>,
    /// The values of the last release.
    pub previous: Option<ValuesFile>,
    /// Its chart.
    pub previous_chart: Option<Chart>,
}

/// Reads it all; the first thing that cannot be read ends the work.
pub fn read_merge_input(request: &MergeRequest<'_>) -> Result<MergeInput, LoadError> {
    let mut input = MergeInput::default();
    input.chart = match &request.stack.chart {
        Some(reference) => input.read_chart(request, reference)?,
        None => None,
    };
    input.previous_chart = match request.previous_chart {
        Some(reference) => input.read_chart(request, reference)?,
        None => None,
    };
    input.previous = match request.previous {
        Some(name) => Some(input.read_file(request, name)?),
        None => None,
    };
    for name in &request.stack.files {
        let file = input.read_file(request, name)?;
        input.files.push(file);
    }
    for (kind, text) in &request.stack.flags {
        let mut read_file = |name: &str| match std::fs::read(request.directory.join(name)) {
            Ok(bytes) => Ok(String::from_utf8_lossy(&bytes).into_owned()),
            Err(error) => Err(format!("open {name}: {error}")),
        };
        input.flags.push(Flag::parse(*kind, text, &mut input.sources, &mut input.trees, &mut read_file));
    }
    Ok(input)
}

impl MergeInput {
    fn read_file(&mut self, request: &MergeRequest<'_>, name: &str) -> Result<ValuesFile, LoadError> {
        let bytes = read_bytes(request.directory, name)?;
        if let Some(refused) = refused_bytes(&bytes, request.helm) {
            return Err(LoadError(format!("failed to parse {name}: {refused}")));
        }
        let decoded = decode(bytes).map_err(|error| LoadError(format!("failed to parse {name}: {error}")))?;
        let text = std::sync::Arc::<str>::from(decoded.text);
        let source = self.sources.add(name, text.clone(), decoded.encoding, true);
        Ok(ValuesFile { name: name.to_owned(), tree: self.trees.add(yaml::parse(text, source)) })
    }

    /// As Helm has it: what is missing in a chart on disk is refused, not made up.
    fn read_chart(&mut self, request: &MergeRequest<'_>, reference: &str) -> Result<Option<Chart>, LoadError> {
        let path = request.directory.join(reference);
        if !path.exists() {
            let (sources, trees) = (&mut self.sources, &mut self.trees);
            let below =
                Charts::default().named(reference, request.directory, request.directory, &|_| None, sources, trees)?;
            return Ok(below.chart);
        }
        let shown = relative(&path, request.directory);
        let refused = |error| LoadError(format!("{reference}: {error}"));
        let files = if path.is_dir() {
            read_folder(&path, 0)
        } else {
            Chart::unpack(&read_archive(&path)?).map_err(refused)?
        };
        let folder = if shown == "." { "" } else { shown.as_str() };
        let (sources, trees) = (&mut self.sources, &mut self.trees);
        let chart = Chart::load_with(&files, folder, path.is_dir(), &|_| None, sources, trees).map_err(refused)?;
        match chart.refusal() {
            Some(refusal) => Err(refused(HelmError::new(refusal))),
            None => Ok(Some(chart)),
        }
    }
}

fn read_bytes(directory: &Path, name: &str) -> Result<Vec<u8>, LoadError> {
    let read = if name == "-" {
        let mut bytes = Vec::new();
        std::io::Read::read_to_end(&mut std::io::stdin().lock(), &mut bytes).map(|_| bytes)
    } else {
        std::fs::read(directory.join(name))
    };
    read.map_err(|error| LoadError(format!("open {name}: {error}")))
}
