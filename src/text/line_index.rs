//! Offsets to lines and columns.

/// A place as people count: from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// Line, from 1.
    pub line: usize,
    /// Column in Unicode characters, from 1.
    pub column: usize,
}

/// Start offsets of all lines of a text. A line ends at LF, CRLF or a lone CR.
#[derive(Debug)]
pub struct LineIndex {
    starts: Vec<u32>,
}

impl LineIndex {
    /// Indexes `text`.
    pub fn new(text: &str) -> Self {
        let bytes = text.as_bytes();
        let mut starts = vec![0];
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            at += 1;
            let ends = byte == b'\n' || (byte == b'\r' && bytes.get(at) != Some(&b'\n'));
            if ends {
                starts.push(u32::try_from(at).unwrap_or(u32::MAX));
            }
        }
        Self { starts }
    }

    /// Position of a byte offset in the text that was indexed. A BOM does not count as a column.
    pub fn position(&self, text: &str, offset: usize) -> Position {
        let offset32 = u32::try_from(offset).unwrap_or(u32::MAX);
        let line = self.starts.partition_point(|&start| start <= offset32).max(1);
        let start = self.line_start(line);
        let before = text.get(start..offset).unwrap_or_default();
        let before = before.strip_prefix('\u{feff}').filter(|_| start == 0).unwrap_or(before);
        Position { line, column: before.chars().count() + 1 }
    }

    /// Offset of the first byte of a line (from 1); of the last line where there are fewer.
    pub fn line_start(&self, line: usize) -> usize {
        let start = self.starts.get(line.saturating_sub(1)).or(self.starts.last());
        start.copied().unwrap_or_default() as usize
    }

    /// Number of lines; a text that ends with a break has an empty last line.
    pub fn len(&self) -> usize {
        self.starts.len()
    }

    /// Never: a text has at least one line.
    pub fn is_empty(&self) -> bool {
        self.starts.is_empty()
    }
}
