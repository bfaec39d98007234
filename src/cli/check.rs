//! `runnerlint check`: from arguments to a request, and from a report to bytes and an exit status.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Instant;

use super::args::{CheckArgs, Color, NodePools, StackArgs};
use super::{CLEAN, FOUND, Failure, NOTHING, known, output};
use crate::config::{is_known_selector, nearest, selectors};
use crate::lint::{self, Options, Report, Selection};
use crate::project::{self, ConfigChoice, ExplicitStack, Project, Request};
use crate::report::{self, Style, summary_line};
use crate::rule::Meta;
use crate::rules;
use crate::values::FlagKind;

pub(super) fn run(args: &CheckArgs) -> Result<u8, Failure> {
    let started = Instant::now();
    let options = options(args)?;
    if let Some(jobs) = args.jobs {
        // Fails only where a pool is running already.
        let _ = rayon::ThreadPoolBuilder::new().num_threads(jobs.into()).build_global();
    }
    let metas: Vec<&Meta> = rules::all().iter().map(|rule| &rule.meta).collect();
    let request = request(args)?;
    let project = project::load(&request, &metas).map_err(|error| Failure::new(error.0))?;
    let mut report = lint::run(&project, &options, rules::all());
    known::apply(args, &request, &project, &options, &mut report)?;
    known::narrow(args, &request, &mut report)?;
    report.summary.elapsed = started.elapsed();
    say(args, &project, &report)?;
    let status = status(args, &project, &report);
    // The process ends now: handing back every tree would only take time.
    std::mem::forget((project, report));
    Ok(status)
}

/// The exit status of a finished run.
fn status(args: &CheckArgs, project: &Project, report: &Report) -> u8 {
    let level = args.fail_on.level().filter(|_| !args.exit_zero);
    if level.is_some_and(|level| report.findings.iter().any(|finding| finding.severity >= level)) {
        return FOUND;
    }
    if project.searched && project.counts.files == 0 { NOTHING } else { CLEAN }
}

fn options(args: &CheckArgs) -> Result<Options, Failure> {
    let metas: Vec<&Meta> = rules::all().iter().map(|rule| &rule.meta).collect();
    for (option, words) in [("--select", &args.select), ("--ignore", &args.ignore)] {
        if let Some(word) = words.iter().find(|word| !is_known_selector(&metas, word)) {
            let near = nearest(word, &selectors(&metas)).map(|near| format!("; did you mean `{near}`?"));
            let near = near.unwrap_or_default();
            return Err(Failure::new(format!("{option}: there is no rule, family or category `{word}`{near}")));
        }
    }
    Ok(Options {
        today: jiff::ZonedDateTime::now().date(),
        as_of: args.as_of,
        kube_version: args.kube_version,
        gitlab_runner_version: args.gitlab_runner_version,
        node_pools_closed: args.node_pools.map(|which| which == NodePools::Closed),
        selection: Selection { select: args.select.clone(), ignore: args.ignore.clone() },
    })
}

/// What is to be read.
fn request(args: &CheckArgs) -> Result<Request, Failure> {
    let is_dash = |path: &&PathBuf| path.as_path() == Path::new("-");
    let stdin_is_rendered = args.rendered.iter().any(|path| is_dash(&path));
    let in_stack = args.stack.files().any(|name| name == "-");
    let reads_stdin = stdin_is_rendered || in_stack || args.paths.iter().any(|path| is_dash(&path));
    let without_stdin = |paths: &[PathBuf]| paths.iter().filter(|path| !is_dash(path)).cloned().collect::<Vec<_>>();
    let mut stack = args.stack.explicit();
    for file in stack.iter_mut().flat_map(|stack| &mut stack.files).filter(|file| *file == "-") {
        *file = stdin_name(args);
    }
    let mut paths = without_stdin(&args.paths);
    if args.paths.is_empty() && stack.is_none() && args.rendered.is_empty() {
        paths.push(PathBuf::from("."));
    }
    Ok(Request {
        directory: directory()?,
        paths,
        stack,
        rendered: without_stdin(&args.rendered),
        stdin: if reads_stdin { Some((stdin_name(args), read_stdin()?)) } else { None },
        stdin_is_rendered,
        config: args.stack.config_choice(),
        helm_version: args.stack.helm_version,
        only_stack: args.stack.stack.clone(),
        runner_releases: args.runner_releases.clone(),
    })
}

fn stdin_name(args: &CheckArgs) -> String {
    args.stdin_filename.as_ref().map_or_else(|| "<stdin>".to_owned(), |name| name.to_string_lossy().replace('\\', "/"))
}

fn read_stdin() -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let read = std::io::stdin().lock().read_to_end(&mut bytes);
    read.map(|_| bytes).map_err(|error| Failure::new(format!("cannot read stdin: {error}")))
}

/// The working directory.
pub(super) fn directory() -> Result<PathBuf, Failure> {
    std::env::current_dir().map_err(|error| Failure::new(format!("cannot tell the working directory: {error}")))
}

impl StackArgs {
    fn files(&self) -> impl Iterator<Item = &String> {
        self.values.iter().flat_map(|list| &list.0)
    }

    /// The stack of `-f` and its companions, where any was given.
    pub(super) fn explicit(&self) -> Option<ExplicitStack> {
        let flags = [
            (FlagKind::Json, &self.set_json),
            (FlagKind::Set, &self.set),
            (FlagKind::String, &self.set_string),
            (FlagKind::File, &self.set_file),
            (FlagKind::Literal, &self.set_literal),
        ];
        let flags: Vec<_> =
            flags.into_iter().flat_map(|(kind, texts)| texts.iter().map(move |text| (kind, text.clone()))).collect();
        let given = !self.values.is_empty() || !flags.is_empty() || self.chart.is_some();
        given.then(|| ExplicitStack {
            files: self.files().cloned().collect(),
            flags,
            chart: self.chart.clone(),
            namespace: self.namespace.clone(),
            release: self.release.clone(),
        })
    }

    /// Which configuration applies.
    pub(super) fn config_choice(&self) -> ConfigChoice {
        match &self.config {
            Some(path) => ConfigChoice::File(path.clone()),
            None if self.no_config => ConfigChoice::None,
            None => ConfigChoice::Nearest,
        }
    }
}

/// The working directory seen from the repository's root, with a `/` at the end where it is another.
fn prefix(directory: &Path) -> String {
    let Some(root) = directory.ancestors().find(|folder| folder.join(".git").exists()) else { return String::new() };
    let inner = directory.strip_prefix(root).unwrap_or(Path::new(""));
    inner.iter().map(|name| format!("{}/", name.to_string_lossy())).collect()
}

/// Writes the report where it was asked for.
fn say(args: &CheckArgs, project: &Project, report: &Report) -> Result<(), Failure> {
    if args.verbose {
        report.notes.iter().for_each(|line| output::note(line));
    }
    if project.searched && project.counts.files == 0 {
        output::note("nothing to lint: no values, manifests, runner configs or pipelines were found");
    }
    let for_people = args.output_format.is_for_people();
    let to_file = args.output_file.as_deref();
    let color = match to_file {
        None => for_people && output::colored(args.color.color),
        Some(_) => for_people && args.color.color == Color::Always,
    };
    let style = Style {
        color,
        width: output::width(),
        statistics: args.statistics,
        quiet: args.quiet,
        prefix: &prefix(&directory()?),
        category: args.sarif_category.as_deref(),
    };
    let text = report::render(report, args.output_format, &style);
    let Some(path) = to_file else { return output::print(&text) };
    output::write(path, &text)?;
    if !args.quiet {
        output::note(&summary_line(report, &Style { color: false, ..style }));
    }
    Ok(())
}
