//! Bytes to tokens, with go-yaml's rules for indentation and for keys without `?`.

use std::collections::VecDeque;

use super::cursor::Cursor;
use super::token::{Fault, Result, Token, TokenKind};

/// Deepest nesting of indentation, and of brackets, that go-yaml reads.
const MAX_DEPTH: usize = 10_000;
/// Characters within which a key without `?` must meet its `:`.
const KEY_LIMIT: usize = 1024;

/// A comment as it was met.
#[derive(Debug, Clone, Copy)]
pub(super) struct RawComment {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) line_start: usize,
    /// Nothing but blanks before it on its line.
    pub(super) alone: bool,
}

/// A place where a key without `?` may have begun.
#[derive(Debug, Clone, Copy, Default)]
struct SimpleKey {
    possible: bool,
    required: bool,
    token: usize,
    pos: usize,
    line: u32,
    index: usize,
    column: usize,
}

/// The scanner.
#[derive(Debug)]
pub(super) struct Scanner<'t> {
    pub(super) cursor: Cursor<'t>,
    tokens: VecDeque<Token>,
    /// Tokens that were taken.
    taken: usize,
    available: bool,
    ended: bool,
    pub(super) indent: isize,
    indents: Vec<isize>,
    pub(super) flow_level: usize,
    pub(super) key_allowed: bool,
    keys: Vec<SimpleKey>,
    /// Which token may be the start of a key of which flow level, ascending.
    keys_by_token: VecDeque<(usize, usize)>,
    pub(super) comments: Vec<RawComment>,
    pub(super) tag_directives: Vec<(Box<str>, Box<str>)>,
    /// The first character that YAML has not; the cursor ends where go-yaml would meet it.
    pub(super) bad: Option<usize>,
    /// Start of the block that holds it.
    pub(super) block: usize,
}

impl<'t> Scanner<'t> {
    pub(super) fn new(cursor: Cursor<'t>) -> Self {
        Self {
            cursor,
            tokens: VecDeque::new(),
            taken: 0,
            available: false,
            ended: false,
            indent: -1,
            indents: Vec::new(),
            flow_level: 0,
            key_allowed: true,
            keys: vec![SimpleKey::default()],
            keys_by_token: VecDeque::new(),
            comments: Vec::new(),
            tag_directives: Vec::new(),
            bad: None,
            block: 0,
        }
    }

    /// Starts anew at the start of a line.
    pub(super) fn restart(&mut self, pos: usize) {
        self.cursor.jump(pos);
        self.tokens.clear();
        self.available = false;
        self.ended = false;
        self.indent = -1;
        self.indents.clear();
        self.flow_level = 0;
        self.key_allowed = true;
        self.keys = vec![SimpleKey::default()];
        self.keys_by_token.clear();
    }

    /// The next token, left where it is.
    pub(super) fn peek(&mut self) -> Result<&Token> {
        if !self.available {
            self.fetch_more()?;
        }
        static END: Token = Token { kind: TokenKind::StreamEnd, start: 0, end: 0, text: None };
        Ok(self.tokens.front().unwrap_or(&END))
    }

    /// What the next token is.
    pub(super) fn peek_kind(&mut self) -> Result<TokenKind> {
        Ok(self.peek()?.kind)
    }

    /// Takes the next token.
    pub(super) fn take(&mut self) -> Result<Token> {
        if !self.available {
            self.fetch_more()?;
        }
        self.available = false;
        let end = self.cursor.pos;
        self.taken += 1;
        Ok(self.tokens.pop_front().unwrap_or(Token::new(TokenKind::StreamEnd, end, end)))
    }

    fn fetch_more(&mut self) -> Result<()> {
        loop {
            if !self.tokens.is_empty() && !self.head_may_be_key()? {
                break;
            }
            if self.ended {
                break;
            }
            let result = self.fetch_next();
            self.check_reach(1)?;
            result?;
        }
        self.available = true;
        Ok(())
    }

    /// The reader decodes blocks ahead of the scanner, so a bad character wins over what stands before it in its block.
    fn check_reach(&self, ahead: usize) -> Result<()> {
        match self.bad {
            Some(bad) if self.cursor.is_end(ahead.saturating_sub(1)) => {
                Err(Fault::new(bad, bad + 1, super::characters::MESSAGE).noticed_at(bad))
            }
            _ => Ok(()),
        }
    }

    fn head_may_be_key(&mut self) -> Result<bool> {
        while self.keys_by_token.front().is_some_and(|&(token, _)| token < self.taken) {
            self.keys_by_token.pop_front();
        }
        match self.keys_by_token.front() {
            Some(&(token, level)) if token == self.taken => self.key_is_valid(level),
            _ => Ok(false),
        }
    }

    fn key_is_valid(&mut self, level: usize) -> Result<bool> {
        let (line, index, noticed) = (self.cursor.line, self.cursor.index(), self.cursor.pos);
        let Some(key) = self.keys.get_mut(level).filter(|key| key.possible) else {
            return Ok(false);
        };
        if key.line < line || key.index + KEY_LIMIT < index {
            if key.required {
                return Err(missing_colon(key.pos, noticed));
            }
            key.possible = false;
            return Ok(false);
        }
        Ok(true)
    }

    pub(super) fn save_key(&mut self) -> Result<()> {
        if !self.key_allowed {
            return Ok(());
        }
        let column = self.cursor.column();
        let key = SimpleKey {
            possible: true,
            required: self.flow_level == 0 && self.indent == column as isize,
            token: self.taken + self.tokens.len(),
            pos: self.cursor.pos,
            line: self.cursor.line,
            index: self.cursor.index(),
            column,
        };
        self.remove_key()?;
        if let Some(slot) = self.keys.last_mut() {
            *slot = key;
        }
        self.keys_by_token.push_back((key.token, self.keys.len() - 1));
        Ok(())
    }

    pub(super) fn remove_key(&mut self) -> Result<()> {
        let noticed = self.cursor.pos;
        let Some(key) = self.keys.last_mut().filter(|key| key.possible) else {
            return Ok(());
        };
        if key.required {
            return Err(missing_colon(key.pos, noticed));
        }
        key.possible = false;
        let token = key.token;
        self.forget_token(token);
        Ok(())
    }

    fn forget_token(&mut self, token: usize) {
        if self.keys_by_token.back().is_some_and(|&(last, _)| last == token) {
            self.keys_by_token.pop_back();
        } else if let Ok(at) = self.keys_by_token.binary_search_by_key(&token, |&(token, _)| token) {
            self.keys_by_token.remove(at);
        }
    }

    fn push(&mut self, kind: TokenKind, start: usize) {
        self.tokens.push_back(Token::new(kind, start, self.cursor.pos));
    }

    fn push_token(&mut self, token: Token) {
        self.tokens.push_back(token);
    }

    /// Puts a token before the token of a number; behind all others where that one was taken.
    fn insert(&mut self, number: usize, token: Token) {
        match number.checked_sub(self.taken) {
            Some(at) if at <= self.tokens.len() => self.tokens.insert(at, token),
            _ => self.tokens.push_back(token),
        }
    }

    fn roll_indent(&mut self, column: usize, number: Option<usize>, kind: TokenKind, pos: usize) -> Result<()> {
        if self.flow_level > 0 || self.indent >= column as isize {
            return Ok(());
        }
        self.indents.push(self.indent);
        self.indent = column as isize;
        if self.indents.len() > MAX_DEPTH {
            let message = format!("more than {MAX_DEPTH} levels of indentation");
            return Err(Fault::new(self.cursor.pos, self.cursor.pos + 1, message));
        }
        let token = Token::new(kind, pos, pos);
        match number {
            Some(number) => self.insert(number, token),
            None => self.tokens.push_back(token),
        }
        Ok(())
    }

    fn unroll_indent(&mut self, column: isize) {
        if self.flow_level > 0 {
            return;
        }
        while self.indent > column {
            let pos = self.cursor.pos;
            self.tokens.push_back(Token::new(TokenKind::BlockEnd, pos, pos));
            self.indent = self.indents.pop().unwrap_or(-1);
        }
    }

    fn fetch_next(&mut self) -> Result<()> {
        self.skip_to_token();
        self.check_reach(4)?;
        self.unroll_indent(self.cursor.column() as isize);
        if self.cursor.is_end(0) {
            return self.fetch_stream_end();
        }
        let byte = self.cursor.byte();
        if self.cursor.pos == self.cursor.line_start {
            if byte == b'%' {
                return self.fetch_directive();
            }
            if self.cursor.is_marker() {
                let kind = if byte == b'-' { TokenKind::DocumentStart } else { TokenKind::DocumentEnd };
                return self.fetch_marker(kind);
            }
        }
        let flow = self.flow_level > 0;
        match byte {
            b'[' => self.fetch_flow_start(TokenKind::FlowSequenceStart),
            b'{' => self.fetch_flow_start(TokenKind::FlowMappingStart),
            b']' => self.fetch_flow_end(TokenKind::FlowSequenceEnd),
            b'}' => self.fetch_flow_end(TokenKind::FlowMappingEnd),
            b',' => self.fetch_flow_entry(),
            b'-' if self.cursor.is_blank_or_end(1) => self.fetch_block_entry(),
            b'?' if flow || self.cursor.is_blank_or_end(1) => self.fetch_key(),
            b':' if flow || self.cursor.is_blank_or_end(1) => self.fetch_value(),
            b'*' => self.fetch_anchor(TokenKind::Alias),
            b'&' => self.fetch_anchor(TokenKind::Anchor),
            b'!' => self.fetch_tag(),
            b'|' if !flow => self.fetch_block_scalar(true),
            b'>' if !flow => self.fetch_block_scalar(false),
            b'\'' => self.fetch_quoted(true),
            b'"' => self.fetch_quoted(false),
            b'\t' => Err(self.fault_here("a tab cannot indent")),
            b'#' | b'|' | b'>' | b'%' | b'@' | b'`' => Err(self.fault_here("this character cannot start a value")),
            _ => self.fetch_plain(),
        }
    }

    /// A fault of the character here.
    pub(super) fn fault_here(&self, message: &'static str) -> Fault {
        let pos = self.cursor.pos;
        let width = if self.cursor.is_end(0) { 0 } else { super::cursor::width(self.cursor.byte()) };
        Fault::new(pos, pos + width, message)
    }

    /// Goes over blanks, comments and line breaks.
    fn skip_to_token(&mut self) {
        loop {
            let tabs = self.flow_level > 0 || !self.key_allowed;
            if tabs {
                self.cursor.skip_blanks();
            } else {
                self.cursor.skip_spaces();
            }
            if self.cursor.byte() == b'#' {
                self.scan_comment();
            }
            if self.cursor.skip_break().is_empty() {
                return;
            }
            if self.flow_level == 0 {
                self.key_allowed = true;
            }
        }
    }

    /// Goes over a comment and notes it.
    pub(super) fn scan_comment(&mut self) {
        let (start, line_start) = (self.cursor.pos, self.cursor.line_start);
        let alone = self.cursor.slice(line_start, start).bytes().all(|byte| matches!(byte, b' ' | b'\t'));
        self.cursor.skip_to_break();
        self.comments.push(RawComment { start, end: self.cursor.pos, line_start, alone });
    }

    fn fetch_stream_end(&mut self) -> Result<()> {
        if self.cursor.pos != self.cursor.line_start {
            self.cursor.line += 1;
        }
        self.unroll_indent(-1);
        self.remove_key()?;
        self.key_allowed = false;
        self.ended = true;
        self.push(TokenKind::StreamEnd, self.cursor.pos);
        Ok(())
    }

    fn fetch_directive(&mut self) -> Result<()> {
        self.unroll_indent(-1);
        self.remove_key()?;
        self.key_allowed = false;
        let token = self.scan_directive()?;
        self.push_token(token);
        Ok(())
    }

    fn fetch_marker(&mut self, kind: TokenKind) -> Result<()> {
        self.unroll_indent(-1);
        self.remove_key()?;
        self.key_allowed = false;
        self.fetch_indicator(kind, 3);
        Ok(())
    }

    fn fetch_indicator(&mut self, kind: TokenKind, width: usize) {
        let start = self.cursor.pos;
        self.cursor.skip_ascii(width);
        self.push(kind, start);
    }

    fn fetch_flow_start(&mut self, kind: TokenKind) -> Result<()> {
        self.save_key()?;
        // The number is that of the bracket itself: closing an empty collection forgets its key, as in go-yaml.
        self.keys.push(SimpleKey { token: self.taken + self.tokens.len(), ..SimpleKey::default() });
        self.flow_level += 1;
        if self.flow_level > MAX_DEPTH {
            let message = format!("more than {MAX_DEPTH} levels of brackets");
            return Err(Fault::new(self.cursor.pos, self.cursor.pos + 1, message));
        }
        self.key_allowed = true;
        self.fetch_indicator(kind, 1);
        Ok(())
    }

    fn fetch_flow_end(&mut self, kind: TokenKind) -> Result<()> {
        self.remove_key()?;
        if self.flow_level > 0 {
            self.flow_level -= 1;
            if let Some(key) = self.keys.pop() {
                self.forget_token(key.token);
            }
        }
        self.key_allowed = false;
        self.fetch_indicator(kind, 1);
        Ok(())
    }

    fn fetch_flow_entry(&mut self) -> Result<()> {
        self.remove_key()?;
        self.key_allowed = true;
        self.fetch_indicator(TokenKind::FlowEntry, 1);
        Ok(())
    }

    fn fetch_block_entry(&mut self) -> Result<()> {
        // In the flow context the parser complains: it knows the context.
        if self.flow_level == 0 {
            if !self.key_allowed {
                return Err(self.fault_here("a list item cannot start here"));
            }
            self.roll_indent(self.cursor.column(), None, TokenKind::BlockSequenceStart, self.cursor.pos)?;
        }
        self.remove_key()?;
        self.key_allowed = true;
        self.fetch_indicator(TokenKind::BlockEntry, 1);
        Ok(())
    }

    fn fetch_key(&mut self) -> Result<()> {
        if self.flow_level == 0 {
            if !self.key_allowed {
                return Err(self.fault_here("a key cannot start here"));
            }
            self.roll_indent(self.cursor.column(), None, TokenKind::BlockMappingStart, self.cursor.pos)?;
        }
        self.remove_key()?;
        self.key_allowed = self.flow_level == 0;
        self.fetch_indicator(TokenKind::Key, 1);
        Ok(())
    }

    fn fetch_value(&mut self) -> Result<()> {
        let level = self.keys.len() - 1;
        if self.key_is_valid(level)? {
            let key = self.keys.get(level).copied().unwrap_or_default();
            self.insert(key.token, Token::new(TokenKind::Key, key.pos, key.pos));
            self.roll_indent(key.column, Some(key.token), TokenKind::BlockMappingStart, key.pos)?;
            if let Some(key) = self.keys.get_mut(level) {
                key.possible = false;
            }
            self.forget_token(key.token);
            self.key_allowed = false;
        } else {
            if self.flow_level == 0 {
                if !self.key_allowed {
                    return Err(self.fault_here("a `:` with a value cannot stand here"));
                }
                self.roll_indent(self.cursor.column(), None, TokenKind::BlockMappingStart, self.cursor.pos)?;
            }
            self.key_allowed = self.flow_level == 0;
        }
        self.fetch_indicator(TokenKind::Value, 1);
        Ok(())
    }

    fn fetch_anchor(&mut self, kind: TokenKind) -> Result<()> {
        self.save_key()?;
        self.key_allowed = false;
        let token = self.scan_anchor(kind)?;
        self.push_token(token);
        Ok(())
    }

    fn fetch_tag(&mut self) -> Result<()> {
        self.save_key()?;
        self.key_allowed = false;
        let token = self.scan_tag()?;
        self.push_token(token);
        Ok(())
    }

    fn fetch_block_scalar(&mut self, literal: bool) -> Result<()> {
        self.remove_key()?;
        self.key_allowed = true;
        let token = self.scan_block_scalar(literal)?;
        self.push_token(token);
        Ok(())
    }

    fn fetch_quoted(&mut self, single: bool) -> Result<()> {
        self.save_key()?;
        self.key_allowed = false;
        let token = self.scan_quoted(single)?;
        self.push_token(token);
        Ok(())
    }

    fn fetch_plain(&mut self) -> Result<()> {
        self.save_key()?;
        self.key_allowed = false;
        let token = self.scan_plain()?;
        self.push_token(token);
        Ok(())
    }
}

fn missing_colon(pos: usize, noticed: usize) -> Fault {
    Fault::new(pos, pos + 1, "a key without its `:`").noticed_at(noticed)
}
