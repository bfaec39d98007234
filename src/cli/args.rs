//! What may be typed.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use jiff::civil::Date;

use super::file_list::FileList;
use crate::config::parse_minor_version;
use crate::diagnostic::Severity;
use crate::report::Format;
use crate::values::HelmVersion;

/// The linter for CI runner fleets on Kubernetes.
#[derive(Debug, Parser)]
#[command(name = "runnerlint", version, about, max_term_width = 100, disable_help_subcommand = true)]
#[command(after_help = "`check` is the default command: `runnerlint PATH` checks PATH.")]
pub(super) struct Cli {
    #[command(subcommand)]
    pub(super) command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Look for silent failures in values, manifests, runner configs and pipelines
    Check(Box<CheckArgs>),
    /// Show the values that Helm would hand to the templates
    Merge(Box<super::merge::MergeArgs>),
    /// Show a rule's page
    Explain(ExplainArgs),
    /// List all rules
    Rules(RulesArgs),
    /// Write a commented runnerlint.toml with the stacks that are found here
    Init,
    /// Write runnerlint.lock: the day and the releases of the runner to judge by
    Lock(LockArgs),
    /// Print the completions of a shell
    Completions(CompletionsArgs),
    /// Print the man page
    #[command(hide = true)]
    Man,
}

impl Command {
    /// The words after which `check` is not put in.
    pub(super) const NAMES: [&'static str; 8] =
        ["check", "explain", "merge", "rules", "init", "lock", "completions", "man"];
}

/// One stack of values, as Helm is told of it.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Stack")]
pub(super) struct StackArgs {
    /// Values file of one explicit stack, in Helm's order (repeatable, `a,b` too)
    #[arg(short = 'f', long = "values", value_name = "FILE")]
    pub(super) values: Vec<FileList>,
    /// Values as `a.b=1,c=2`
    #[arg(long, value_name = "KEY=VALUE")]
    pub(super) set: Vec<String>,
    /// The same, all values as strings
    #[arg(long, value_name = "KEY=VALUE")]
    pub(super) set_string: Vec<String>,
    /// The same, values as JSON, or one JSON object
    #[arg(long, value_name = "JSON")]
    pub(super) set_json: Vec<String>,
    /// The same, values read from files
    #[arg(long, value_name = "KEY=FILE")]
    pub(super) set_file: Vec<String>,
    /// The same, one value, taken literally
    #[arg(long, value_name = "KEY=VALUE")]
    pub(super) set_literal: Vec<String>,
    /// Chart of that stack: a folder, a .tgz, or NAME[@VERSION] of a chart that we know
    #[arg(long, value_name = "REF")]
    pub(super) chart: Option<String>,
    /// A stack of the configuration
    #[arg(long, value_name = "NAME")]
    pub(super) stack: Option<String>,
    /// Namespace of that stack
    #[arg(long, value_name = "NS")]
    pub(super) namespace: Option<String>,
    /// Release name of that stack
    #[arg(long, value_name = "NAME")]
    pub(super) release: Option<String>,
    /// Whose merge to simulate: 3, 4 or an exact version [default: the newest 4]
    #[arg(long, value_name = "V", value_parser = helm_version)]
    pub(super) helm_version: Option<HelmVersion>,
    /// Configuration file [default: the nearest runnerlint.toml upwards from each path]
    #[arg(long, value_name = "FILE", conflicts_with = "no_config")]
    pub(super) config: Option<PathBuf>,
    /// Read no configuration
    #[arg(long)]
    pub(super) no_config: bool,
}

/// Arguments of `check`.
#[derive(Debug, Args)]
pub(super) struct CheckArgs {
    /// Files and folders; `-` is stdin [default: .]
    #[arg(value_name = "PATH")]
    pub(super) paths: Vec<PathBuf>,
    #[command(flatten)]
    pub(super) stack: StackArgs,
    /// Output of `helm template`; `-` is stdin
    #[arg(long, value_name = "FILE", help_heading = "Input")]
    pub(super) rendered: Vec<PathBuf>,
    /// What to call stdin, and how to classify it
    #[arg(long, value_name = "NAME", help_heading = "Input")]
    pub(super) stdin_filename: Option<PathBuf>,
    /// Version of the cluster, `1.31` [default: unknown]
    #[arg(long, value_name = "V", value_parser = kube_version, help_heading = "Judging")]
    pub(super) kube_version: Option<(u32, u32)>,
    /// Version of GitLab Runner, `18.9` [default: what its image or chart says, else the newest]
    #[arg(long, value_name = "V", value_parser = gitlab_runner_version, help_heading = "Judging")]
    pub(super) gitlab_runner_version: Option<(u32, u32)>,
    /// The day to judge by, `2026-11-30` [default: that of runnerlint.lock, else today]
    #[arg(long, value_name = "DATE", value_parser = date, help_heading = "Judging")]
    pub(super) as_of: Option<Date>,
    /// Newer releases of the GitHub Actions runner, as `gh api` saves repos/actions/runner/releases
    #[arg(long, value_name = "FILE", help_heading = "Judging")]
    pub(super) runner_releases: Option<PathBuf>,
    /// Whether the node pools in view are all there are [default: found out]
    #[arg(long, value_name = "WHICH", help_heading = "Judging")]
    pub(super) node_pools: Option<NodePools>,
    /// Only these rules: ids, families, categories
    #[arg(long, value_name = "RULE", value_delimiter = ',', help_heading = "Judging")]
    pub(super) select: Vec<String>,
    /// Not these rules: ids, families, categories
    #[arg(long, value_name = "RULE", value_delimiter = ',', help_heading = "Judging")]
    pub(super) ignore: Vec<String>,
    /// Show only findings on lines changed since this revision of git, or caused by one
    #[arg(long, value_name = "REV", conflicts_with = "write_baseline", help_heading = "Judging")]
    pub(super) diff_base: Option<String>,
    /// Show only findings that are not in this baseline
    #[arg(long, value_name = "FILE", help_heading = "Judging")]
    pub(super) baseline: Option<PathBuf>,
    /// Write a baseline of all findings; without `--baseline`, they are known from now on
    #[arg(long, value_name = "FILE", help_heading = "Judging")]
    pub(super) write_baseline: Option<PathBuf>,
    /// Exit with 1 on findings of this level or above
    #[arg(long, value_name = "LEVEL", default_value = "warning", help_heading = "Judging")]
    pub(super) fail_on: FailOn,
    /// Never exit with 1
    #[arg(long, help_heading = "Judging")]
    pub(super) exit_zero: bool,
    /// How to write the findings
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = format(), help_heading = "Output")]
    pub(super) output_format: Format,
    /// Where to write them [default: stdout]
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(super) output_file: Option<PathBuf>,
    /// What tells this SARIF file from others of the same commit
    #[arg(long, value_name = "NAME", help_heading = "Output")]
    pub(super) sarif_category: Option<String>,
    #[command(flatten)]
    pub(super) color: ColorArgs,
    /// Count findings per rule instead of showing them
    #[arg(long, help_heading = "Output")]
    pub(super) statistics: bool,
    /// Leave the last line out
    #[arg(short, long, help_heading = "Output")]
    pub(super) quiet: bool,
    /// Say what was passed over
    #[arg(short, long, conflicts_with = "quiet", help_heading = "Output")]
    pub(super) verbose: bool,
    /// Threads [default: as many as processors]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=512), help_heading = "Output")]
    pub(super) jobs: Option<u16>,
}

/// Arguments of `explain`.
#[derive(Debug, Args)]
pub(super) struct ExplainArgs {
    /// Id of the rule, `arc/runner-command-dropped`
    pub(super) rule: String,
    #[command(flatten)]
    pub(super) color: ColorArgs,
}

/// Arguments of `rules`.
#[derive(Debug, Args)]
pub(super) struct RulesArgs {
    /// How to write the list
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(super) output_format: ListFormat,
    #[command(flatten)]
    pub(super) color: ColorArgs,
}

/// Arguments of `lock`.
#[derive(Debug, Args)]
pub(super) struct LockArgs {
    /// Releases of the GitHub Actions runner to add, as `gh api` saves repos/actions/runner/releases
    #[arg(long, value_name = "FILE")]
    pub(super) runner_releases: Option<PathBuf>,
    /// The day to judge by from now on, `2026-11-30` [default: today]
    #[arg(long, value_name = "DATE", value_parser = date)]
    pub(super) as_of: Option<Date>,
    /// The lock is written beside this configuration [default: the nearest runnerlint.toml upwards]
    #[arg(long, value_name = "FILE")]
    pub(super) config: Option<PathBuf>,
}

/// Arguments of `completions`.
#[derive(Debug, Args)]
pub(super) struct CompletionsArgs {
    /// Which shell
    pub(super) shell: clap_complete::Shell,
}

/// Colours.
#[derive(Debug, Clone, Copy, Args)]
pub(super) struct ColorArgs {
    /// Colours; NO_COLOR, FORCE_COLOR and CLICOLOR are honoured
    #[arg(long, value_name = "WHEN", default_value = "auto", help_heading = "Output")]
    pub(super) color: Color,
}

/// When to use colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Color {
    Auto,
    Always,
    Never,
}

/// Formats of lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum ListFormat {
    Text,
    Json,
}

/// Whether other pools may exist.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum NodePools {
    /// Others may exist
    Open,
    /// These are all
    Closed,
}

/// What makes a run fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum FailOn {
    Error,
    Warning,
    Info,
    Never,
}

impl FailOn {
    /// The lowest level that fails.
    pub(super) fn level(self) -> Option<Severity> {
        match self {
            Self::Error => Some(Severity::Error),
            Self::Warning => Some(Severity::Warning),
            Self::Info => Some(Severity::Info),
            Self::Never => None,
        }
    }
}

fn format() -> impl TypedValueParser<Value = Format> {
    PossibleValuesParser::new(Format::ALL.map(|(name, _)| name))
        .map(|name| Format::from_name(&name).unwrap_or(Format::Text))
}

fn helm_version(text: &str) -> Result<HelmVersion, String> {
    HelmVersion::parse(text).ok_or_else(|| "neither `3`, `4` nor an exact version of them".to_owned())
}

fn kube_version(text: &str) -> Result<(u32, u32), String> {
    parse_minor_version(text).ok_or_else(|| "not a version like `1.31`".to_owned())
}

fn gitlab_runner_version(text: &str) -> Result<(u32, u32), String> {
    parse_minor_version(text).ok_or_else(|| "not a version like `18.9`".to_owned())
}

fn date(text: &str) -> Result<Date, String> {
    text.parse().map_err(|_| "not a date like `2026-11-30`".to_owned())
}
