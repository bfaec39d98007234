//! `runnerlint init`: writes a configuration with the stacks that are found.

use std::path::{Path, PathBuf};

use super::check::directory;
use super::{CLEAN, Failure, output};
use crate::config::{FoundStack, template};
use crate::project::{self, ConfigChoice, FileKind, Project, Request, Stack};
use crate::report::counted;
use crate::rules;
use crate::values::Role;

const NAMES: [&str; 2] = ["runnerlint.toml", ".runnerlint.toml"];

pub(super) fn run() -> Result<u8, Failure> {
    let directory = directory()?;
    if let Some(name) = NAMES.into_iter().find(|name| directory.join(name).exists()) {
        return Err(Failure::new(format!("`{name}` is there already, and is left as it is")));
    }
    let request = Request {
        directory: directory.clone(),
        paths: vec![PathBuf::from(".")],
        config: ConfigChoice::None,
        ..Request::default()
    };
    let metas: Vec<_> = rules::all().iter().map(|rule| &rule.meta).collect();
    let project = project::load(&request, &metas).map_err(|error| Failure::new(error.0))?;
    let stacks: Vec<_> = project.stacks.iter().filter_map(|stack| found(&project, stack)).collect();
    let [name, _] = NAMES;
    output::create(&directory.join(name), &template(&stacks))?;
    output::note(&format!("wrote `{name}` with {}", counted(stacks.len(), "stack")));
    Ok(CLEAN)
}

/// A stack as it would be written down; what stands inside an object is found there again.
fn found(project: &Project, stack: &Stack) -> Option<FoundStack> {
    let files = stack.merged.layers.iter().filter(|layer| layer.role == Role::File);
    let values: Vec<_> = files.map(|layer| layer.name.clone()).collect();
    let known = stack.parts.iter().find(|part| part.prefix.is_empty()).map(|part| match &part.chart.version {
        Some(version) => format!("{}@{version}", part.chart.chart.name()),
        None => part.chart.chart.name().to_owned(),
    });
    let chart = own_chart(project, stack, &values).or(known);
    (!values.is_empty() && stack.inlined.is_none()).then(|| FoundStack { name: stack.name.clone(), chart, values })
}

/// The folder of the chart that the values belong to: its defaults take part, or it lies beside the lowest file.
fn own_chart(project: &Project, stack: &Stack, values: &[String]) -> Option<String> {
    let name = |source| project.sources.get(source).map(|source| source.name.as_str());
    let folder = |name: &str| Path::new(name).parent().unwrap_or(Path::new("")).to_path_buf();
    let charts = project.files.iter().filter(|file| file.kind == FileKind::Chart);
    let charts: Vec<_> = charts.filter_map(|file| name(file.source)).map(folder).collect();
    let defaults = stack.sources.iter().filter_map(|&source| name(source));
    let defaults = defaults.filter(|name| !values.iter().any(|file| file == name));
    let mut folders = defaults.chain(values.first().map(String::as_str)).map(folder);
    let own = folders.find(|folder| charts.contains(folder))?;
    let own = own.to_string_lossy().replace('\\', "/");
    Some(if own.is_empty() { ".".to_owned() } else { format!("./{own}") })
}
