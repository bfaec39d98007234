//! Version ranges as Masterminds/semver reads them (`^1.2`, `~1`, `1.x`, `>=1 <2 || 3`, `1 - 2`).

use std::cmp::Ordering;

#[derive(Debug, Clone, PartialEq, Eq)]
struct Version {
    numbers: [u64; 3],
    /// How many of the numbers were written; the rest are wildcards in a range.
    written: usize,
    pre: Vec<String>,
}

/// Whether `version` lies in `range`; an empty range holds all versions without a prerelease, a range
/// or version that cannot be read holds nothing.
pub(super) fn matches(range: &str, version: &str) -> bool {
    let Some(version) = parse(version.trim()) else {
        return false;
    };
    range.split("||").any(|all| holds_all(all, &version))
}

/// A version in a range: the first of the preferred ones, else the highest near a bound of it.
pub fn version_in<'a>(
    range: &str,
    preferred: impl IntoIterator<Item = &'a semver::Version>,
) -> Option<semver::Version> {
    let lies_in = |version: &semver::Version| matches(range, &version.to_string());
    let mut preferred = preferred.into_iter().filter(|version| lies_in(version)).cloned();
    preferred.next().or_else(|| bounds(range).flat_map(|bound| around(bound.numbers)).filter(lies_in).max())
}

/// The versions that a range is made of.
fn bounds(range: &str) -> impl Iterator<Item = Version> + '_ {
    let words = range.split(|c: char| c.is_whitespace() || "|,=!<>~^".contains(c));
    words.filter(|word| word.starts_with(|c: char| c == 'v' || c.is_ascii_digit())).filter_map(parse)
}

/// A version with its neighbours.
fn around([major, minor, patch]: [u64; 3]) -> impl Iterator<Item = semver::Version> {
    let next = |number: u64| number.saturating_add(1);
    let after = [(major, minor, patch), (major, minor, next(patch)), (major, next(minor), 0), (next(major), 0, 0)];
    let before =
        [patch.checked_sub(1).map(|patch| (major, minor, patch)), minor.checked_sub(1).map(|minor| (major, minor, 0))];
    let all = after.into_iter().chain(before.into_iter().flatten());
    all.map(|(major, minor, patch)| semver::Version::new(major, minor, patch))
}

fn parse(text: &str) -> Option<Version> {
    let text = text.strip_prefix('v').unwrap_or(text);
    let text = text.split_once('+').map_or(text, |(version, _)| version);
    let (core, pre) = text.split_once('-').unwrap_or((text, ""));
    let mut version = Version { numbers: [0; 3], written: 0, pre: Vec::new() };
    let mut wild = false;
    for (index, part) in core.split('.').enumerate() {
        let slot = version.numbers.get_mut(index)?;
        if matches!(part, "x" | "X" | "*") {
            wild = true;
        } else if !wild {
            *slot = part.parse().ok()?;
            version.written = index + 1;
        }
    }
    version.pre = pre.split('.').filter(|part| !part.is_empty()).map(str::to_owned).collect();
    Some(version)
}

fn compare(a: &Version, b: &Version) -> Ordering {
    a.numbers.cmp(&b.numbers).then_with(|| match (a.pre.is_empty(), b.pre.is_empty()) {
        (true, true) => Ordering::Equal,
        (true, false) => Ordering::Greater,
        (false, true) => Ordering::Less,
        (false, false) => compare_pre(&a.pre, &b.pre),
    })
}

fn compare_pre(a: &[String], b: &[String]) -> Ordering {
    for (a, b) in a.iter().zip(b) {
        let order = match (a.parse::<u64>(), b.parse::<u64>()) {
            (Ok(a), Ok(b)) => a.cmp(&b),
            (Ok(_), Err(_)) => Ordering::Less,
            (Err(_), Ok(_)) => Ordering::Greater,
            (Err(_), Err(_)) => a.cmp(b),
        };
        if order.is_ne() {
            return order;
        }
    }
    a.len().cmp(&b.len())
}

fn holds_all(range: &str, version: &Version) -> bool {
    if let Some((from, to)) = range.split_once(" - ") {
        return holds(">=", from.trim(), version) && holds("<=", to.trim(), version);
    }
    let mut rest = range.trim();
    if rest.is_empty() {
        return holds("", "*", version);
    }
    while !rest.is_empty() {
        let operator_len = rest.bytes().take_while(|b| b"=!<>~^".contains(b)).count();
        let (operator, after) = rest.split_at_checked(operator_len).unwrap_or(("", rest));
        let after = after.trim_start();
        let end = after.find([' ', ',', '\t', '=', '<', '>', '!', '~', '^']).unwrap_or(after.len());
        let (operand, after) = after.split_at_checked(end).unwrap_or((after, ""));
        if operand.is_empty() || !holds(operator, operand, version) {
            return false;
        }
        rest = after.trim_start_matches([' ', ',', '\t']);
    }
    true
}

fn holds(operator: &str, operand: &str, version: &Version) -> bool {
    let Some(bound) = parse(operand) else {
        return false;
    };
    if !version.pre.is_empty() && bound.pre.is_empty() {
        return false;
    }
    let order = compare(version, &bound);
    let same = |count: usize| version.numbers.iter().zip(&bound.numbers).take(count).all(|(a, b)| a == b);
    let dirty = bound.written < 3;
    match operator {
        "" | "=" if dirty => same(bound.written),
        "" | "=" => order.is_eq(),
        "!=" if dirty => !same(bound.written),
        "!=" => order.is_ne(),
        ">" if dirty => order.is_gt() && !same(bound.written),
        ">" => order.is_gt(),
        "<" => order.is_lt(),
        ">=" | "=>" => order.is_ge(),
        "<=" | "=<" if dirty => order.is_lt() || same(bound.written),
        "<=" | "=<" => order.is_le(),
        "~" | "~>" => order.is_ge() && same(bound.written.min(2)),
        "^" => order.is_ge() && same(caret(&bound)),
        _ => false,
    }
}

/// How many numbers `^` holds fast.
fn caret(bound: &Version) -> usize {
    let first = bound.numbers.iter().position(|&number| number > 0).map_or(3, |index| index + 1);
    first.min(bound.written.max(1)).min(if bound.written == 0 { 0 } else { 3 })
}

#[cfg(test)]
mod tests {
    use super::{matches, version_in};

    #[test]
    fn a_version_of_a_range() {
        let newest = semver::Version::new(0, 86, 0);
        let of = |range| version_in(range, [&newest]).map(|version| version.to_string());
        for (range, version) in [
            ("*", "0.86.0"),
            (">=0.40.0", "0.86.0"),
            ("0.40.x", "0.40.1"),
            ("~0.71.2", "0.71.3"),
            ("^0.71", "0.71.1"),
            ("<0.50.0", "0.49.0"),
            (">0.86.0", "1.0.0"),
            (">=0.30.0 <0.41.0", "0.40.0"),
            ("0.30 - 0.40", "0.40.1"),
        ] {
            assert_eq!(of(range).as_deref(), Some(version), "{range}");
        }
        assert_eq!(of("latest"), None);
        assert_eq!(of("{{ .version }}"), None);
    }

    #[test]
    fn ranges() {
        let yes = [
            ("*", "1.2.3"),
            ("", "1.2.3"),
            ("^2.0.0", "2.1.0"),
            ("^0.2", "0.2.9"),
            ("~1.2.3", "1.2.9"),
            ("1.x", "1.9.0"),
            (">=1.0.0 <2.0.0", "1.5.0"),
            (">=1, <2", "1.5.0"),
            ("1.0.0 || 2.x.x", "2.4.0"),
            ("1.0.0 - 1.5.0", "1.4.0"),
            ("~> 1.2", "1.2.7"),
            ("v1.2.3", "1.2.3"),
            ("0.1.0", "v0.1.0"),
            (">=1.0.0-0", "1.2.0-rc.1"),
        ];
        let no = [
            ("^2.0.0", "1.0.0"),
            ("^0.2.1", "0.3.0"),
            ("~1.2.3", "1.3.0"),
            ("*", "1.0.0-rc.1"),
            ("latest", "1.0.0"),
            ("1.0.0", "1.0.1"),
            (">1", "1.5.0"),
            ("!=1.0.0", "1.0.0"),
        ];
        for (range, version) in yes {
            assert!(matches(range, version), "{range} {version}");
        }
        for (range, version) in no {
            assert!(!matches(range, version), "{range} {version}");
        }
    }
}
