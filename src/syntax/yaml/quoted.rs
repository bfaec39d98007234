//! Scalars in quotes.

use super::cursor::{BLANK, BREAK, QUOTE, WIDE, class};
use super::plain::Folded;
use super::scanner::Scanner;
use super::token::{Fault, Result, Token, TokenKind};
use crate::syntax::Kind;

impl Scanner<'_> {
    pub(super) fn scan_quoted(&mut self, single: bool) -> Result<Token> {
        let start = self.cursor.pos;
        self.cursor.skip_ascii(1);
        let mut folded = Folded::default();
        // Start of what was gone over and not yet copied.
        let mut from = self.cursor.pos;
        let quote = if single { b'\'' } else { b'"' };
        loop {
            if self.cursor.is_marker() {
                return Err(self.unclosed(start, "a document marker inside quotes"));
            }
            if self.cursor.is_end(0) {
                return Err(self.unclosed(start, "a quote that is never closed"));
            }
            let escaped_break = self.scan_quoted_word(single, start, &mut folded, &mut from)?;
            if self.cursor.byte() == quote {
                break;
            }
            self.scan_quoted_gap(escaped_break, start, &mut folded, &mut from);
        }
        let end = self.cursor.pos;
        if let Some(text) = folded.owned() {
            text.push_str(self.cursor.slice(from, end));
        }
        self.cursor.skip_ascii(1);
        let kind = if single { Kind::SingleQuoted } else { Kind::DoubleQuoted };
        let mut token = Token::new(TokenKind::Scalar(kind), start, self.cursor.pos);
        token.text = folded.finish();
        Ok(token)
    }

    fn unclosed(&self, start: usize, message: &'static str) -> Fault {
        Fault::new(start, start + 1, message).noticed_at(self.cursor.pos)
    }

    /// Goes over characters up to a blank, a break or the closing quote; true after `\` at the end of a line.
    fn scan_quoted_word(&mut self, single: bool, start: usize, folded: &mut Folded, from: &mut usize) -> Result<bool> {
        loop {
            self.cursor.skip_until(BLANK | BREAK | WIDE | QUOTE);
            if self.cursor.is_end(0) {
                return Ok(false);
            }
            let byte = self.cursor.byte();
            let class = class(byte);
            match byte {
                b'\'' if single && self.cursor.peek(1) == b'\'' => {
                    let text = folded.own(self.cursor.slice(start + 1, self.cursor.pos));
                    copy(text, self.cursor.slice(*from, self.cursor.pos), *from == start + 1);
                    self.cursor.skip_ascii(2);
                    // The second quote is the one that is meant.
                    *from = self.cursor.pos - 1;
                }
                b'\'' if single => return Ok(false),
                b'"' if !single => return Ok(false),
                b'\\' if !single => {
                    let text = folded.own(self.cursor.slice(start + 1, self.cursor.pos));
                    copy(text, self.cursor.slice(*from, self.cursor.pos), *from == start + 1);
                    if self.cursor.break_width(1) > 0 {
                        self.cursor.skip_ascii(1);
                        self.cursor.skip_break();
                        *from = self.cursor.pos;
                        return Ok(true);
                    }
                    self.scan_escape(start, folded)?;
                    *from = self.cursor.pos;
                }
                _ if class & (BLANK | BREAK) != 0 || self.cursor.break_width(0) > 0 => return Ok(false),
                _ => self.cursor.skip(),
            }
        }
    }

    /// Goes over blanks and breaks.
    fn scan_quoted_gap(&mut self, escaped_break: bool, start: usize, folded: &mut Folded, from: &mut usize) {
        let gap = self.cursor.pos;
        let mut breaks = escaped_break;
        let mut first = true;
        loop {
            if self.cursor.is_blank(0) {
                self.cursor.skip_ascii(1);
                continue;
            }
            let written = self.cursor.skip_break();
            if written.is_empty() {
                break;
            }
            if breaks {
                folded.further_break(written);
            } else {
                if first {
                    let text = folded.own(self.cursor.slice(start + 1, gap));
                    copy(text, self.cursor.slice(*from, gap), *from == start + 1);
                    first = false;
                }
                folded.first_break(written);
                breaks = true;
            }
        }
        if breaks {
            folded.fold();
            *from = self.cursor.pos;
        }
    }

    fn scan_escape(&mut self, start: usize, folded: &mut Folded) -> Result<()> {
        let Some(text) = folded.owned() else {
            return Ok(());
        };
        let digits = match self.cursor.peek(1) {
            b'x' => 2,
            b'u' => 4,
            b'U' => 8,
            other => {
                let Some(meant) = escape(other) else {
                    let pos = self.cursor.pos;
                    let next = self.cursor.text.get(pos + 1..).and_then(|rest| rest.chars().next());
                    let width = next.map_or(0, char::len_utf8);
                    return Err(Fault::new(pos, pos + 1 + width, "an escape that YAML does not know").within(
                        start,
                        start + 1,
                        "in the quotes opened here",
                    ));
                };
                text.push(meant);
                self.cursor.skip_ascii(2);
                return Ok(());
            }
        };
        self.cursor.skip_ascii(2);
        let pos = self.cursor.pos;
        let mut code = 0u32;
        for ahead in 0..digits {
            let Some(digit) = (self.cursor.peek(ahead) as char).to_digit(16) else {
                return Err(Fault::new(pos, pos, "an escape with too few hexadecimal digits").within(
                    start,
                    start + 1,
                    "in the quotes opened here",
                ));
            };
            code = (code << 4) | digit;
        }
        let Some(meant) = char::from_u32(code) else {
            return Err(Fault::new(pos, pos + digits, "an escape that stands for no character").within(
                start,
                start + 1,
                "in the quotes opened here",
            ));
        };
        text.push(meant);
        self.cursor.skip_ascii(digits);
        Ok(())
    }
}

/// Copies a run, unless making the text owned already did.
fn copy(text: &mut String, run: &str, done: bool) {
    if !done {
        text.push_str(run);
    }
}

fn escape(byte: u8) -> Option<char> {
    Some(match byte {
        b'0' => '\0',
        b'a' => '\x07',
        b'b' => '\x08',
        b't' | b'\t' => '\t',
        b'n' => '\n',
        b'v' => '\x0B',
        b'f' => '\x0C',
        b'r' => '\r',
        b'e' => '\x1B',
        b' ' => ' ',
        b'"' => '"',
        b'\'' => '\'',
        b'\\' => '\\',
        b'N' => '\u{85}',
        b'_' => '\u{A0}',
        b'L' => '\u{2028}',
        b'P' => '\u{2029}',
        _ => return None,
    })
}
