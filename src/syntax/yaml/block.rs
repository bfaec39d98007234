//! Block scalars.

use super::scanner::Scanner;
use super::token::{Fault, Result, Token, TokenKind};
use crate::syntax::Kind;

/// What stands behind `|` or `>`.
struct Header {
    /// `+` 1, `-` -1, else 0.
    chomping: i8,
    increment: usize,
    /// End of the indicators.
    end: usize,
}

impl Scanner<'_> {
    pub(super) fn scan_block_scalar(&mut self, literal: bool) -> Result<Token> {
        let start = self.cursor.pos;
        self.cursor.skip_ascii(1);
        let header = self.scan_block_header(start)?;
        let mut indent = match header.increment {
            0 => 0,
            more if self.indent >= 0 => self.indent as usize + more,
            more => more,
        };
        let mut text = String::new();
        let mut leading = "";
        let mut trailing = String::new();
        let mut end = header.end;
        let mut leading_blank = false;
        self.scan_block_breaks(&mut indent, &mut trailing, start)?;
        while self.cursor.column() == indent && !self.cursor.is_end(0) {
            let blank = self.cursor.is_blank(0);
            if !literal && !leading_blank && !blank && leading == "\n" {
                if trailing.is_empty() {
                    text.push(' ');
                }
            } else {
                text.push_str(leading);
            }
            text.push_str(&trailing);
            trailing.clear();
            leading_blank = blank;
            let from = self.cursor.pos;
            self.cursor.skip_to_break();
            end = self.cursor.pos;
            text.push_str(self.cursor.slice(from, end));
            leading = self.cursor.skip_break();
            self.scan_block_breaks(&mut indent, &mut trailing, start)?;
        }
        if header.chomping >= 0 {
            text.push_str(leading);
        }
        if header.chomping > 0 {
            text.push_str(&trailing);
        }
        let kind = if literal { Kind::Literal } else { Kind::Folded };
        let mut token = Token::new(TokenKind::Scalar(kind), start, end);
        token.text = Some(text.into_boxed_str());
        Ok(token)
    }

    fn scan_block_header(&mut self, start: usize) -> Result<Header> {
        let mut header = Header { chomping: 0, increment: 0, end: 0 };
        if !self.scan_chomping(&mut header) {
            self.scan_increment(&mut header, start)?;
            self.scan_chomping(&mut header);
        } else {
            self.scan_increment(&mut header, start)?;
        }
        header.end = self.cursor.pos;
        self.cursor.skip_blanks();
        if self.cursor.byte() == b'#' {
            self.scan_comment();
        }
        if !self.cursor.is_break_or_end(0) {
            let fault = self.fault_here("text behind the header of a block scalar");
            return Err(fault.within(start, start + 1, "the block scalar that begins here"));
        }
        self.cursor.skip_break();
        Ok(header)
    }

    fn scan_chomping(&mut self, header: &mut Header) -> bool {
        header.chomping = match self.cursor.byte() {
            b'+' => 1,
            b'-' => -1,
            _ => return false,
        };
        self.cursor.skip_ascii(1);
        true
    }

    fn scan_increment(&mut self, header: &mut Header, start: usize) -> Result<()> {
        match self.cursor.byte() {
            b'0' => {
                let fault = self.fault_here("an indentation indicator of 0");
                return Err(fault.within(start, start + 1, "the block scalar that begins here"));
            }
            digit @ b'1'..=b'9' => {
                header.increment = usize::from(digit - b'0');
                self.cursor.skip_ascii(1);
            }
            _ => {}
        }
        Ok(())
    }

    /// Goes over indentation and empty lines; finds the indentation where it is not known.
    fn scan_block_breaks(&mut self, indent: &mut usize, breaks: &mut String, start: usize) -> Result<()> {
        let mut deepest = 0;
        loop {
            while (*indent == 0 || self.cursor.column() < *indent) && self.cursor.byte() == b' ' {
                self.cursor.skip_ascii(1);
            }
            let column = self.cursor.column();
            deepest = deepest.max(column);
            if (*indent == 0 || column < *indent) && self.cursor.byte() == b'\t' {
                let pos = self.cursor.pos;
                return Err(Fault::new(pos, pos + 1, "a tab cannot indent").within(
                    start,
                    start + 1,
                    "the block scalar that begins here",
                ));
            }
            let written = self.cursor.skip_break();
            if written.is_empty() {
                break;
            }
            breaks.push_str(written);
        }
        if *indent == 0 {
            *indent = deepest.max((self.indent + 1).max(1) as usize);
        }
        Ok(())
    }
}
