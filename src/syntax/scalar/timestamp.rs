//! The shapes of dates that go-yaml knows.

/// Whether go-yaml reads the text as a time.
pub(super) fn is_timestamp(text: &str) -> bool {
    parse(text).is_some()
}

fn parse(text: &str) -> Option<()> {
    let (year, rest) = text.split_at_checked(4)?;
    let year: u32 = year.bytes().all(|byte| byte.is_ascii_digit()).then(|| year.parse().ok())??;
    let (month, rest) = short_number(rest.strip_prefix('-')?)?;
    let (day, rest) = short_number(rest.strip_prefix('-')?)?;
    if !(1..=12).contains(&month) || day < 1 || day > days_in(year, month) {
        return None;
    }
    match rest.as_bytes().first() {
        None => Some(()),
        Some(b'T' | b't') => zone(time(rest.get(1..)?)?),
        Some(b' ') => time(rest.trim_start_matches(' '))?.is_empty().then_some(()),
        Some(_) => None,
    }
}

/// One or two digits.
fn short_number(text: &str) -> Option<(u32, &str)> {
    let width = text.bytes().take(2).take_while(u8::is_ascii_digit).count();
    let (digits, rest) = text.split_at_checked(width)?;
    Some((digits.parse().ok()?, rest))
}

/// `15:4:5`, with a fraction or without; what follows.
fn time(text: &str) -> Option<&str> {
    let (hour, rest) = short_number(text)?;
    let (minute, rest) = short_number(rest.strip_prefix(':')?)?;
    let (second, rest) = short_number(rest.strip_prefix(':')?)?;
    if hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    let Some(fraction) = rest.strip_prefix(['.', ',']) else {
        return Some(rest);
    };
    let after = fraction.trim_start_matches(|c: char| c.is_ascii_digit());
    Some(if after.len() == fraction.len() { rest } else { after })
}

fn zone(text: &str) -> Option<()> {
    if text == "Z" {
        return Some(());
    }
    let rest = text.strip_prefix(['+', '-'])?;
    let (hours, minutes) = rest.split_once(':')?;
    let two = |text: &str, most: u32| text.len() == 2 && text.parse::<u32>().is_ok_and(|number| number <= most);
    (two(hours, 24) && two(minutes, 59)).then_some(())
}

fn days_in(year: u32, month: u32) -> u32 {
    match month {
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}
