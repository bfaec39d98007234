//! Durations in Go's notation: `1h30m`, `-1.5s`, `0`.

/// Units with their nanoseconds, as `time.ParseDuration` knows them.
const UNITS: [(&str, f64); 8] = [
    ("ns", 1.0),
    ("us", 1e3),
    ("\u{b5}s", 1e3),
    ("\u{3bc}s", 1e3),
    ("ms", 1e6),
    ("s", 1e9),
    ("m", 6e10),
    ("h", 3.6e12),
];

/// What people write for units, with what Go has for them.
const WORDS: [(&[&str], &str, u64); 6] = [
    (&["weeks", "week", "w"], "h", 168),
    (&["days", "day", "d"], "h", 24),
    (&["hours", "hour", "hrs", "hr", "h"], "h", 1),
    (&["minutes", "minute", "mins", "min", "m"], "m", 1),
    (&["seconds", "second", "secs", "sec", "s"], "s", 1),
    (&["milliseconds", "millisecond", "millis", "ms"], "ms", 1),
];

/// The nanoseconds of a duration; none for what `time.ParseDuration` refuses.
pub fn parse_duration(text: &str) -> Option<f64> {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    if unsigned == "0" {
        return Some(0.0);
    }
    let (mut rest, mut total) = (unsigned, 0.0);
    if rest.is_empty() {
        return None;
    }
    while !rest.is_empty() {
        let (number, after) = rest.split_at(rest.find(|c: char| !c.is_ascii_digit() && c != '.')?);
        let (unit, after) = after.split_at(after.find(|c: char| c.is_ascii_digit() || c == '.').unwrap_or(after.len()));
        let digits = number.bytes().any(|byte| byte.is_ascii_digit()) && number.matches('.').count() < 2;
        let (_, nanoseconds) = UNITS.iter().find(|(name, _)| *name == unit).filter(|_| digits)?;
        total += format!("0{}", number.trim_end_matches('.')).parse::<f64>().ok()? * nanoseconds;
        rest = after;
    }
    // Go keeps it in 63 bits.
    let total = if text.starts_with('-') { -total } else { total };
    (total.abs() < 9.223_372_036_854_776e18).then_some(total)
}

/// What a text that is no duration must have meant, in Go's notation; none where the unit is not said.
pub fn meant_duration(text: &str) -> Option<String> {
    let text = text.trim().to_ascii_lowercase().replace([' ', ',', '_'], "");
    let (mut rest, mut meant) = (text.as_str(), String::new());
    while !rest.is_empty() {
        let (number, after) = rest.split_at(rest.find(|c: char| !c.is_ascii_digit())?);
        let (word, after) = after.split_at(after.find(|c: char| c.is_ascii_digit()).unwrap_or(after.len()));
        let (_, unit, times) = WORDS.iter().find(|(words, ..)| words.contains(&word))?;
        let count = number.parse::<u64>().ok()?.checked_mul(*times)?;
        meant.push_str(&format!("{count}{unit}"));
        rest = after;
    }
    Some(meant).filter(|meant| parse_duration(meant).is_some())
}

#[cfg(test)]
mod tests {
    use super::{meant_duration, parse_duration};

    #[test]
    fn durations() {
        for (text, seconds) in [
            ("1h30m", 5400.0),
            ("0", 0.0),
            ("-0", 0.0),
            ("+5s", 5.0),
            ("-1.5s", -1.5),
            (".5s", 0.5),
            ("5.s", 5.0),
            ("1m0s", 60.0),
            ("3\u{b5}s", 3e-6),
            ("100ms", 0.1),
        ] {
            assert_eq!(parse_duration(text).map(|nanoseconds| nanoseconds / 1e9), Some(seconds), "{text}");
        }
        for text in ["", "1", "1 h", "1h 30m", "30min", "5d", "1H", "s", ".s", "1.2.3s", "-", "9000000h", "1h30"] {
            assert_eq!(parse_duration(text), None, "{text}");
        }
    }

    #[test]
    fn meant() {
        for (text, meant) in
            [("1 h 30 min", "1h30m"), ("7d", "168h"), ("1H", "1h"), ("10 minutes", "10m"), ("1 hour, 5 secs", "1h5s")]
        {
            assert_eq!(meant_duration(text).as_deref(), Some(meant), "{text}");
        }
        for text in ["", "300", "soon", "5 x", "1h30"] {
            assert_eq!(meant_duration(text), None, "{text}");
        }
    }
}
