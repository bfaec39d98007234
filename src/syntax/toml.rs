//! TOML into the tree.

use std::sync::Arc;

use super::{Builder, Language, Tree};
use crate::text::SourceId;

/// Reads a TOML document; several errors are reported, what could be read is in the tree.
pub fn parse(text: Arc<str>, source: SourceId) -> Tree {
    Builder::new(Language::Toml, text, source).finish()
}
