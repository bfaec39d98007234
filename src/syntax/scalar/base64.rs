//! Base64 as Go's standard decoder reads it.

/// The bytes; none where the text is no padded base64. Line breaks are passed over.
pub(super) fn decode(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let mut group = 0u32;
    let mut filled = 0;
    let mut padding = 0;
    for byte in text.bytes().filter(|byte| !matches!(byte, b'\r' | b'\n')) {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            b'=' if filled >= 2 => {
                padding += 1;
                0
            }
            _ => return None,
        };
        // Nothing stands behind the padding.
        if padding > 0 && byte != b'=' || (filled == 0 && bytes.len() % 3 != 0) {
            return None;
        }
        group = (group << 6) | u32::from(value);
        filled += 1;
        if filled == 4 {
            let [_, first, second, third] = group.to_be_bytes();
            bytes.extend([first, second, third].into_iter().take(3 - padding));
            (group, filled) = (0, 0);
        }
    }
    (filled == 0).then_some(bytes)
}

#[cfg(test)]
mod tests {
    use super::decode;

    #[test]
    fn padded_text_only() {
        assert_eq!(decode("aGVs\nbG8=").unwrap(), b"hello");
        assert_eq!(decode("aGVsbA==").unwrap(), b"hell");
        assert_eq!(decode("").unwrap(), b"");
        for bad in ["aGVsbG8", "a", "====", "aGVsbG8=a", "aGVsbA==aGVs", "aG=s", "a b="] {
            assert_eq!(decode(bad), None, "{bad}");
        }
    }
}
