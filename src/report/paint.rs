//! Colours for the formats that draw themselves, and text that cannot play tricks on a terminal.

use crate::diagnostic::Severity;

/// Wraps text in escape sequences, or does not.
#[derive(Debug, Clone, Copy)]
pub struct Paint(pub bool);

impl Paint {
    /// In bold.
    pub fn bold(self, text: &str) -> String {
        self.code("1", text)
    }

    /// Less visible.
    pub fn dim(self, text: &str) -> String {
        self.code("2", text)
    }

    /// Like a name to be typed.
    pub fn name(self, text: &str) -> String {
        self.code("36", text)
    }

    /// Struck through.
    pub fn struck(self, text: &str) -> String {
        self.code("9;31", text)
    }

    /// Like a line that came.
    pub fn added(self, text: &str) -> String {
        self.code("32", text)
    }

    /// Like a line that went.
    pub fn removed(self, text: &str) -> String {
        self.code("31", text)
    }

    /// In the colour of a level.
    pub fn severity(self, severity: Severity, text: &str) -> String {
        let code = match severity {
            Severity::Error => "1;31",
            Severity::Warning => "1;33",
            Severity::Info => "1;36",
        };
        self.code(code, text)
    }

    fn code(self, code: &str, text: &str) -> String {
        if self.0 && !text.is_empty() { format!("\u{1b}[{code}m{text}\u{1b}[0m") } else { text.to_owned() }
    }
}

/// Replaces control characters and direction overrides by visible ones of the same length in
/// UTF-8, line breaks and tabs aside: files are not trusted.
pub(super) fn printable(text: &str) -> String {
    text.chars().map(printable_char).collect()
}

fn printable_char(c: char) -> char {
    match c {
        '\n' | '\t' | '\r' => c,
        '\0'..='\u{1f}' | '\u{7f}' => '?',
        '\u{80}'..='\u{9f}' => '¿',
        '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2028}' | '\u{2029}' | '\u{2066}'..='\u{2069}' => {
            '\u{fffd}'
        }
        _ => c,
    }
}

/// The same for text that must stay on its line.
pub(super) fn one_line(text: &str) -> String {
    printable(text).replace(['\n', '\r'], " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terminals_are_safe_and_offsets_stay() {
        let text = "a\u{1b}[31m\u{9b}\u{202e}b\tc";
        let safe = printable(text);
        assert_eq!(safe, "a?[31m¿\u{fffd}b\tc");
        assert_eq!(safe.len(), text.len());
    }
}
