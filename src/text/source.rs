//! The store of all text that was read.

use std::sync::{Arc, OnceLock};

use super::{LineIndex, Location, Position, Span};

/// Number of a source. Ids are handed out in sorted order of names, so runs are reproducible.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SourceId(pub u32);

/// How the bytes of a file were encoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Encoding {
    /// UTF-8, with or without a BOM (the BOM stays in the text).
    #[default]
    Utf8,
    /// UTF-16 with a BOM; the text was transcoded.
    Utf16,
}

/// One text: a file, stdin, a `--set` flag, built-in chart defaults.
#[derive(Debug)]
pub struct Source {
    /// What to call it: a path with `/`, `<stdin>`, `--set a=1`, `chart:NAME@VERSION`.
    pub name: String,
    /// The text, BOM included.
    pub text: Arc<str>,
    /// How it was encoded on disk.
    pub encoding: Encoding,
    /// Whether it is a file (or stdin) of the user's: only such sources may hold a finding.
    pub is_file: bool,
    lines: OnceLock<LineIndex>,
}

impl Source {
    /// The line index, built on first use.
    pub fn lines(&self) -> &LineIndex {
        self.lines.get_or_init(|| LineIndex::new(&self.text))
    }

    /// Line and column of a byte offset of the text.
    pub fn position(&self, offset: usize) -> Position {
        self.lines().position(&self.text, offset)
    }

    /// Offset in the file on disk of an offset of the text.
    pub fn file_offset(&self, offset: usize) -> usize {
        match self.encoding {
            Encoding::Utf8 => offset,
            Encoding::Utf16 => {
                let before = self.text.get(..offset).unwrap_or_default();
                before.encode_utf16().count() * 2
            }
        }
    }
}

/// Append-only store of sources.
#[derive(Debug, Default)]
pub struct Sources {
    sources: Vec<Source>,
}

impl Sources {
    /// Adds a text and returns its id.
    pub fn add(
        &mut self,
        name: impl Into<String>,
        text: impl Into<Arc<str>>,
        encoding: Encoding,
        is_file: bool,
    ) -> SourceId {
        let id = SourceId(u32::try_from(self.sources.len()).unwrap_or(u32::MAX));
        self.sources.push(Source { name: name.into(), text: text.into(), encoding, is_file, lines: OnceLock::new() });
        id
    }

    /// The source of an id that this store handed out.
    pub fn get(&self, id: SourceId) -> Option<&Source> {
        self.sources.get(id.0 as usize)
    }

    /// The text at a location; empty where there is none.
    pub fn text(&self, at: Location) -> &str {
        self.get(at.source).map_or("", |source| at.span.slice(&source.text))
    }

    /// Start position of a location.
    pub fn start(&self, at: Location) -> Option<Position> {
        Some(self.get(at.source)?.position(at.span.start as usize))
    }

    /// End position (exclusive) of a location.
    pub fn end(&self, at: Location) -> Option<Position> {
        Some(self.get(at.source)?.position(at.span.end as usize))
    }

    /// All sources with their ids, in order.
    pub fn iter(&self) -> impl Iterator<Item = (SourceId, &Source)> {
        (0u32..).map(SourceId).zip(&self.sources)
    }

    /// The span of a whole source.
    pub fn whole(&self, id: SourceId) -> Location {
        let len = self.get(id).map_or(0, |source| source.text.len());
        Location { source: id, span: Span::new(0, len) }
    }
}
