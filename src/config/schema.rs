//! The JSON Schema of `runnerlint.toml`, for editors: everything that [`Config::read`](super::Config::read) takes.

use serde_json::{Map, Value, json};

use super::{Level, selectors};
use crate::rule::Meta;

/// The schema, with `rules` as all that there are.
pub fn schema(rules: &[&Meta]) -> Value {
    let id = format!("{}/raw/v{}/docs/runnerlint.schema.json", env!("CARGO_PKG_REPOSITORY"), env!("CARGO_PKG_VERSION"));
    json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "$id": id,
        "title": "runnerlint.toml",
        "description": "Configuration of runnerlint. Paths are relative to the file.",
        "type": "object",
        "additionalProperties": false,
        "properties": {
            "helm-version": {
                "description": "Whose merge to simulate: `3`, `4` or an exact version of Helm.",
                "type": "string",
                "pattern": r"^v?[34](\.[0-9]+){0,2}$",
            },
            "kube-version": {
                "description": "The cluster's version. Without it, only what is wrong in every version is reported.",
                "type": "string",
                "pattern": r"^v?[0-9]+\.[0-9]+\+?(\.[0-9].*)?$",
            },
            "gitlab-runner-version": {
                "description": "The version of GitLab Runner. Without it, what the image or the chart says, else the newest.",
                "type": "string",
                "pattern": r"^v?[0-9]+\.[0-9]+\+?(\.[0-9].*)?$",
            },
            "node-pools": {
                "description": "Whether the node pools in view are all there are, or others may exist.",
                "enum": ["open", "closed"],
            },
            "as-of": {
                "description": "The day to judge by, for runs that always say the same.",
                "type": "string",
                "format": "date",
            },
            "exclude": strings("Files and folders not to be looked at, as globs."),
            "stack": {
                "description": "Releases with their values files. Those that are named as usual are found without this.",
                "type": "array",
                "items": stack(),
            },
            "rules": { "$ref": "#/definitions/levels" },
            "rule-options": options(rules),
            "override": {
                "description": "Other levels for some files; the last one that says something wins.",
                "type": "array",
                "items": overriding(),
            },
        },
        "definitions": { "level": level(), "levels": levels(rules) },
    })
}

fn strings(description: &str) -> Value {
    json!({ "description": description, "type": "array", "items": { "type": "string" } })
}

fn string(description: &str) -> Value {
    json!({ "description": description, "type": "string" })
}

fn stack() -> Value {
    json!({
        "type": "object",
        "additionalProperties": false,
        "properties": {
            "name": string("What to call it, for `--stack` and in messages."),
            "chart": string("A folder, a .tgz, or NAME[@VERSION] of a chart that runnerlint knows."),
            "values": strings("Values files in Helm's order."),
            "set": strings("Values as of `--set`: `a.b=1,c=2`."),
            "set-string": strings("The same, all values as strings."),
            "set-json": strings("The same, values as JSON."),
            "set-file": strings("The same, values read from files."),
            "set-literal": strings("The same, one value, taken literally."),
            "namespace": string("Namespace of the release."),
            "release": string("Name of the release."),
        },
    })
}

fn overriding() -> Value {
    json!({
        "type": "object",
        "additionalProperties": false,
        "properties": {
            "paths": strings("The files, as globs."),
            "rules": { "$ref": "#/definitions/levels" },
        },
    })
}

fn level() -> Value {
    json!({ "description": "`off`, or the level of the findings.", "enum": Level::WORDS })
}

/// A level for each rule, family and category.
fn levels(rules: &[&Meta]) -> Value {
    let entry = |word: &str| {
        let meta = rules.iter().find(|meta| meta.id == word);
        let level = json!({ "$ref": "#/definitions/level" });
        match meta {
            // Beside a reference, draft 7 looks at nothing else.
            Some(meta) => json!({ "description": meta.summary, "allOf": [level] }),
            None => level,
        }
    };
    let properties: Map<_, _> = selectors(rules).into_iter().map(|word| (word.to_owned(), entry(word))).collect();
    json!({
        "description": "Levels of rules, families and categories. A rule wins over its family over its category.",
        "type": "object",
        "additionalProperties": false,
        "properties": properties,
    })
}

fn options(rules: &[&Meta]) -> Value {
    let entry = |meta: &Meta| {
        let number =
            |&(name, default): &(&str, i64)| (name.to_owned(), json!({ "type": "integer", "default": default }));
        let properties: Map<_, _> = meta.options.iter().map(number).collect();
        let options = json!({
            "description": meta.summary,
            "type": "object",
            "additionalProperties": false,
            "properties": properties,
        });
        (meta.id.to_owned(), options)
    };
    let properties: Map<_, _> = rules.iter().filter(|meta| !meta.options.is_empty()).map(|meta| entry(meta)).collect();
    json!({
        "description": "Options of rules; each rule's page says what they mean.",
        "type": "object",
        "additionalProperties": false,
        "properties": properties,
    })
}
