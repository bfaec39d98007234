//! Which characters a stream may hold.

/// What is said of a character that a stream may not hold.
pub(super) const MESSAGE: &str = "a control character is not allowed in YAML";

/// go-yaml decodes its input in blocks of this many bytes, ahead of the scanner.
const BLOCK: usize = 512;

/// Offset of the first character at or after `from` that YAML does not allow.
pub(super) fn first_bad(text: &str, from: usize) -> Option<usize> {
    let bytes = text.as_bytes().get(from..)?;
    let mut base = from;
    for chunk in bytes.chunks(256) {
        // Without a way out in the middle the compiler looks at many bytes at once.
        if chunk.iter().fold(false, |found, &byte| found | is_suspect(byte)) {
            let bad = (base..base + chunk.len()).find(|&at| is_bad(text.as_bytes(), at));
            if bad.is_some() {
                return bad;
            }
        }
        base += chunk.len();
    }
    None
}

fn is_suspect(byte: u8) -> bool {
    ((byte < 0x20) & (byte != b'\n')) | (byte == 0x7F) | (byte == 0xC2) | (byte == 0xEF)
}

fn is_bad(bytes: &[u8], at: usize) -> bool {
    let next = |ahead: usize| bytes.get(at + ahead).copied().unwrap_or(0);
    match next(0) {
        b'\t' | b'\n' | b'\r' => false,
        0x00..0x20 | 0x7F => true,
        0xC2 => matches!(next(1), 0x80..=0x9F) && next(1) != 0x85,
        0xEF => next(1) == 0xBF && matches!(next(2), 0xBE | 0xBF),
        _ => false,
    }
}

/// Start of the block in which go-yaml meets the byte at `at`, sought from the block at `start` on:
/// nothing of a block is seen before the whole block is.
pub(super) fn block_start(text: &str, mut start: usize, at: usize) -> usize {
    loop {
        let mut next = start + BLOCK;
        // A character that the block cuts is left for the next one.
        while next < text.len() && !text.is_char_boundary(next) {
            next -= 1;
        }
        if next > at || next >= text.len() {
            return start;
        }
        start = next;
    }
}
