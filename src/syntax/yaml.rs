//! YAML as go-yaml v2 reads it.

use std::sync::Arc;

use super::{Builder, Language, Tree};
use crate::text::SourceId;

/// Reads a stream of YAML documents.
pub fn parse(text: Arc<str>, source: SourceId) -> Tree {
    Builder::new(Language::Yaml, text, source).finish()
}
