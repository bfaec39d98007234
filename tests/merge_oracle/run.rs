//! One row through our merge, compared with Helm's answer.

use runnerlint::syntax::{Trees, yaml};
use runnerlint::text::decode::decode;
use runnerlint::text::{Encoding, Sources};
use runnerlint::values::read::refused_bytes;
use runnerlint::values::{
    Chart, Data, Flag, FlagKind, HelmError, HelmVersion, Merged, StackInput, Upgrade, UpgradeMode, Value, ValuesFile,
    go_type, merge, printed, to_json,
};
use serde_json::Value as Json;

/// Versions whose warnings were written down.
const WARNED: [&str; 2] = ["v3.19.0", "v4.3.1"];

use crate::rows::{Row, bytes, text};

/// What is given to a merge, read.
#[derive(Default)]
pub(crate) struct World {
    pub(crate) sources: Sources,
    pub(crate) trees: Trees,
}

impl World {
    pub(crate) fn chart(&mut self, row: &Row, key: &str) -> Result<Chart, HelmError> {
        Chart::load(&row.chart(key), "", &mut self.sources, &mut self.trees)
    }

    pub(crate) fn file(&mut self, name: &str, bytes: Vec<u8>, helm: HelmVersion) -> Result<ValuesFile, HelmError> {
        if let Some(refused) = refused_bytes(&bytes, helm) {
            return Err(HelmError::new(refused));
        }
        let decoded = decode(bytes).map_err(|error| HelmError::new(format!("failed to parse {name}: {error}")))?;
        Ok(self.text(name, &decoded.text, decoded.encoding))
    }

    pub(crate) fn text(&mut self, name: &str, text: &str, encoding: Encoding) -> ValuesFile {
        let source = self.sources.add(name, text, encoding, true);
        ValuesFile { name: name.to_owned(), tree: self.trees.add(yaml::parse(text.into(), source)) }
    }

    pub(crate) fn flags(&mut self, row: &Row, key: &str) -> Vec<Flag> {
        let side_files = row.0["files"].clone();
        let mut read_file = |path: &str| match side_files.get(path) {
            Some(content) => Ok(String::from_utf8_lossy(&bytes(content)).into_owned()),
            None => Err(format!("open {path}: no such file or directory")),
        };
        let mut flags = Vec::new();
        for flag in row.list(key) {
            let kind = FlagKind::of_name(text(&flag[0])).unwrap();
            flags.push(Flag::parse(kind, text(&flag[1]), &mut self.sources, &mut self.trees, &mut read_file));
        }
        flags
    }
}

pub(crate) fn merge_row(world: &mut World, row: &Row, helm: HelmVersion) -> Result<Merged, HelmError> {
    let chart = world.chart(row, "chart")?;
    let mut files = Vec::new();
    for file in row.list("values_files") {
        files.push(world.file(text(&file["name"]), bytes(file), helm)?);
    }
    for argument in row.list("extra_args").iter().map(text).filter(|argument| !argument.starts_with('-')) {
        for name in argument.split(',') {
            files.push(world.file(name, bytes(&row.0["files"][name]), helm)?);
        }
    }
    let flags = world.flags(row, "set_args");
    let input = StackInput { chart: Some(&chart), files: &files, flags: &flags, helm, ..StackInput::default() };
    merge(&input, &world.trees)
}

fn merge_upgrade(world: &mut World, row: &Row, helm: HelmVersion) -> Result<Merged, HelmError> {
    let old = world.chart(row, "old_chart")?;
    let new = world.chart(row, "new_chart")?;
    let mut old_files = Vec::new();
    for file in row.list("old_files") {
        old_files.push(world.file("old.yaml", bytes(file), helm)?);
    }
    // What a release stores is JSON.
    let old_flags = world.flags(row, "old_sets");
    let stored = StackInput { files: &old_files, flags: &old_flags, helm, ..StackInput::default() };
    let stored = to_json(&merge(&stored, &world.trees)?.values);
    let previous = world.text("previous.yaml", &stored, Encoding::Utf8);
    let mut files = Vec::new();
    for file in row.list("new_files") {
        files.push(world.file("new.yaml", bytes(file), helm)?);
    }
    let flags = world.flags(row, "new_sets");
    let mode = match text(&row.0["mode"]) {
        "--reuse-values" => UpgradeMode::Reuse,
        "--reset-values" => UpgradeMode::Reset,
        "--reset-then-reuse-values" => UpgradeMode::ResetThenReuse,
        _ => UpgradeMode::Plain,
    };
    let upgrade = Upgrade { mode, previous: Some(&previous), previous_chart: Some(&old) };
    let input = StackInput {
        chart: Some(&new),
        files: &files,
        flags: &flags,
        upgrade: Some(upgrade),
        helm,
        ..StackInput::default()
    };
    merge(&input, &world.trees)
}

pub(crate) fn compare_row(row: &Row, answer: &Json, version: &str) -> Result<(), String> {
    let helm = HelmVersion::parse(version).unwrap();
    let merged = merge_row(&mut World::default(), row, helm);
    compare(&merged, answer)?;
    let Ok(merged) = merged else {
        return Ok(());
    };
    if let Some(user) = row.0["user_values"].get(version).filter(|user| !user.is_null()) {
        let ours: Json = serde_json::from_str(&to_json(&merged.user_values)).unwrap();
        same("user values", &sorted(&ours), &sorted(user))?;
    }
    if WARNED.contains(&version) && row.0.get("warnings").is_some() {
        let warnings = row.0["warnings"].get(version).and_then(Json::as_array);
        let mut theirs: Vec<String> = warnings.into_iter().flatten().map(|line| bare_warning(text(line))).collect();
        theirs.sort_unstable();
        let mut ours = merged.warnings;
        ours.sort_unstable();
        same("warnings", &ours, &theirs)?;
    }
    Ok(())
}

pub(crate) fn compare_upgrade(row: &Row, answer: &Json, version: &str) -> Result<(), String> {
    let helm = HelmVersion::parse(version).unwrap();
    let merged = merge_upgrade(&mut World::default(), row, helm);
    compare(&merged, answer)?;
    let Ok(merged) = merged else {
        return Ok(());
    };
    let config = answer["config"].clone();
    let config = if config.is_null() { Json::Object(serde_json::Map::new()) } else { config };
    let ours: Json = serde_json::from_str(&to_json(&merged.user_values)).unwrap();
    // What was stored went through JSON once more.
    same("user values", &sorted(&floats(ours)), &sorted(&floats(config)))
}

fn floats(json: Json) -> Json {
    match json {
        Json::Number(number) => Json::from(number.as_f64().unwrap()),
        Json::Array(items) => Json::Array(items.into_iter().map(floats).collect()),
        Json::Object(map) => Json::Object(map.into_iter().map(|(key, value)| (key, floats(value))).collect()),
        other => other,
    }
}

fn compare(merged: &Result<Merged, HelmError>, answer: &Json) -> Result<(), String> {
    let merged = match (merged, answer["ok"] == true) {
        (Err(_), false) => return Ok(()),
        (Err(error), true) => return Err(format!("refused: {error}")),
        (Ok(merged), false) => {
            return Err(format!("{} instead of {}", to_json(&merged.values), text(&answer["error"])));
        }
        (Ok(merged), true) => merged,
    };
    // Go escapes what was no UTF-8 in a --set-file; here it is U+FFFD like any other.
    same("values", &to_json(&merged.values), &text(&answer["values_json"]).replace("\\ufffd", "\u{fffd}"))?;
    let charts: Vec<String> = answer["charts"].as_array().into_iter().flatten().map(|c| text(c).to_owned()).collect();
    if answer.get("charts").is_some() {
        same("charts", &merged.charts, &charts)?;
    }
    if let Some(types) = answer["types"].as_object() {
        for (pointer, expected) in types {
            let ours = at(&merged.values, pointer).map(described).unwrap_or_default();
            let expected = (text(&expected[0]).to_owned(), text(&expected[1]).to_owned());
            same(&format!("type at {pointer}"), &ours, &expected)?;
        }
    }
    for (chart, expected) in answer["sub_values"].as_object().into_iter().flatten() {
        let ours = merged.sub_values.get(chart).map(to_json).unwrap_or_default();
        let ours: Json = serde_json::from_str(&ours).unwrap_or(Json::Null);
        same(&format!("values of {chart}"), &sorted(&ours), &sorted(expected))?;
    }
    Ok(())
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, ours: &T, theirs: &T) -> Result<(), String> {
    if ours == theirs { Ok(()) } else { Err(format!("{what}\n      ours {ours:?}\n      helm {theirs:?}")) }
}

fn sorted(json: &Json) -> String {
    let mut json = json.clone();
    json.sort_all_objects();
    json.to_string()
}

fn described(value: &Value) -> (String, String) {
    match &value.data {
        Data::Map(_) => ("map".to_owned(), String::new()),
        Data::List(_) => ("slice".to_owned(), String::new()),
        _ => (go_type(value).to_owned(), printed(value)),
    }
}

pub(crate) fn at<'v>(value: &'v Value, pointer: &str) -> Option<&'v Value> {
    pointer.split('/').skip(1).map(|key| key.replace("~1", "/").replace("~0", "~")).try_fold(value, |value, key| {
        match &value.data {
            Data::List(items) => items.get(key.parse::<usize>().ok()?),
            _ => value.get(&key),
        }
    })
}

/// Helm's log line without the dressing of either logger.
fn bare_warning(line: &str) -> String {
    if let Some(rest) = line.strip_prefix("level=").and_then(|rest| rest.split_once("msg=\"")).map(|(_, rest)| rest) {
        let (message, attributes) = rest.split_once("\" ").unwrap_or((rest.trim_end_matches('"'), ""));
        let message = message.replace("\\\"", "\"").replace("\\\\", "\\");
        return match attributes.strip_prefix("error=\"") {
            Some(error) => format!("{message}: {}", error.trim_end_matches('"').replace("\\\"", "\"")),
            None => format!("{message} {attributes}").trim().to_owned(),
        };
    }
    match line.split_once(".go:").and_then(|(_, rest)| rest.split_once(": ")) {
        Some((_, message)) => message.to_owned(),
        None => line.to_owned(),
    }
}
