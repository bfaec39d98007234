//! `runnerlint rules`: all rules, one line each.

use std::fmt::Write;

use serde::Serialize;

use super::args::{ListFormat, RulesArgs};
use super::{CLEAN, Failure, output};
use crate::report::Paint;
use crate::rule::{Meta, Rule};
use crate::rules;

#[derive(Serialize)]
struct Entry<'a> {
    id: &'a str,
    severity: &'a str,
    category: &'a str,
    summary: &'a str,
    inputs: &'a [&'a str],
    default: &'a str,
    since: &'a str,
    options: serde_json::Map<String, serde_json::Value>,
    url: String,
}

impl<'a> From<&'a Meta> for Entry<'a> {
    fn from(meta: &'a Meta) -> Self {
        Self {
            id: meta.id,
            severity: meta.severity.as_str(),
            category: meta.category.as_str(),
            summary: meta.summary,
            inputs: meta.inputs,
            default: if meta.on_by_default { "on" } else { "off" },
            since: meta.since,
            options: meta.options.iter().map(|&(name, value)| (name.to_owned(), value.into())).collect(),
            url: meta.url(),
        }
    }
}

pub(super) fn run(args: &RulesArgs) -> Result<u8, Failure> {
    output::print(&match args.output_format {
        ListFormat::Text => table(rules::all(), Paint(output::colored(args.color.color))),
        ListFormat::Json => json(rules::all()),
    })?;
    Ok(CLEAN)
}

fn json(rules: &[Rule]) -> String {
    let entries: Vec<Entry> = rules.iter().map(|rule| (&rule.meta).into()).collect();
    serde_json::to_string_pretty(&entries).unwrap_or_default() + "\n"
}

fn table(rules: &[Rule], paint: Paint) -> String {
    let inputs: Vec<_> = rules.iter().map(|rule| rule.meta.inputs.join(",")).collect();
    let ids = rules.iter().map(|rule| rule.meta.id.len()).max().unwrap_or(0);
    let mut out = String::new();
    for (rule, inputs) in rules.iter().zip(&inputs) {
        let meta = &rule.meta;
        let level = if meta.on_by_default { meta.severity.as_str() } else { "off" };
        let level = paint.severity(meta.severity, &format!("{level:<7}"));
        let id = paint.name(&format!("{:<ids$}", meta.id));
        let _ = writeln!(out, "{id}  {level}  {} {}", meta.summary, paint.dim(&format!("[{inputs}]")));
    }
    out
}
