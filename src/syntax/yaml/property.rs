//! Directives, anchors, aliases and tags.

use super::cursor::{WORD, class};
use super::scanner::Scanner;
use super::token::{Fault, Result, Token, TokenKind};

impl Scanner<'_> {
    pub(super) fn scan_directive(&mut self) -> Result<Token> {
        let start = self.cursor.pos;
        self.cursor.skip_ascii(1);
        let name_start = self.cursor.pos;
        self.skip_word();
        let name = self.cursor.slice(name_start, self.cursor.pos);
        if name.is_empty() {
            return Err(self.directive_fault(start, "a directive without a name"));
        }
        if !self.cursor.is_blank_or_end(0) {
            return Err(self.directive_fault(start, "this character cannot stand in the name of a directive"));
        }
        let kind = match name {
            "YAML" => self.scan_version(start)?,
            "TAG" => self.scan_tag_directive(start)?,
            _ => {
                let fault = Fault::new(self.cursor.pos, self.cursor.pos, "an unknown directive");
                return Err(fault.within(start, self.cursor.pos, "the directive"));
            }
        };
        let end = self.cursor.pos;
        self.cursor.skip_blanks();
        if self.cursor.byte() == b'#' {
            self.scan_comment();
        }
        if !self.cursor.is_break_or_end(0) {
            return Err(self.directive_fault(start, "text behind a directive"));
        }
        self.cursor.skip_break();
        Ok(Token::new(kind, start, end))
    }

    fn directive_fault(&self, start: usize, message: &'static str) -> Fault {
        self.fault_here(message).within(start, start + 1, "in the directive that begins here")
    }

    fn skip_word(&mut self) {
        while class(self.cursor.byte()) == WORD {
            self.cursor.skip_ascii(1);
        }
    }

    fn scan_version(&mut self, start: usize) -> Result<TokenKind> {
        self.cursor.skip_blanks();
        let major = self.scan_version_number(start)?;
        if self.cursor.byte() != b'.' {
            return Err(self.directive_fault(start, "a `.` should stand here"));
        }
        self.cursor.skip_ascii(1);
        let minor = self.scan_version_number(start)?;
        Ok(TokenKind::VersionDirective(major, minor))
    }

    fn scan_version_number(&mut self, start: usize) -> Result<u8> {
        let mut value = None;
        let from = self.cursor.pos;
        while let digit @ b'0'..=b'9' = self.cursor.byte() {
            if self.cursor.pos - from >= 2 {
                return Err(self.directive_fault(start, "a version number that is too long"));
            }
            value = Some(value.unwrap_or(0) * 10 + (digit - b'0'));
            self.cursor.skip_ascii(1);
        }
        value.ok_or_else(|| self.directive_fault(start, "a version number should stand here"))
    }

    fn scan_tag_directive(&mut self, start: usize) -> Result<TokenKind> {
        self.cursor.skip_blanks();
        let from = self.cursor.pos;
        self.scan_handle(start, true)?;
        let handle = self.cursor.slice(from, self.cursor.pos);
        if !self.cursor.is_blank(0) {
            return Err(self.directive_fault(start, "a blank should stand here"));
        }
        self.cursor.skip_blanks();
        let prefix = self.scan_uri(start, "", false)?;
        if !self.cursor.is_blank_or_end(0) {
            return Err(self.directive_fault(start, "this character cannot stand in a tag"));
        }
        let index = u32::try_from(self.tag_directives.len()).unwrap_or(u32::MAX);
        self.tag_directives.push((handle.into(), prefix.into_boxed_str()));
        Ok(TokenKind::TagDirective(index))
    }

    pub(super) fn scan_anchor(&mut self, kind: TokenKind) -> Result<Token> {
        let start = self.cursor.pos;
        self.cursor.skip_ascii(1);
        self.skip_word();
        let end = self.cursor.pos;
        let ends = self.cursor.is_blank_or_end(0)
            || matches!(self.cursor.byte(), b'?' | b':' | b',' | b']' | b'}' | b'%' | b'@' | b'`');
        if end == start + 1 || !ends {
            let what = if kind == TokenKind::Alias { "the alias" } else { "the anchor" };
            let fault = self.fault_here("the name of an anchor has letters, digits, `_` and `-` only");
            return Err(fault.within(start, end, what));
        }
        Ok(Token::new(kind, start, end))
    }

    pub(super) fn scan_tag(&mut self) -> Result<Token> {
        let start = self.cursor.pos;
        let (handle, suffix) = if self.cursor.peek(1) == b'<' {
            self.cursor.skip_ascii(2);
            let suffix = self.scan_uri(start, "", false)?;
            if self.cursor.byte() != b'>' {
                return Err(self.tag_fault(start, "a `>` should stand here"));
            }
            self.cursor.skip_ascii(1);
            (0, suffix)
        } else {
            self.scan_handle(start, false)?;
            let handle = self.cursor.slice(start, self.cursor.pos);
            if handle.len() > 1 && handle.ends_with('!') {
                (handle.len(), self.scan_uri(start, "", false)?)
            } else {
                let suffix = self.scan_uri(start, handle.get(1..).unwrap_or_default(), true)?;
                if suffix.is_empty() { (0, "!".to_owned()) } else { (1, suffix) }
            }
        };
        if !self.cursor.is_blank_or_end(0) {
            return Err(self.tag_fault(start, "this character cannot stand in a tag"));
        }
        let handle = u32::try_from(handle).unwrap_or(u32::MAX);
        let mut token = Token::new(TokenKind::Tag(handle), start, self.cursor.pos);
        token.text = Some(suffix.into_boxed_str());
        Ok(token)
    }

    fn tag_fault(&self, start: usize, message: &'static str) -> Fault {
        self.fault_here(message).within(start, self.cursor.pos, "the tag")
    }

    fn scan_handle(&mut self, start: usize, directive: bool) -> Result<()> {
        if self.cursor.byte() != b'!' {
            return Err(self.tag_fault(start, "a `!` should stand here"));
        }
        let from = self.cursor.pos;
        self.cursor.skip_ascii(1);
        self.skip_word();
        if self.cursor.byte() == b'!' {
            self.cursor.skip_ascii(1);
        } else if directive && self.cursor.pos != from + 1 {
            return Err(self.tag_fault(start, "a `!` should stand here"));
        }
        Ok(())
    }

    /// The characters of a tag behind `head`, escapes undone; may be empty only after a `!`.
    fn scan_uri(&mut self, start: usize, head: &str, may_be_empty: bool) -> Result<String> {
        let mut bytes = head.as_bytes().to_vec();
        let from = self.cursor.pos;
        loop {
            let byte = self.cursor.byte();
            match byte {
                b'%' => self.scan_uri_escape(start, &mut bytes)?,
                _ if class(byte) == WORD || b";/?:@&=+$,.!~*'()[]".contains(&byte) => {
                    bytes.push(byte);
                    self.cursor.skip_ascii(1);
                }
                _ => break,
            }
        }
        if self.cursor.pos == from && !may_be_empty {
            return Err(self.tag_fault(start, "a tag should stand here"));
        }
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// One character as `%` escapes.
    fn scan_uri_escape(&mut self, start: usize, bytes: &mut Vec<u8>) -> Result<()> {
        let mut left = None;
        while left != Some(0) {
            let digit = |ahead: usize| (self.cursor.peek(ahead) as char).to_digit(16);
            let (b'%', Some(high), Some(low)) = (self.cursor.byte(), digit(1), digit(2)) else {
                return Err(self.tag_fault(start, "a `%` escape should stand here"));
            };
            let octet = (high * 16 + low) as u8;
            left = match left {
                None => match octet {
                    0x00..0x80 => Some(0),
                    0xC0..0xE0 => Some(1),
                    0xE0..0xF0 => Some(2),
                    0xF0..0xF8 => Some(3),
                    _ => return Err(self.tag_fault(start, "an escape that begins no character")),
                },
                Some(_) if octet & 0xC0 != 0x80 => {
                    return Err(self.tag_fault(start, "an escape that continues no character"));
                }
                Some(more) => Some(more - 1),
            };
            bytes.push(octet);
            self.cursor.skip_ascii(3);
        }
        Ok(())
    }
}
