//! `runnerlint merge`: the values that Helm would hand to the templates.

use std::path::Path;

use clap::{Args, ValueEnum};

use super::args::{ColorArgs, StackArgs};
use super::{CLEAN, Failure, output};
use crate::config::Config;
use crate::project::{
    ConfigChoice, ExplicitStack, MergeInput, MergeRequest, explicit_stack, nearest_config, read_merge_input,
};
use crate::report::Paint;
use crate::report::merge::{MergeView, diff_json, diff_text, json, origins, yaml};
use crate::rules;
use crate::values::{Flag, HelmError, HelmVersion, Merged, StackInput, Upgrade, UpgradeMode, ValuesFile, merge};

/// Arguments of `merge`.
#[derive(Debug, Args)]
pub(super) struct MergeArgs {
    #[command(flatten)]
    stack: StackArgs,
    /// Do not validate against values.schema.json
    #[arg(long, help_heading = "Stack")]
    skip_schema_validation: bool,
    /// The user values that the last release stored
    #[arg(long, value_name = "FILE", help_heading = "Upgrade")]
    previous: Option<String>,
    /// The chart of the last release [default: the same chart]
    #[arg(long, value_name = "REF", help_heading = "Upgrade")]
    previous_chart: Option<String>,
    /// As `helm upgrade --reuse-values`
    #[arg(long, help_heading = "Upgrade")]
    reuse_values: bool,
    /// As `helm upgrade --reset-values`
    #[arg(long, help_heading = "Upgrade")]
    reset_values: bool,
    /// As `helm upgrade --reset-then-reuse-values`
    #[arg(long, help_heading = "Upgrade")]
    reset_then_reuse_values: bool,
    /// How to write the values
    #[arg(long, value_name = "FORMAT", default_value = "yaml", help_heading = "Output")]
    output_format: MergeFormat,
    /// Show what the last layer changed
    #[arg(long, help_heading = "Output")]
    diff: bool,
    #[command(flatten)]
    color: ColorArgs,
}

/// Formats of merged values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum MergeFormat {
    /// With the origin of every line in a margin, lost parts struck out
    Yaml,
    /// Values, charts, warnings, origins, losses
    Json,
    /// A line a value: where it comes from and what it beat
    Origins,
}

pub(super) fn run(args: &MergeArgs) -> Result<u8, Failure> {
    let directory = std::env::current_dir().map_err(|error| Failure::new(error.to_string()))?;
    let (stack, helm) = what_stack(args, &directory)?;
    let request = MergeRequest {
        directory: &directory,
        stack: &stack,
        previous: args.previous.as_deref(),
        previous_chart: args.previous_chart.as_deref(),
        helm,
    };
    let mut input = read_merge_input(&request).map_err(|error| Failure::new(error.0))?;
    input.flags.sort_by_key(|flag| flag.kind);
    let merged = args
        .merge(&input, &input.files, &input.flags, helm, args.skip_schema_validation)
        .map_err(|error| refused(&input, &error))?;
    let paint = Paint(output::colored(args.color.color));
    let text = if args.diff {
        args.diff_text(&input, &merged, helm, paint)?
    } else {
        let view = MergeView { merged: &merged, sources: &input.sources, trees: &input.trees };
        match args.output_format {
            MergeFormat::Yaml => yaml(&view, paint),
            MergeFormat::Json => json(&view),
            MergeFormat::Origins => origins(&view, paint),
        }
    };
    output::print(&text)?;
    Ok(CLEAN)
}

impl MergeArgs {
    fn mode(&self) -> UpgradeMode {
        match (self.reset_values, self.reuse_values, self.reset_then_reuse_values) {
            (true, _, _) => UpgradeMode::Reset,
            (_, true, _) => UpgradeMode::Reuse,
            (_, _, true) => UpgradeMode::ResetThenReuse,
            _ => UpgradeMode::Plain,
        }
    }

    fn merge(
        &self,
        input: &MergeInput,
        files: &[ValuesFile],
        flags: &[Flag],
        helm: HelmVersion,
        skip_schema_validation: bool,
    ) -> Result<Merged, HelmError> {
        let upgrade = Upgrade {
            mode: self.mode(),
            previous: input.previous.as_ref(),
            previous_chart: input.previous_chart.as_ref(),
        };
        let stack = StackInput {
            chart: input.chart.as_ref(),
            files,
            flags,
            upgrade: Some(upgrade),
            helm,
            skip_schema_validation,
        };
        merge(&stack, &input.trees)
    }

    /// The same merge without its last layer, against the whole.
    fn diff_text(
        &self,
        input: &MergeInput,
        after: &Merged,
        helm: HelmVersion,
        paint: Paint,
    ) -> Result<String, Failure> {
        let (mut files, mut flags) = (input.files.as_slice(), input.flags.as_slice());
        let last = match (flags.split_last(), files.split_last()) {
            (Some((last, rest)), _) => {
                flags = rest;
                last.name()
            }
            (None, Some((last, rest))) => {
                files = rest;
                last.name.clone()
            }
            (None, None) => return Err(Failure::new("nothing lies over the chart: give -f or --set with --diff")),
        };
        // What lies below need not pass the schema alone.
        let before = self.merge(input, files, flags, helm, true).map_err(|error| refused(input, &error))?;
        Ok(match self.output_format {
            MergeFormat::Json => diff_json(&before.values, &after.values),
            MergeFormat::Yaml | MergeFormat::Origins => {
                let names = (format!("without {last}"), format!("with {last}"));
                diff_text(&before.values, &after.values, (&names.0, &names.1), paint)
            }
        })
    }
}

/// The stack that was typed, laid over the one chosen of the configuration, and whose merge it is.
fn what_stack(args: &MergeArgs, directory: &Path) -> Result<(ExplicitStack, HelmVersion), Failure> {
    let metas: Vec<_> = rules::all().iter().map(|rule| &rule.meta).collect();
    let choice = match (&args.stack.config, args.stack.no_config) {
        (Some(path), _) => ConfigChoice::File(path.clone()),
        (None, true) => ConfigChoice::None,
        (None, false) => ConfigChoice::Nearest,
    };
    let config = nearest_config(directory, &choice, &metas).map_err(|error| Failure::new(error.0))?;
    let mut stack = match (&args.stack.stack, &config) {
        (None, _) => ExplicitStack::default(),
        (Some(name), Some((folder, config))) => {
            let found = config.stacks.iter().find(|stack| stack.name.as_ref() == Some(name));
            let found = found.ok_or_else(|| Failure::new(format!("the configuration has no stack `{name}`")))?;
            explicit_stack(found, folder, directory)
        }
        (Some(name), None) => return Err(Failure::new(format!("no configuration that could hold a stack `{name}`"))),
    };
    let typed = &args.stack;
    if let Some(explicit) = typed.explicit() {
        stack.files.extend(explicit.files);
        stack.flags.extend(explicit.flags);
        stack.chart = explicit.chart.or(stack.chart);
    }
    let configured = |(_, config): &(_, Config)| HelmVersion::parse(config.helm_version.as_deref()?);
    let helm = typed.helm_version.or_else(|| config.as_ref().and_then(configured)).unwrap_or_default();
    Ok((stack, helm))
}

fn refused(input: &MergeInput, error: &HelmError) -> Failure {
    let place = error.at.and_then(|at| {
        let source = input.sources.get(at.source)?;
        Some(format!(" ({}:{})", source.name, input.sources.start(at)?.line))
    });
    Failure::new(format!("{}{}", error.message, place.unwrap_or_default()))
}
