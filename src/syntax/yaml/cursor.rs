//! A place in the bytes that knows its line and its column in characters.

/// Classes of bytes that end the fast loops.
pub(super) const BLANK: u8 = 1;
pub(super) const BREAK: u8 = 2;
pub(super) const FLOW: u8 = 4;
pub(super) const COLON: u8 = 8;
pub(super) const WIDE: u8 = 16;
pub(super) const QUOTE: u8 = 32;
pub(super) const WORD: u8 = 64;

static CLASSES: [u8; 256] = classes();

#[expect(clippy::indexing_slicing, reason = "evaluated by the compiler")]
const fn classes() -> [u8; 256] {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let value = byte as u8;
        table[byte] = match value {
            b' ' | b'\t' => BLANK,
            b'\r' | b'\n' => BREAK,
            b',' | b'?' | b'[' | b']' | b'{' | b'}' => FLOW,
            b':' => COLON,
            b'\'' | b'"' | b'\\' => QUOTE,
            b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' | b'_' | b'-' => WORD,
            0x80.. => WIDE,
            _ => 0,
        };
        byte += 1;
    }
    table
}

/// The class bits of a byte.
pub(super) fn class(byte: u8) -> u8 {
    CLASSES.get(byte as usize).copied().unwrap_or(0)
}

/// Width in bytes of the character that a byte of valid UTF-8 begins.
pub(super) fn width(lead: u8) -> usize {
    match lead {
        0xF0.. => 4,
        0xE0.. => 3,
        0xC0.. => 2,
        _ => 1,
    }
}

/// The bytes under scan and where we are in them.
#[derive(Debug)]
pub(super) struct Cursor<'t> {
    pub(super) text: &'t str,
    bytes: &'t [u8],
    pub(super) pos: usize,
    pub(super) line: u32,
    pub(super) line_start: usize,
    /// Bytes before `pos` that begin no character.
    extra: usize,
    line_extra: usize,
}

impl<'t> Cursor<'t> {
    /// A cursor at `pos` over the bytes before `end`.
    pub(super) fn new(text: &'t str, pos: usize, end: usize) -> Self {
        let bytes = text.as_bytes().get(..end).unwrap_or_default();
        Self { text, bytes, pos, line: 0, line_start: pos, extra: 0, line_extra: 0 }
    }

    /// Lets the cursor read up to `end`.
    pub(super) fn set_end(&mut self, end: usize) {
        self.bytes = self.text.as_bytes().get(..end).unwrap_or_default();
    }

    /// Jumps to the start of a line.
    pub(super) fn jump(&mut self, pos: usize) {
        self.pos = pos;
        self.line += 1;
        self.line_start = pos;
        self.line_extra = self.extra;
    }

    /// The byte `ahead` of here; 0 behind the end (no other byte of the text is 0).
    pub(super) fn peek(&self, ahead: usize) -> u8 {
        self.bytes.get(self.pos + ahead).copied().unwrap_or(0)
    }

    /// The byte here.
    pub(super) fn byte(&self) -> u8 {
        self.peek(0)
    }

    /// Column in characters, from 0.
    pub(super) fn column(&self) -> usize {
        (self.pos - self.line_start) - (self.extra - self.line_extra)
    }

    /// Characters before here, up to a constant.
    pub(super) fn index(&self) -> usize {
        self.pos - self.extra
    }

    /// Whether the text has ended `ahead` of here.
    pub(super) fn is_end(&self, ahead: usize) -> bool {
        self.pos + ahead >= self.bytes.len()
    }

    /// Width of the line break `ahead` of here, 0 where there is none.
    pub(super) fn break_width(&self, ahead: usize) -> usize {
        match self.peek(ahead) {
            b'\r' if self.peek(ahead + 1) == b'\n' => 2,
            b'\n' | b'\r' => 1,
            0xC2 if self.peek(ahead + 1) == 0x85 => 2,
            0xE2 if self.peek(ahead + 1) == 0x80 && matches!(self.peek(ahead + 2), 0xA8 | 0xA9) => 3,
            _ => 0,
        }
    }

    /// Whether a space or tab stands `ahead` of here.
    pub(super) fn is_blank(&self, ahead: usize) -> bool {
        class(self.peek(ahead)) == BLANK
    }

    /// Whether a line break or the end stands `ahead` of here.
    pub(super) fn is_break_or_end(&self, ahead: usize) -> bool {
        self.break_width(ahead) > 0 || self.is_end(ahead)
    }

    /// Whether a blank, a line break or the end stands `ahead` of here.
    pub(super) fn is_blank_or_end(&self, ahead: usize) -> bool {
        self.is_blank(ahead) || self.is_break_or_end(ahead)
    }

    /// Goes over one character that is no line break.
    pub(super) fn skip(&mut self) {
        let width = width(self.byte());
        self.extra += width - 1;
        self.pos = (self.pos + width).min(self.bytes.len());
    }

    /// Goes over `count` ASCII characters.
    pub(super) fn skip_ascii(&mut self, count: usize) {
        self.pos = (self.pos + count).min(self.bytes.len());
    }

    /// Goes over spaces.
    pub(super) fn skip_spaces(&mut self) {
        while self.byte() == b' ' {
            self.pos += 1;
        }
    }

    /// Goes over spaces and tabs.
    pub(super) fn skip_blanks(&mut self) {
        while self.is_blank(0) {
            self.pos += 1;
        }
    }

    /// Goes over bytes of none of these classes; none of them is part of a wider character if `WIDE` is among them.
    pub(super) fn skip_until(&mut self, stop: u8) {
        let rest = self.bytes.get(self.pos..).unwrap_or_default();
        self.pos += rest.iter().position(|&byte| class(byte) & stop != 0).unwrap_or(rest.len());
    }

    /// Goes to the end of the line.
    pub(super) fn skip_to_break(&mut self) {
        loop {
            self.skip_until(BREAK | WIDE);
            if self.is_break_or_end(0) {
                return;
            }
            self.skip();
        }
    }

    /// Goes over a line break and says what it stands for; nothing where there is none.
    pub(super) fn skip_break(&mut self) -> &'t str {
        let width = self.break_width(0);
        if width == 0 {
            return "";
        }
        let written = self.text.get(self.pos..self.pos + width).unwrap_or_default();
        let wide = self.byte() >= 0x80;
        if wide {
            self.extra += width - 1;
        }
        self.pos += width;
        self.line += 1;
        self.line_start = self.pos;
        self.line_extra = self.extra;
        if wide && width == 3 { written } else { "\n" }
    }

    /// Whether `---` or `...` stands here at the start of a line.
    pub(super) fn is_marker(&self) -> bool {
        self.pos == self.line_start
            && matches!(self.byte(), b'-' | b'.')
            && self.peek(1) == self.byte()
            && self.peek(2) == self.byte()
            && self.is_blank_or_end(3)
    }

    /// The text from `start` to `end`.
    pub(super) fn slice(&self, start: usize, end: usize) -> &'t str {
        self.text.get(start..end).unwrap_or_default()
    }
}
