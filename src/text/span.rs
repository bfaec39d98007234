//! Half-open byte ranges, alone and inside a source.

use super::SourceId;

/// A half-open range `[start, end)` of byte offsets into one text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Span {
    /// Offset of the first byte.
    pub start: u32,
    /// Offset after the last byte.
    pub end: u32,
}

impl Span {
    /// A span from `start` to `end`, both in bytes; an end before the start counts as the start.
    pub fn new(start: usize, end: usize) -> Self {
        let start = u32::try_from(start).unwrap_or(u32::MAX);
        let end = u32::try_from(end).unwrap_or(u32::MAX).max(start);
        Self { start, end }
    }

    /// A span without width.
    pub fn empty(at: usize) -> Self {
        Self::new(at, at)
    }

    /// Length in bytes.
    pub fn len(self) -> usize {
        (self.end - self.start) as usize
    }

    /// Whether the span has no width.
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// Whether `other` lies inside, edges included.
    pub fn contains(self, other: Self) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// The range as `usize`, for slicing.
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }

    /// The text under this span; empty where the span is not on character boundaries of `text`.
    pub fn slice(self, text: &str) -> &str {
        text.get(self.range()).unwrap_or_default()
    }
}

/// A span in a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Location {
    /// The source.
    pub source: SourceId,
    /// Byte offsets into that source's text.
    pub span: Span,
}
