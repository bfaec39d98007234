//! `--baseline`, `--write-baseline` and `--diff-base`: only what is new is shown.

use super::args::CheckArgs;
use super::{Failure, output};
use crate::lint::{Against, Baseline, Finding, Known, Options, Place, Report};
use crate::project::{self, Changes, Project, Request};
use crate::report::counted;

/// Takes known findings out of the report, writes the new baseline, and says what is gone.
pub(super) fn apply(
    args: &CheckArgs,
    request: &Request,
    project: &Project,
    options: &Options,
    report: &mut Report,
) -> Result<(), Failure> {
    // A baseline that cannot be read must not be lost by being written.
    let old = match &args.baseline {
        Some(path) => {
            let text = project::read_file(&request.directory, path).map_err(|error| Failure::new(error.0))?;
            let broken = |why| Failure::new(format!("`{}` is no baseline: {why}", path.display()));
            Some(Baseline::parse(&text).map_err(broken)?)
        }
        None => None,
    };
    let new = args.write_baseline.as_ref().map(|path| (path, Baseline::of(report)));
    if let Some((path, baseline)) = &new {
        output::write(path, &baseline.to_json())?;
        if !args.quiet {
            output::note(&format!("wrote {} to `{}`", counted(baseline.len(), "finding"), path.display()));
        }
    }
    let Some(baseline) = old.as_ref().or_else(|| new.as_ref().map(|(_, baseline)| baseline)) else { return Ok(()) };
    let before = report.findings.len();
    let gone = baseline.apply(report);
    let fixed: Vec<_> = gone.into_iter().filter(|known| was_looked_for(known, request, project, options)).collect();
    report.summary.baseline = Some(Against { known: before - report.findings.len(), fixed: fixed.len() });
    say_fixed(args, &fixed);
    Ok(())
}

/// Leaves the findings that are on a changed line or have their cause on one. What stands in no file stays.
pub(super) fn narrow(args: &CheckArgs, request: &Request, report: &mut Report) -> Result<(), Failure> {
    let Some(revision) = &args.diff_base else { return Ok(()) };
    let changes = Changes::since(&request.directory, revision, &report.texts).map_err(|error| Failure::new(error.0))?;
    let touched = |place: &Place| {
        // A place that ends before the first column of a line is not on that line.
        let last = place.end.line - usize::from(place.end.column == 1 && place.end.line > 1);
        changes.touch(&place.file, place.start.line..=last.max(place.start.line))
    };
    let shown = |finding: &Finding| {
        let Some(place) = &finding.place else { return true };
        // A file may break where nothing changed: a bracket that is gone is missed at the end.
        let anywhere = finding.is_of_whole_file() && changes.touch(&place.file, 0..=usize::MAX);
        anywhere || touched(place) || finding.related.iter().any(|note| touched(&note.place))
    };
    report.retain(shown);
    Ok(())
}

/// Whether this run would have found it: it looked at the file, or the file is no more.
fn was_looked_for(known: &Known, request: &Request, project: &Project, options: &Options) -> bool {
    let Some(file) = &known.file else { return project.searched && options.is_asked_for(&known.rule) };
    let wanted = |file: &project::File| {
        file.wanted && project.sources.get(file.source).is_some_and(|source| known.file.as_ref() == Some(&source.name))
    };
    let config = |config: &project::ConfigFile| {
        project.sources.get(config.source).is_some_and(|source| known.file.as_ref() == Some(&source.name))
    };
    let looked_at = project.files.iter().any(wanted) || project.configs.iter().any(config);
    options.is_asked_for(&known.rule) && (looked_at || !request.directory.join(file).exists())
}

fn say_fixed(args: &CheckArgs, fixed: &[&Known]) {
    if fixed.is_empty() || args.quiet {
        return;
    }
    if args.verbose {
        for known in fixed {
            let file = known.file.as_deref().unwrap_or("-");
            output::note(&format!("fixed: {file}: {} at `{}`", known.rule, known.path));
        }
    }
    let mut line = format!("{} of the baseline fixed", counted(fixed.len(), "finding"));
    if args.write_baseline.is_none()
        && let Some(path) = &args.baseline
    {
        line += &format!("; `--write-baseline {}` forgets what is fixed", path.display());
    }
    output::note(&line);
}
