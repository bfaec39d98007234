//! Numbers as Go's strconv reads them for go-yaml.

use super::YamlScalar;

/// A number that begins with a digit or a sign.
pub(super) fn parse(text: &str) -> Option<YamlScalar<'static>> {
    let plain: String;
    let text = if text.contains('_') {
        plain = text.replace('_', "");
        &plain
    } else {
        text
    };
    if let Some(value) = parse_int(text) {
        return Some(YamlScalar::Int(value));
    }
    if let Some(value) = parse_uint(text) {
        return Some(YamlScalar::Uint(value));
    }
    if is_float(text)
        && let Some(value) = text.parse::<f64>().ok().filter(|value| value.is_finite())
    {
        return Some(YamlScalar::Float(value));
    }
    // What go-yaml tries last: a sign behind the prefix.
    let digits = text.strip_prefix("0b")?;
    let digits = digits.strip_prefix(['+', '-']).map(|rest| (digits.starts_with('-'), rest));
    let (negative, rest) = digits?;
    signed(negative, magnitude(rest, 2)?).map(YamlScalar::Int)
}

fn parse_int(text: &str) -> Option<i64> {
    match text.strip_prefix(['+', '-']) {
        Some(rest) => signed(text.starts_with('-'), parse_uint(rest)?),
        None => signed(false, parse_uint(text)?),
    }
}

fn signed(negative: bool, magnitude: u64) -> Option<i64> {
    if negative { 0i64.checked_sub_unsigned(magnitude) } else { i64::try_from(magnitude).ok() }
}

/// Go's `ParseUint` with base 0.
fn parse_uint(text: &str) -> Option<u64> {
    let bytes = text.as_bytes();
    let prefix = |letter: u8| bytes.len() >= 3 && bytes.get(1).map(u8::to_ascii_lowercase) == Some(letter);
    let (rest, base) = match bytes.first()? {
        b'0' if prefix(b'b') => (text.get(2..)?, 2),
        b'0' if prefix(b'o') => (text.get(2..)?, 8),
        b'0' if prefix(b'x') => (text.get(2..)?, 16),
        b'0' if bytes.len() == 1 => return Some(0),
        b'0' => (text.get(1..)?, 8),
        _ => (text, 10),
    };
    magnitude(rest, base)
}

fn magnitude(digits: &str, base: u32) -> Option<u64> {
    // Rust takes a `+` here, Go does not.
    if digits.starts_with('+') {
        return None;
    }
    u64::from_str_radix(digits, base).ok()
}

/// `[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?`
fn is_float(text: &str) -> bool {
    let text = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent.strip_prefix(['+', '-']).unwrap_or(exponent))),
        None => (text, None),
    };
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let whole = match mantissa.split_once('.') {
        Some(("", fraction)) => !fraction.is_empty() && digits(fraction),
        Some((whole, fraction)) => digits(whole) && digits(fraction),
        None => !mantissa.is_empty() && digits(mantissa),
    };
    whole && exponent.is_none_or(|exponent| !exponent.is_empty() && digits(exponent))
}

/// Go's `ParseFloat` of a text that begins with a dot: underscores may stand between digits.
pub(super) fn parse_go_float(text: &str) -> Option<f64> {
    let bytes = text.as_bytes();
    let is_digit = |at: Option<usize>| at.and_then(|at| bytes.get(at)).is_some_and(u8::is_ascii_digit);
    let between = |at: usize| is_digit(at.checked_sub(1)) && is_digit(Some(at + 1));
    if !text.match_indices('_').all(|(at, _)| between(at)) {
        return None;
    }
    let plain = text.replace('_', "");
    if !is_float(&plain) {
        return None;
    }
    plain.parse().ok().filter(|value: &f64| value.is_finite())
}
