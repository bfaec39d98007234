//! Template markup as placeholders of the same length, so that the grammar around it can be read.

use toml_parser::lexer::{Token, TokenKind};

use super::Language;
use super::tree::touches;
use crate::text::Span;

/// A text without markup.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Masked {
    /// As long as the original, byte for byte.
    pub(super) text: String,
    /// All markup, in order.
    pub(super) spans: Vec<Span>,
    /// Markup outside of values that may bring or remove entries, in order.
    pub(super) statements: Vec<Span>,
}

/// How far to look around on a line, and for the end of a string: a bound against endless lines.
const REACH: usize = 4096;

/// What a piece of markup does to the text around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Effect {
    /// Stands for some text.
    Output,
    /// Decides whether or how often the text after it is there.
    Control,
    /// Nothing: a comment, an assignment.
    Silent,
}

#[derive(Debug, Clone, Copy)]
struct Markup {
    span: Span,
    effect: Effect,
}

/// Masks the markup of Go, Jinja, Terraform and ERB templates in `text`, in TOML also `$NAME` without quotes, `__NAME__`,
/// `@NAME@` and `###ZARF_NAME###`, which others replace; none where it has none.
pub(super) fn mask(text: &str, language: Language) -> Option<Masked> {
    let mut found = find_all(text, language);
    if found.is_empty() {
        return None;
    }
    let scripts = if language == Language::Toml { strings_over_lines(text) } else { Vec::new() };
    let is_variable =
        |markup: &Markup| matches!(text.as_bytes().get(markup.span.range()), Some([b'$', next, ..]) if *next != b'{');
    // A script's own variables are no markup.
    found.retain(|markup| !(is_variable(markup) && touches(&scripts, markup.span)));
    if found.is_empty() {
        return None;
    }
    let mut masked = text.as_bytes().to_vec();
    let mut statements = Vec::new();
    for markup in &found {
        let before = line_before(&masked, markup.span.start as usize);
        let after = text.as_bytes().get(markup.span.end as usize..).unwrap_or_default();
        let place = if touches(&scripts, markup.span) {
            Place::InString
        } else {
            Place::of(before, after, &found, text, markup.span, language)
        };
        if place == Place::Between || place == Place::Line || markup.effect != Effect::Output {
            if markup.effect != Effect::Silent && place != Place::InString {
                statements.push(markup.span);
            }
            blank(&mut masked, markup.span);
        } else {
            if place == Place::Word && is_name(before, after, language) {
                statements.push(markup.span);
            }
            fill(&mut masked, markup.span, place == Place::Value);
        }
    }
    let spans = found.iter().map(|markup| markup.span).collect();
    Some(Masked { text: String::from_utf8(masked).ok()?, spans, statements })
}

/// Where output stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Alone on its lines.
    Line,
    /// On a line of markup only.
    Between,
    /// A whole TOML value without quotes.
    Value,
    /// Inside quotes.
    InString,
    /// Anywhere else: part of a key or of a word.
    Word,
}

impl Place {
    fn of(before: &[u8], after: &[u8], found: &[Markup], text: &str, span: Span, language: Language) -> Self {
        let after = after.get(..REACH).unwrap_or(after);
        let rest = after.split(|&byte| byte == b'\n').next().unwrap_or_default().trim_ascii();
        let last = before.trim_ascii_end().last();
        if last.is_none() && rest.is_empty() {
            return Self::Line;
        }
        if last.is_none() && only_markup(found, text, span) {
            return Self::Between;
        }
        if in_quotes(before) {
            return Self::InString;
        }
        let opens = matches!(last, Some(b'=' | b'[' | b',' | b'{'));
        let closes = matches!(rest.first(), None | Some(b',' | b']' | b'}' | b'#'));
        if language == Language::Toml && opens && closes { Self::Value } else { Self::Word }
    }
}

/// Whether a word is part of a key or of a table's name: then any entry may be meant.
fn is_name(before: &[u8], after: &[u8], language: Language) -> bool {
    let after = after.get(..REACH).unwrap_or(after);
    let rest = after.split(|&byte| byte == b'\n').next().unwrap_or_default();
    match language {
        Language::Toml => !before.contains(&b'=') && (rest.contains(&b'=') || before.trim_ascii().starts_with(b"[")),
        Language::Yaml => {
            let ends_key = |line: &[u8]| line.windows(2).any(|pair| pair == b": ");
            !ends_key(before) && (ends_key(rest) || rest.trim_ascii_end().ends_with(b":"))
        }
    }
}

/// Spans of `"""` and `'''` strings: in scripts, markup stands on lines of its own without deciding about settings.
fn strings_over_lines(text: &str) -> Vec<Span> {
    if !["\"\"\"", "'''"].iter().any(|quotes| text.contains(quotes)) {
        return Vec::new();
    }
    let is_string = |token: &Token| matches!(token.kind(), TokenKind::MlBasicString | TokenKind::MlLiteralString);
    let tokens = toml_parser::Source::new(text).lex().filter(is_string);
    tokens.map(|token| Span::new(token.span().start(), token.span().end())).collect()
}

/// Whether nothing but markup follows on the line.
fn only_markup(found: &[Markup], text: &str, span: Span) -> bool {
    let mut at = span.end as usize;
    let next = found.partition_point(|markup| markup.span.start < span.end);
    for markup in found.get(next..).unwrap_or_default().iter().take(16) {
        let gap = text.get(at..markup.span.start as usize).unwrap_or_default();
        if gap.contains('\n') || !gap.trim().is_empty() {
            break;
        }
        at = markup.span.end as usize;
    }
    let rest = text.get(at..).unwrap_or_default();
    rest.trim_start_matches([' ', '\t', '\r']).chars().next().is_none_or(|next| next == '\n')
}

/// The masked line up to `at`: markup before it is blank or a placeholder by now.
fn line_before(masked: &[u8], at: usize) -> &[u8] {
    let before = masked.get(at.saturating_sub(REACH)..at).unwrap_or_default();
    let start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |newline| newline + 1);
    before.get(start..).unwrap_or_default()
}

/// Whether a quote is open at the end of a part of a line.
fn in_quotes(before: &[u8]) -> bool {
    let mut open = None;
    let mut bytes = before.iter();
    while let Some(&byte) = bytes.next() {
        match (open, byte) {
            (Some(b'"'), b'\\') => {
                bytes.next();
            }
            (Some(quote), _) if quote == byte => open = None,
            (None, b'"' | b'\'') => open = Some(byte),
            _ => {}
        }
    }
    open.is_some()
}

fn blank(masked: &mut [u8], span: Span) {
    for byte in masked.get_mut(span.range()).unwrap_or_default() {
        if !matches!(byte, b'\n' | b'\r') {
            *byte = b' ';
        }
    }
}

fn fill(masked: &mut [u8], span: Span, quoted: bool) {
    let bytes = masked.get_mut(span.range()).unwrap_or_default();
    bytes.fill(b'x');
    if let (true, [first, .., last]) = (quoted, bytes) {
        (*first, *last) = (b'\'', b'\'');
    }
}

fn find_all(text: &str, language: Language) -> Vec<Markup> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    // Where a kind of markup is not closed any more, looking for its end again would be quadratic.
    let mut unclosed = [false; 5];
    let mut at = 0;
    while let Some(&[first, second]) = bytes.get(at..at + 2) {
        let end = match (first, second) {
            (b'{', b'{') => once(&mut unclosed[0], || close_go(text, at + 2)),
            (b'{', b'%') => once(&mut unclosed[1], || close_at(text, at + 2, "%}")),
            (b'{', b'#') => once(&mut unclosed[2], || close_at(text, at + 2, "#}")),
            (b'<', b'%') => once(&mut unclosed[3], || close_at(text, at + 2, "%>")),
            (b'$' | b'%', b'{') => close_brace(text, at + 2),
            (b'_', b'_') if language == Language::Toml => close_name(text, at + 2, "__"),
            (b'@', b'A'..=b'Z') if language == Language::Toml => close_name(text, at + 1, "@"),
            (b'$', b'A'..=b'Z' | b'a'..=b'z' | b'_') if language == Language::Toml => close_variable(text, at),
            (b'#', b'#') if language == Language::Toml => close_zarf(text, at),
            _ => None,
        };
        match end {
            Some(end) => {
                let inside = text.get(at + 2..end).unwrap_or_default();
                found.push(Markup { span: Span::new(at, end), effect: effect(first, second, inside) });
                at = end;
            }
            None => at += 1,
        }
    }
    found
}

fn once(unclosed: &mut bool, close: impl FnOnce() -> Option<usize>) -> Option<usize> {
    if *unclosed {
        return None;
    }
    let end = close();
    *unclosed = end.is_none();
    end
}

fn close_at(text: &str, from: usize, close: &str) -> Option<usize> {
    Some(from + text.get(from..)?.find(close)? + close.len())
}

/// The end of `{{ … }}`: the first `}}` outside of Go strings and comments, else the first at all.
fn close_go(text: &str, from: usize) -> Option<usize> {
    let first = close_at(text, from, "}}")?;
    let rest = text.get(from..)?;
    if rest.trim_start_matches('-').trim_start().starts_with("/*") {
        let comment = close_at(text, from, "*/")?;
        return close_at(text, comment, "}}");
    }
    let mut quote = None;
    let mut chars = rest.char_indices().take(REACH).peekable();
    while let Some((index, char)) = chars.next() {
        match (quote, char) {
            (Some('"'), '\\') => {
                chars.next();
            }
            (Some('"'), '\n') => return Some(first),
            (Some(open), _) if open == char => quote = None,
            (None, '"' | '`') => quote = Some(char),
            (None, '}') if chars.peek().is_some_and(|&(_, next)| next == '}') => return Some(from + index + 2),
            _ => {}
        }
    }
    Some(first)
}

/// The end of `${ … }` or `%{ … }` on its line.
fn close_brace(text: &str, from: usize) -> Option<usize> {
    let mut depth = 1usize;
    for (index, byte) in text.as_bytes().get(from..)?.iter().take(REACH).enumerate() {
        match byte {
            b'\n' => return None,
            b'{' => depth += 1,
            b'}' if depth == 1 => return Some(from + index + 1),
            b'}' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// The end of a name in capitals between marks.
fn close_name(text: &str, from: usize, mark: &str) -> Option<usize> {
    let (name, _) = text.get(from..)?.split_once(mark)?;
    let is_name = name.starts_with(|c: char| c.is_ascii_uppercase())
        && name.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_');
    is_name.then(|| from + name.len() + mark.len())
}

/// The end of `###ZARF_…###`.
fn close_zarf(text: &str, at: usize) -> Option<usize> {
    text.get(at..)?.starts_with("###ZARF_").then(|| close_name(text, at + 3, "###"))?
}

/// The end of a `$NAME` without quotes, in the place of a value or of a line: `envsubst` replaces it.
fn close_variable(text: &str, at: usize) -> Option<usize> {
    let (before, after) = (line_before(text.as_bytes(), at), text.get(at + 1..)?);
    let name = after.len() - after.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_').len();
    let next = after.get(name..)?.trim_start_matches([' ', '\t', '\r']).bytes().next();
    let last = before.trim_ascii_end().last();
    let is_value = matches!(last, Some(b'=' | b'[' | b',')) && matches!(next, None | Some(b'\n' | b',' | b']' | b'#'));
    let is_line = last.is_none() && matches!(next, None | Some(b'\n'));
    let is_bare = !in_quotes(before) && !before.contains(&b'#');
    (is_bare && (is_value || is_line)).then_some(at + 1 + name)
}

fn effect(first: u8, second: u8, inside: &str) -> Effect {
    let inside = inside.trim_start_matches(['-', '~', '+']).trim_start();
    let word = inside.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
    match (first, second) {
        (b'{', b'{') => match word {
            "if" | "else" | "end" | "range" | "with" | "define" | "block" | "break" | "continue" => Effect::Control,
            _ if inside.starts_with("/*") || is_assignment(inside) => Effect::Silent,
            _ => Effect::Output,
        },
        (b'{', b'%') if word == "set" => Effect::Silent,
        (b'{', b'%') | (b'%', b'{') => Effect::Control,
        (b'{', b'#') => Effect::Silent,
        (b'<', b'%') if !inside.starts_with('=') => Effect::Control,
        _ => Effect::Output,
    }
}

/// `$name := …` or `$name = …`.
fn is_assignment(inside: &str) -> bool {
    let Some(rest) = inside.strip_prefix('$') else { return false };
    let rest = rest.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_').trim_start();
    rest.starts_with(":=") || rest.starts_with("= ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn toml(text: &str) -> (String, usize) {
        let masked = mask(text, Language::Toml).expect("markup");
        assert_eq!(masked.text.len(), text.len());
        (masked.text, masked.statements.len())
    }

    #[test]
    fn values() {
        assert_eq!(toml("a = \"{{ .V.x }}\""), ("a = \"xxxxxxxxxx\"".into(), 0));
        assert_eq!(toml("a = \"{{ \"q\" | quote }}-b\""), ("a = \"xxxxxxxxxxxxxxxxx-b\"".into(), 0));
        assert_eq!(toml("a = {{ .x }} # c"), ("a = 'xxxxxx' # c".into(), 0));
        assert_eq!(toml("a = [{{ .x }}, {{é}}]"), ("a = ['xxxxxx', 'xxxx']".into(), 0));
        assert_eq!(toml("a = {{ \"}}\" }}"), ("a = 'xxxxxxxx'".into(), 0));
        assert_eq!(toml("{{ .k }}_x = 1"), ("xxxxxxxx_x = 1".into(), 1));
        assert_eq!(toml("[runners.{{ .k }}]"), ("[runners.xxxxxxxx]".into(), 1));
        assert_eq!(toml("a = 1{{ .k }}"), ("a = 1xxxxxxxx".into(), 0));
        assert_eq!(toml("a = __X_12__\nb = \"@Y@\""), ("a = 'xxxxxx'\nb = \"xxx\"".into(), 0));
        assert_eq!(toml("a = $X\nb = [$y_1, 2]\n$Z\n"), ("a = ''\nb = ['xx', 2]\n  \n".into(), 1));
        assert_eq!(
            toml("a = ###ZARF_A###\nb = \"###ZARF_B###\""),
            ("a = 'xxxxxxxxxx'\nb = \"xxxxxxxxxxxx\"".into(), 0)
        );
        assert_eq!(toml("a = ${x}\nb = \"${y[\"z\"]}\""), ("a = 'xx'\nb = \"xxxxxxxxx\"".into(), 0));
    }

    #[test]
    fn statements() {
        assert_eq!(toml("{{- if .x }}\na = 1\n{{- else -}}\na = 2\n{{- end }}").1, 3);
        assert_eq!(toml("  {{ include |\n x }}\nb = 1"), ("              \n     \nb = 1".into(), 1));
        assert_eq!(toml("{{/* \"}} */}}\n{{ $x := 1 }}{{- $y = 2 }}\n{# c #}").1, 0);
        assert_eq!(toml("{% if x %}a = 1{% endif %}"), ("          a = 1           ".into(), 2));
        assert_eq!(toml("a = \"{{ if .x }}b{{ end }}\"").1, 0);
        assert_eq!(toml("%{ if x ~}\na = 1\n%{ endif }").1, 2);
        assert_eq!(toml("a = \"\"\"\n{{ if .x }}\ncurl %{http_code} ${U}\n{{ end }}\"\"\"\n{{ .y }}\n").1, 1);
    }

    #[test]
    fn no_markup() {
        for text in [
            "a = {b = {}}",
            "a = \"{{ b\"",
            "a = '$x'",
            "${x\n}",
            "a = '__x__'",
            "a = '__X' # a@B",
            "{",
            "",
            "a = \"$X\" # $Y",
            "###A###",
            "a = \"\"\"\n$X\n\"\"\"",
        ] {
            assert_eq!(mask(text, Language::Toml), None, "{text}");
        }
    }

    #[test]
    fn yaml_values_are_words() {
        let masked = mask("a: {{ .x }}\nb: [{{ .y }}]", Language::Yaml).expect("markup");
        assert_eq!(masked.text, "a: xxxxxxxx\nb: [xxxxxxxx]");
        assert!(masked.statements.is_empty());
        assert_eq!(mask("{{ .k }}-x: 1", Language::Yaml).expect("markup").statements.len(), 1);
    }
}
