//! A scalar's text with the place of every byte: as go-yaml v2 and TOML undo quotes, escapes, folding and indentation.

use crate::syntax::{Kind, Language, Node, Segment};

/// Decoded text and where it came from.
#[derive(Debug, Default)]
pub(super) struct Decoded {
    pub(super) text: String,
    pub(super) segments: Vec<Segment>,
    /// Whether the last segment is a copied run that may grow.
    run: bool,
}

impl Decoded {
    /// Text that stands in the host as it is.
    fn copy(&mut self, host: usize, piece: &str) {
        if piece.is_empty() {
            return;
        }
        let (host, host_end) = (offset(host), offset(host + piece.len()));
        match self.segments.last_mut().filter(|last| self.run && last.host_end == host) {
            Some(last) => last.host_end = host_end,
            None => self.segments.push(Segment { inner: offset(self.text.len()), host, host_end }),
        }
        self.run = true;
        self.text.push_str(piece);
    }

    /// Text that something else in the host stands for.
    fn replace(&mut self, host: usize, len: usize, piece: &str) {
        if piece.len() == len {
            return self.copy(host, piece);
        }
        if piece.is_empty() {
            return;
        }
        let inner = offset(self.text.len());
        self.segments.push(Segment { inner, host: offset(host), host_end: offset(host + len) });
        self.run = false;
        self.text.push_str(piece);
    }

    fn finish(mut self, host: usize) -> Self {
        let host = offset(host);
        self.segments.push(Segment { inner: offset(self.text.len()), host, host_end: host });
        self
    }
}

fn offset(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

/// Decodes a scalar of either language; none where it is none.
pub(super) fn decode(node: Node<'_>) -> Option<Decoded> {
    let (text, span) = (&*node.tree.text, node.span());
    let (start, end) = (span.start as usize, span.end as usize);
    let decoded = match (node.tree.language, node.kind()) {
        (_, Kind::Empty) => Decoded::default().finish(start),
        (Language::Yaml, Kind::Literal | Kind::Folded) => block(text, start, node),
        (Language::Yaml, Kind::Plain) => flow(text, start, end, Kind::Plain).finish(end),
        (Language::Yaml, kind @ (Kind::SingleQuoted | Kind::DoubleQuoted)) => {
            let close = closed_at(text, start, end, 1);
            flow(text, start + 1, close, kind).finish(close)
        }
        (Language::Toml, kind) if kind.is_scalar() => toml(text, start, end, kind),
        _ => return None,
    };
    Some(decoded)
}

/// Where a quoted scalar's closing quotes begin; its end where they are missing.
fn closed_at(text: &str, start: usize, end: usize, quotes: usize) -> usize {
    let raw = text.get(start..end).unwrap_or_default();
    let (open, close) = (raw.get(..quotes), raw.get(raw.len().saturating_sub(quotes)..));
    if raw.len() >= 2 * quotes && open == close { end - quotes } else { end }
}

/// A line break at `at`: its length and what YAML reads it as.
fn line_break(text: &str, at: usize) -> Option<(usize, &'static str)> {
    let rest = text.get(at..)?;
    [("\r\n", "\n"), ("\n", "\n"), ("\r", "\n"), ("\u{85}", "\n"), ("\u{2028}", "\u{2028}"), ("\u{2029}", "\u{2029}")]
        .into_iter()
        .find(|(written, _)| rest.starts_with(written))
        .map(|(written, read)| (written.len(), read))
}

/// Offset of the end of the line, before its break.
fn line_end(text: &str, at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    at + rest.find(['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}']).unwrap_or(rest.len())
}

fn byte(text: &str, at: usize) -> Option<u8> {
    text.as_bytes().get(at).copied()
}

fn is_blank(text: &str, at: usize) -> bool {
    matches!(byte(text, at), Some(b' ' | b'\t'))
}

/// A break that is held back until it is known what it becomes: `(offset, length, text)`.
type Break = (usize, usize, &'static str);

/// `|` and `>`: go-yaml's `yaml_parser_scan_block_scalar`.
fn block(text: &str, start: usize, node: Node<'_>) -> Decoded {
    let literal = node.kind() == Kind::Literal;
    let header_end = line_end(text, start);
    let indicators = text.get(start + 1..header_end).unwrap_or_default();
    let indicators = indicators.split([' ', '\t', '#']).next().unwrap_or_default();
    let increment = indicators.bytes().find(u8::is_ascii_digit).map(|digit| usize::from(digit - b'0'));
    let around = outer_indent(node);
    let mut decoded = Decoded::default();
    let Some((len, _)) = line_break(text, header_end) else { return decoded.finish(header_end) };
    let mut at = header_end + len;
    let mut trailing: Vec<Break> = Vec::new();
    let indent = match increment {
        Some(increment) => around.map_or(increment, |around| around + increment),
        None => find_indent(text, at).max(around.map_or(1, |around| around + 1)),
    };
    let mut column = breaks(text, &mut at, indent, &mut trailing);
    let mut leading: Option<Break> = None;
    let mut leading_blank = false;
    while column == indent && at < text.len() {
        let trailing_blank = is_blank(text, at);
        let fold = !literal && !leading_blank && !trailing_blank;
        match leading.take() {
            Some((place, len, "\n")) if fold && trailing.is_empty() => decoded.replace(place, len, " "),
            Some((_, _, "\n")) if fold => {}
            Some((place, len, read)) => decoded.replace(place, len, read),
            None => {}
        }
        for (place, len, read) in trailing.drain(..) {
            decoded.replace(place, len, read);
        }
        leading_blank = trailing_blank;
        let end = line_end(text, at);
        decoded.copy(at, text.get(at..end).unwrap_or_default());
        at = end;
        if let Some((len, read)) = line_break(text, at) {
            leading = Some((at, len, read));
            at += len;
        }
        column = breaks(text, &mut at, indent, &mut trailing);
    }
    let mut end = leading.map_or(at, |(place, ..)| place);
    let keep = indicators.contains('+');
    let kept = leading.filter(|_| !indicators.contains('-')).into_iter().chain(trailing.into_iter().filter(|_| keep));
    for (place, len, read) in kept {
        decoded.replace(place, len, read);
        end = place + len;
    }
    decoded.finish(end)
}

/// Indentation of the first line that holds anything, or of the longest blank line before it.
fn find_indent(text: &str, mut at: usize) -> usize {
    let mut longest = 0;
    loop {
        let spaces = spaces(text, at);
        longest = longest.max(spaces);
        match line_break(text, at + spaces) {
            Some((len, _)) => at += spaces + len,
            None => return longest,
        }
    }
}

fn spaces(text: &str, at: usize) -> usize {
    text.as_bytes().get(at..).unwrap_or_default().iter().take_while(|&&byte| byte == b' ').count()
}

/// Eats indentation and empty lines; the column reached.
fn breaks(text: &str, at: &mut usize, indent: usize, into: &mut Vec<Break>) -> usize {
    loop {
        let column = spaces(text, *at).min(indent);
        *at += column;
        let Some((len, read)) = line_break(text, *at) else { return column };
        into.push((*at, len, read));
        *at += len;
    }
}

/// Column of the block collection around a scalar; none at the top of a document.
fn outer_indent(node: Node<'_>) -> Option<usize> {
    let around = std::iter::successors(node.parent(), |parent| parent.parent())
        .find(|parent| matches!(parent.kind(), Kind::BlockMap | Kind::BlockSeq))?;
    let start = around.span().start as usize;
    let before = around.tree.text.get(..start).unwrap_or_default();
    let line = before.rfind(['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}']);
    let line = line.map_or(before, |at| {
        before.get(at..).unwrap_or_default().trim_start_matches(['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}'])
    });
    Some(line.trim_start_matches('\u{feff}').chars().count())
}

/// Plain and quoted scalars over lines: blanks around breaks go, one break is a blank, more are one less.
fn flow(text: &str, start: usize, end: usize, kind: Kind) -> Decoded {
    let mut decoded = Decoded::default();
    let mut at = start;
    while at < end {
        let blanks = at;
        while at < end && is_blank(text, at) {
            at += 1;
        }
        if at < end && line_break(text, at).is_some() {
            at = fold(text, at, end, None, &mut decoded);
            continue;
        }
        decoded.copy(blanks, text.get(blanks..at).unwrap_or_default());
        at = match (kind, byte(text, at)) {
            _ if at >= end => at,
            (Kind::SingleQuoted, Some(b'\'')) if byte(text, at + 1) == Some(b'\'') => {
                decoded.replace(at, 2, "'");
                at + 2
            }
            (Kind::DoubleQuoted, Some(b'\\')) => escape(text, at, end, &mut decoded),
            _ => {
                let stop = stop(text, at, end);
                decoded.copy(at, text.get(at..stop).unwrap_or_default());
                stop
            }
        };
    }
    decoded
}

/// The end of the characters from `at` on (at least one) that mean themselves.
fn stop(text: &str, at: usize, end: usize) -> usize {
    let rest = text.get(at..end).unwrap_or_default();
    let special = |c: char| matches!(c, ' ' | '\t' | '\'' | '\\' | '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}');
    let first = rest.chars().next().map_or(1, char::len_utf8);
    at + first + rest.get(first..).unwrap_or_default().find(special).unwrap_or(rest.len().saturating_sub(first))
}

/// Folds the breaks from `at` on; `escaped` where the first one was escaped. The offset after them.
fn fold(text: &str, mut at: usize, end: usize, escaped: Option<()>, decoded: &mut Decoded) -> usize {
    let mut found: Vec<Break> = Vec::new();
    loop {
        while at < end && is_blank(text, at) {
            at += 1;
        }
        match line_break(text, at).filter(|_| at < end) {
            Some((len, read)) => {
                found.push((at, len, read));
                at += len;
            }
            None => break,
        }
    }
    let (leading, trailing) = match (escaped, found.split_first()) {
        (None, Some((first, rest))) => (Some(*first), rest),
        _ => (None, found.as_slice()),
    };
    match leading {
        Some((place, len, "\n")) if trailing.is_empty() => decoded.replace(place, len, " "),
        Some((_, _, "\n")) | None => {}
        Some((place, len, read)) => decoded.replace(place, len, read),
    }
    for &(place, len, read) in trailing {
        decoded.replace(place, len, read);
    }
    at
}

/// An escape of a double-quoted YAML scalar; the offset after it.
fn escape(text: &str, at: usize, end: usize, decoded: &mut Decoded) -> usize {
    if let Some((len, _)) = line_break(text, at + 1) {
        return fold(text, at + 1 + len, end, Some(()), decoded);
    }
    let Some(char) = text.get(at + 1..end).and_then(|rest| rest.chars().next()) else { return end };
    let simple = match char {
        '0' => "\0",
        'a' => "\u{7}",
        'b' => "\u{8}",
        't' | '\t' => "\t",
        'n' => "\n",
        'v' => "\u{b}",
        'f' => "\u{c}",
        'r' => "\r",
        'e' => "\u{1b}",
        ' ' => " ",
        '"' => "\"",
        '/' => "/",
        '\'' => "'",
        '\\' => "\\",
        'N' => "\u{85}",
        '_' => "\u{a0}",
        'L' => "\u{2028}",
        'P' => "\u{2029}",
        _ => return number(text, at, char, decoded),
    };
    decoded.replace(at, 2, simple);
    at + 2
}

/// `\x..`, `\u....`, `\U........`, or a backslash that stands for nothing; the offset after it.
fn number(text: &str, at: usize, char: char, decoded: &mut Decoded) -> usize {
    let digits = match char {
        'x' => 2,
        'u' => 4,
        'U' => 8,
        _ => 0,
    };
    let after = at + 1 + char.len_utf8();
    let code = text.get(after..after + digits).filter(|_| digits > 0);
    match code.and_then(|code| u32::from_str_radix(code, 16).ok()).and_then(char::from_u32) {
        Some(read) => {
            decoded.replace(at, after + digits - at, read.encode_utf8(&mut [0; 4]));
            after + digits
        }
        None => {
            decoded.copy(at, text.get(at..after).unwrap_or_default());
            after
        }
    }
}

/// TOML's strings and bare values.
fn toml(text: &str, start: usize, end: usize, kind: Kind) -> Decoded {
    let raw = text.get(start..end).unwrap_or_default();
    let quotes = match kind {
        Kind::SingleQuoted if raw.starts_with("'''") => 3,
        Kind::DoubleQuoted if raw.starts_with("\"\"\"") => 3,
        // Bare markup was read as a string.
        Kind::SingleQuoted | Kind::DoubleQuoted if !raw.starts_with(['\'', '"']) => 0,
        Kind::SingleQuoted | Kind::DoubleQuoted => 1,
        _ => 0,
    };
    let (mut at, close) = (start + quotes, closed_at(text, start, end, quotes));
    if quotes == 3 {
        // A break right after the opening quotes is none of the text's.
        at += line_break(text, at).map_or(0, |(len, _)| len);
    }
    let mut decoded = Decoded::default();
    while at < close {
        let rest = text.get(at..close).unwrap_or_default();
        let run = if kind == Kind::DoubleQuoted { rest.find('\\').unwrap_or(rest.len()) } else { rest.len() };
        decoded.copy(at, rest.get(..run).unwrap_or_default());
        at += run;
        if at < close {
            let after = rest.get(run + 1..).unwrap_or_default();
            let blanks = after.len() - after.trim_start_matches([' ', '\t', '\r', '\n']).len();
            let joins = after.get(..blanks).is_some_and(|blanks| blanks.contains('\n'));
            at = if joins { at + 1 + blanks } else { escape(text, at, close, &mut decoded) };
        }
    }
    decoded.finish(close)
}
