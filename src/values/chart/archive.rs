//! `.tgz` charts into files.

use std::collections::BTreeMap;
use std::io::Read as _;

use super::Chart;
use crate::values::HelmError;

const MAX_BYTES: u64 = 100 * 1024 * 1024;
const MAX_FILE: u64 = 5 * 1024 * 1024;
const MAX_ENTRIES: usize = 20_000;

impl Chart {
    /// Unpacks a `.tgz` into a map of paths (relative to the chart's folder, with `/`) to bytes. Fails
    /// on what is no archive, and beyond 100 MB, 5 MB a file or 20,000 entries.
    pub fn unpack(archive: &[u8]) -> Result<BTreeMap<String, Vec<u8>>, HelmError> {
        let refused = |error: &dyn std::fmt::Display| HelmError::new(format!("chart archive: {error}"));
        let unzipped = flate2::read::MultiGzDecoder::new(archive).take(MAX_BYTES);
        let mut tar = tar::Archive::new(unzipped);
        let mut files = BTreeMap::new();
        for (index, entry) in tar.entries().map_err(|error| refused(&error))?.enumerate() {
            let mut entry = entry.map_err(|error| refused(&error))?;
            if index >= MAX_ENTRIES {
                return Err(refused(&"too many entries"));
            }
            if entry.header().entry_type() != tar::EntryType::Regular {
                continue;
            }
            let path = String::from_utf8_lossy(&entry.path_bytes()).replace('\\', "/");
            let Some((_, path)) = path.split_once('/') else {
                continue;
            };
            if path.split('/').any(|part| part == "..") || path.starts_with('/') {
                return Err(refused(&"illegally referenced parent directory"));
            }
            let path = path.to_owned();
            let mut bytes = Vec::new();
            (&mut entry).take(MAX_FILE + 1).read_to_end(&mut bytes).map_err(|error| refused(&error))?;
            if bytes.len() as u64 > MAX_FILE {
                return Err(refused(&format!("{path} is too large")));
            }
            files.insert(path, bytes);
        }
        if files.is_empty() {
            return Err(HelmError::new("no files in chart archive"));
        }
        Ok(files)
    }
}
