//! A value of another type than the runner decodes.

use crate::knowledge::runner_schema::{Item, Type};
use crate::rule::Checker;
use crate::syntax::Trees;
use crate::view::{Decoded, Found, Outcome, RunnerConfig};

pub(crate) fn check(config: &RunnerConfig<'_>, checker: &mut Checker<'_>) {
    for decoded in config.decoded(checker.trees()) {
        let Outcome::WrongType { due, found, refused } = decoded.outcome else { continue };
        let name = decoded.name(checker.trees());
        let is_item = checker.trees().node(decoded.at).is_some_and(|node| node.key().is_none());
        let what = if is_item { format!("an item of `{name}`") } else { format!("`{name}`") };
        let end = if refused { "refuses the whole file" } else { "ignores it silently" };
        let help = help(decoded, due, found, checker.trees());
        checker
            .report(decoded.at, format!("{what} must be {due}, and is {found}: the runner {end}"))
            .fault_in_config(config)
            .help(help);
    }
}

fn help(decoded: &Decoded, due: Type, found: Found, trees: &Trees) -> String {
    let node = trees.node(decoded.at);
    let (raw, text) = node.map_or(("", ""), |node| (node.raw(), node.text()));
    match (due, found) {
        (Type::One(Item::String), Found::Int | Found::Float | Found::Bool | Found::Datetime) => {
            format!("put it in quotes: `\"{raw}\"`")
        }
        (Type::One(Item::Bool), Found::String) if matches!(text, "true" | "false") => {
            format!("write `{text}` without quotes")
        }
        (Type::One(Item::Int), Found::String) if text.parse::<i64>().is_ok() => {
            format!("write `{text}` without quotes")
        }
        (Type::One(Item::Float), Found::String) if text.parse::<f64>().is_ok() => {
            format!("write `{text}` without quotes")
        }
        (Type::List(_), Found::String) => format!("write a list: `[{raw}]`"),
        (Type::One(_), Found::DottedTable) if matches!(decoded.of.holds, Type::Map(_)) => {
            "a key with a dot in it must stand in quotes: without them the dot opens a table".to_owned()
        }
        (Type::Table, _) if decoded.of.holds == Type::Tables => {
            format!("write one {} for each", decoded.of.header())
        }
        (Type::Table | Type::Tables, _) => format!("write {}", decoded.of.header()),
        _ => format!("write {due}"),
    }
}
