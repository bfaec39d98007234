//! The configuration that `init` writes: what was found, and an example of all else in comments.

use std::fmt::Write;

/// A stack to be written down.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundStack {
    /// `name`.
    pub name: String,
    /// `chart`, where it is known.
    pub chart: Option<String>,
    /// `values`: paths relative to the file to be written, in Helm's order.
    pub values: Vec<String>,
}

const HEAD: &str = r#"#:schema {repository}/raw/v{version}/docs/runnerlint.schema.json
# Configuration of runnerlint: {repository}/blob/v{version}/docs/configuration.md
# Paths are relative to this file. Lines that are commented out are examples.

# Whose merge to simulate: "3", "4" or an exact version of Helm.
# helm-version = "3"

# The cluster's version. Without it, only what is wrong in every version is reported.
# kube-version = "1.31"

# The version of GitLab Runner. Without it: what its image or chart says, else the newest.
# gitlab-runner-version = "18.9"

# Whether the node pools in view are all there are ("closed"), or others may exist ("open").
# node-pools = "closed"

# The day to judge by, for runs that always say the same.
# as-of = 2026-11-30

# Files and folders not to be looked at.
# exclude = ["vendor/**"]
"#;

const STACKS: &str = r#"
# The stacks: each is one release with its values files in Helm's order. A file that is named here is judged in these
# stacks only: name new overlays here, too, or take all stacks out to have them found by their names.
"#;

const NO_STACKS: &str = r#"
# A stack is one release with its values files in Helm's order. Those that are named as usual are found without this.
# [[stack]]
# name = "prod"
# chart = "gha-runner-scale-set@0.14.2"
# values = ["values.yaml", "values-prod.yaml"]
"#;

const UNKNOWN_CHART: &str = "# chart = \"NAME@VERSION\" or \"./folder\": without it the chart's defaults are unknown\n";

const MORE: &str = r#"# set = ["maxRunners=60"]
# namespace = "arc-runners"
# release = "linux"
"#;

const TAIL: &str = r#"
# Levels: off, info, warning or error, of a rule, a family or a category. A rule wins over its family over its category.
# [rules]
# "arc/runner-no-resources" = "off"
# security = "error"

# [rule-options."arc/runner-version-stale"]
# days = 30

# Other levels for some files; the last one that says something wins.
# [[override]]
# paths = ["ci/**"]
# rules = { gitlab = "info" }
"#;

/// The text of a configuration with these stacks.
pub fn template(stacks: &[FoundStack]) -> String {
    let head = HEAD.replace("{repository}", env!("CARGO_PKG_REPOSITORY"));
    let mut out = head.replace("{version}", env!("CARGO_PKG_VERSION"));
    out += if stacks.is_empty() { NO_STACKS } else { STACKS };
    for (index, stack) in stacks.iter().enumerate() {
        if index > 0 {
            out.push('\n');
        }
        let _ = writeln!(out, "[[stack]]\nname = {}", quoted(&stack.name));
        match &stack.chart {
            Some(chart) => drop(writeln!(out, "chart = {}", quoted(chart))),
            None => out += UNKNOWN_CHART,
        }
        let values: Vec<_> = stack.values.iter().map(|file| quoted(file)).collect();
        let _ = writeln!(out, "values = [{}]", values.join(", "));
        if index == 0 {
            out += MORE;
        }
    }
    out + TAIL
}

/// A basic string of TOML.
fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;
    use crate::syntax::{Trees, toml as reader};
    use crate::text::{Encoding, Sources};

    fn stack(name: &str, chart: Option<&str>) -> FoundStack {
        let values = vec!["values.yaml".to_owned(), format!("values-{name}.yaml")];
        FoundStack { name: name.to_owned(), chart: chart.map(str::to_owned), values }
    }

    fn read(text: &str) -> (Config, Vec<String>) {
        let (mut sources, mut trees) = (Sources::default(), Trees::default());
        let source = sources.add("runnerlint.toml", text, Encoding::Utf8, true);
        let tree = trees.add(reader::parse(text.into(), source));
        let metas: Vec<_> = crate::rules::all().iter().map(|rule| &rule.meta).collect();
        let (config, found) = Config::read(&trees, tree, &metas);
        (config, found.into_iter().map(|found| found.message).collect())
    }

    #[test]
    fn what_is_written_is_what_is_read() {
        let stacks = [stack("pr\"od\\", Some("gha-runner-scale-set@0.14.2")), stack("é\n", None)];
        let (config, found) = read(&template(&stacks));
        assert_eq!(found, Vec::<String>::new());
        let back = config.stacks.into_iter().map(|stack| FoundStack {
            name: stack.name.unwrap(),
            chart: stack.chart,
            values: stack.values,
        });
        assert_eq!(back.collect::<Vec<_>>(), stacks);
    }

    #[test]
    fn the_examples_are_right() {
        let text = template(&[]);
        let examples = text.lines().filter_map(|line| line.strip_prefix("# "));
        let is_toml = |line: &&str| line.starts_with(['[', '"']) || line.contains(" = ");
        let text = examples.filter(is_toml).collect::<Vec<_>>().join("\n");
        let (config, found) = read(&text);
        assert_eq!(found, Vec::<String>::new(), "{text}");
        assert_eq!((config.stacks.len(), config.overrides.len(), config.options.len()), (1, 1, 1), "{text}");
    }
}
