//! Rows of the oracle's files.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value;

pub(crate) struct Row(pub(crate) Value);

/// None where the file is not there.
pub(crate) fn read_rows(file: &str) -> Option<Vec<Row>> {
    let text = std::fs::read_to_string(root().join(file)).ok()?;
    Some(text.lines().map(|line| Row(serde_json::from_str(line).unwrap())).collect())
}

pub(crate) fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

pub(crate) fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

impl Row {
    pub(crate) fn name(&self) -> &str {
        text(&self.0["name"])
    }

    pub(crate) fn list(&self, key: &str) -> &[Value] {
        self.0[key].as_array().map(Vec::as_slice).unwrap_or_default()
    }

    pub(crate) fn is_nondeterministic(&self, version: &str) -> bool {
        self.list("nondeterministic").iter().any(|listed| listed == version)
    }

    /// Files of a chart under `key`, or those of `chart_data`.
    pub(crate) fn chart(&self, key: &str) -> BTreeMap<String, Vec<u8>> {
        if let Some(folder) = self.0["chart_data"].as_str() {
            return folder_files(&root().join("../shared/helm-oracle").join(folder));
        }
        let files = self.0[key].as_object().unwrap();
        files.iter().map(|(path, content)| (path.clone(), bytes(content))).collect()
    }
}

/// Text, or `{"b64": …}`; a values file is `{"text": …}`.
pub(crate) fn bytes(content: &Value) -> Vec<u8> {
    match content {
        Value::String(text) => text.clone().into_bytes(),
        content => match content["text"].as_str() {
            Some(text) => text.as_bytes().to_vec(),
            None => decode_base64(text(&content["b64"])),
        },
    }
}

fn decode_base64(text: &str) -> Vec<u8> {
    const ALPHABET: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (mut bits, mut count, mut out) = (0u32, 0, Vec::new());
    for six in text.bytes().filter_map(|byte| ALPHABET.iter().position(|&letter| letter == byte)) {
        bits = bits << 6 | six as u32;
        count += 6;
        if count >= 8 {
            count -= 8;
            out.push((bits >> count) as u8);
        }
    }
    out
}

fn folder_files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let files = walkdir::WalkDir::new(folder).into_iter().filter_map(Result::ok).filter(|e| e.file_type().is_file());
    files
        .map(|entry| {
            let path = entry.path().strip_prefix(folder).unwrap().to_string_lossy().replace('\\', "/");
            (path, std::fs::read(entry.path()).unwrap())
        })
        .collect()
}
