//! Scalars without quotes.

use super::cursor::{BLANK, BREAK, COLON, FLOW, WIDE, class};
use super::scanner::Scanner;
use super::token::{Fault, Result, Token, TokenKind};
use crate::syntax::Kind;

/// The text of a scalar so far: borrowed from the source as long as nothing had to be changed.
#[derive(Debug, Default)]
pub(super) struct Folded {
    owned: Option<String>,
    /// What the first break of a run stands for, and all that follow.
    first: &'static str,
    wide_first: Option<String>,
    rest: String,
}

impl Folded {
    /// Makes the text owned, beginning with `so_far`.
    pub(super) fn own(&mut self, so_far: &str) -> &mut String {
        self.owned.get_or_insert_with(|| so_far.to_owned())
    }

    /// The text, if it was changed and is owned.
    pub(super) fn owned(&mut self) -> Option<&mut String> {
        self.owned.as_mut()
    }

    /// Notes the first break of a run.
    pub(super) fn first_break(&mut self, written: &str) {
        if written == "\n" {
            self.first = "\n";
        } else {
            self.wide_first = Some(written.to_owned());
        }
    }

    /// Notes a further break.
    pub(super) fn further_break(&mut self, written: &str) {
        self.rest.push_str(written);
    }

    /// Puts what the run of breaks stands for behind the owned text.
    pub(super) fn fold(&mut self) {
        let text = self.owned.get_or_insert_default();
        match self.wide_first.take() {
            Some(first) => text.push_str(&first),
            None if self.first == "\n" && self.rest.is_empty() => text.push(' '),
            None => {}
        }
        text.push_str(&self.rest);
        self.first = "";
        self.rest.clear();
    }

    /// The owned text.
    pub(super) fn finish(self) -> Option<Box<str>> {
        self.owned.map(String::into_boxed_str)
    }
}

impl Scanner<'_> {
    pub(super) fn scan_plain(&mut self) -> Result<Token> {
        let start = self.cursor.pos;
        let mut end = start;
        let mut folded = Folded::default();
        let mut breaks = false;
        let indent = (self.indent + 1) as usize;
        loop {
            if self.cursor.is_marker() || self.cursor.byte() == b'#' {
                break;
            }
            let word = self.cursor.pos;
            self.skip_plain_word();
            let word_end = self.cursor.pos;
            if word_end > word {
                if breaks {
                    folded.own(self.cursor.slice(start, end));
                    folded.fold();
                    breaks = false;
                } else if let Some(text) = folded.owned() {
                    text.push_str(self.cursor.slice(end, word));
                }
                if let Some(text) = folded.owned() {
                    text.push_str(self.cursor.slice(word, word_end));
                }
                end = word_end;
            }
            if !self.skip_plain_gap(&mut folded, &mut breaks, indent, start)? {
                break;
            }
            if self.flow_level == 0 && self.cursor.column() < indent {
                break;
            }
        }
        if breaks {
            self.key_allowed = true;
        }
        let mut token = Token::new(TokenKind::Scalar(Kind::Plain), start, end);
        token.text = folded.finish();
        Ok(token)
    }

    /// Goes over characters up to a blank, a break or what ends a plain scalar.
    fn skip_plain_word(&mut self) {
        let stop = if self.flow_level > 0 { BLANK | BREAK | COLON | WIDE | FLOW } else { BLANK | BREAK | COLON | WIDE };
        loop {
            self.cursor.skip_until(stop);
            match class(self.cursor.byte()) {
                COLON if !self.cursor.is_blank_or_end(1) => self.cursor.skip_ascii(1),
                WIDE if self.cursor.break_width(0) == 0 => self.cursor.skip(),
                _ => return,
            }
        }
    }

    /// Goes over blanks and breaks; false where there are none.
    fn skip_plain_gap(&mut self, folded: &mut Folded, breaks: &mut bool, indent: usize, start: usize) -> Result<bool> {
        let before = self.cursor.pos;
        loop {
            if self.cursor.is_blank(0) {
                if *breaks && self.cursor.byte() == b'\t' && self.cursor.column() < indent {
                    let pos = self.cursor.pos;
                    return Err(Fault::new(pos, pos + 1, "a tab cannot indent").within(
                        start,
                        start + 1,
                        "in the value that begins here",
                    ));
                }
                self.cursor.skip_ascii(1);
            } else {
                let written = self.cursor.skip_break();
                if written.is_empty() {
                    return Ok(self.cursor.pos > before);
                }
                if *breaks {
                    folded.further_break(written);
                } else {
                    folded.first_break(written);
                    *breaks = true;
                }
            }
        }
    }
}
