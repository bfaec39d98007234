//! Bytes of a file into text, or why they are none.

use super::Encoding;

/// The largest file that is read, in bytes.
pub const MAX_BYTES: usize = 64 << 20;

/// How much of a file is searched for the NUL that shows that it is binary; as git does it.
const BINARY_PROBE: usize = 8000;

/// The text of a file and how it was encoded. A BOM stays as U+FEFF.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text {
    /// The text.
    pub text: String,
    /// How it was encoded on disk.
    pub encoding: Encoding,
}

/// Why bytes are no text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotText {
    /// More than [`MAX_BYTES`]: its size in bytes.
    TooLarge(usize),
    /// Encrypted by git-crypt.
    GitCrypt,
    /// Holds a NUL.
    Binary,
    /// The offset of the first byte that is no UTF-8.
    InvalidUtf8(usize),
    /// The offset of the first half of a surrogate pair that lacks the other, or of an odd last byte.
    InvalidUtf16(usize),
}

impl NotText {
    /// Whether such a file is no mistake of anybody's: said once at `-v`, not reported.
    pub fn is_expected(self) -> bool {
        matches!(self, Self::GitCrypt | Self::Binary)
    }
}

impl std::fmt::Display for NotText {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::TooLarge(size) => write!(f, "the file has {size} bytes, the limit is {MAX_BYTES}"),
            Self::GitCrypt => f.write_str("the file is encrypted by git-crypt"),
            Self::Binary => f.write_str("the file is binary"),
            Self::InvalidUtf8(at) => write!(f, "invalid UTF-8 at byte {at}"),
            Self::InvalidUtf16(at) => write!(f, "invalid UTF-16 at byte {at}"),
        }
    }
}

/// Decodes UTF-8, with or without a BOM, and UTF-16 with one.
pub fn decode(bytes: Vec<u8>) -> Result<Text, NotText> {
    if bytes.len() > MAX_BYTES {
        return Err(NotText::TooLarge(bytes.len()));
    }
    if bytes.starts_with(b"\0GITCRYPT\0") {
        return Err(NotText::GitCrypt);
    }
    match bytes.as_slice() {
        [0xff, 0xfe, ..] => utf16(&bytes, u16::from_le_bytes),
        [0xfe, 0xff, ..] => utf16(&bytes, u16::from_be_bytes),
        _ if bytes.iter().take(BINARY_PROBE).any(|&byte| byte == 0) => Err(NotText::Binary),
        _ => match String::from_utf8(bytes) {
            Ok(text) => Ok(Text { text, encoding: Encoding::Utf8 }),
            Err(error) => Err(NotText::InvalidUtf8(error.utf8_error().valid_up_to())),
        },
    }
}

fn utf16(bytes: &[u8], read: fn([u8; 2]) -> u16) -> Result<Text, NotText> {
    let pairs = bytes.chunks_exact(2);
    if !pairs.remainder().is_empty() {
        return Err(NotText::InvalidUtf16(bytes.len() - 1));
    }
    let units = pairs.filter_map(|pair| pair.first_chunk().copied().map(read));
    let (mut text, mut at) = (String::with_capacity(bytes.len()), 0);
    for char in char::decode_utf16(units) {
        let char = char.map_err(|_| NotText::InvalidUtf16(at))?;
        at += char.len_utf16() * 2;
        text.push(char);
    }
    Ok(Text { text, encoding: Encoding::Utf16 })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str, encoding: Encoding) -> Result<Text, NotText> {
        Ok(Text { text: text.into(), encoding })
    }

    #[test]
    fn utf8_keeps_its_bom() {
        assert_eq!(decode("a: é\n".into()), text("a: é\n", Encoding::Utf8));
        assert_eq!(decode("\u{feff}a".into()), text("\u{feff}a", Encoding::Utf8));
        assert_eq!(decode(Vec::new()), text("", Encoding::Utf8));
        assert_eq!(decode(b"ab\xff".to_vec()), Err(NotText::InvalidUtf8(2)));
        assert_eq!(decode(b"ab\xe2\x82".to_vec()), Err(NotText::InvalidUtf8(2)));
    }

    #[test]
    fn utf16_is_transcoded() {
        for read in [u16::to_le_bytes, u16::to_be_bytes] {
            let bytes: Vec<u8> = "\u{feff}a: 😀\n".encode_utf16().flat_map(read).collect();
            assert_eq!(decode(bytes), text("\u{feff}a: 😀\n", Encoding::Utf16));
        }
        assert_eq!(decode(b"\xff\xfea\0\x00\xd8".to_vec()), Err(NotText::InvalidUtf16(4)));
        assert_eq!(decode(b"\xff\xfea\0b".to_vec()), Err(NotText::InvalidUtf16(4)));
    }

    #[test]
    fn what_is_no_text() {
        assert_eq!(decode(b"\0GITCRYPT\0\x8b\x01".to_vec()), Err(NotText::GitCrypt));
        assert_eq!(decode(b"\x1f\x8b\x08\0".to_vec()), Err(NotText::Binary));
        assert_eq!(decode(vec![b'a'; MAX_BYTES + 1]), Err(NotText::TooLarge(MAX_BYTES + 1)));
    }
}
