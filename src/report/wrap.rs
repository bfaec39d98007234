//! Lines that are filled up to a width. Words are never broken: they may be names to be copied.

/// The words of `text` in lines of at most `width` characters where words allow it; lines after the
/// first start with `indent`.
pub fn wrap(text: &str, width: usize, indent: &str) -> String {
    let mut out = String::new();
    let mut column = 0;
    for word in text.split_whitespace() {
        let length = word.chars().count();
        if column > 0 && column + 1 + length > width {
            out.push('\n');
            out.push_str(indent);
            column = indent.len();
        } else if column > 0 {
            out.push(' ');
            column += 1;
        }
        out.push_str(word);
        column += length;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_stay_whole() {
        assert_eq!(wrap("a `key=long-word` b c", 8, "  "), "a\n  `key=long-word`\n  b c");
        assert_eq!(wrap("", 8, ""), "");
    }
}
