//! Labels that are meant to be the same.

/// The name that a label is meant to be: the nearest of those that differ by a slip, by their separators or by
/// words at their end.
pub fn nearest_label<'n>(label: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    names.filter(|name| is_near_label(name, label)).min_by_key(|name| strsim::osa_distance(name, label))
}

/// Whether one label is the other but for a slip, for other separators or for words after it.
fn is_near_label(a: &str, b: &str) -> bool {
    let (a, b) = (a.to_ascii_lowercase(), b.to_ascii_lowercase());
    let (a_words, b_words) = (words(&a), words(&b));
    let (short, long) = if a_words.len() < b_words.len() { (&a_words, &b_words) } else { (&b_words, &a_words) };
    if a == b || a_words.concat() == b_words.concat() {
        return a != b;
    }
    if short.len() < long.len() {
        let is_number = |word: &&str| word.bytes().all(|byte| byte.is_ascii_digit());
        let rest = long.strip_prefix(short.as_slice()).unwrap_or_default();
        // A single short word begins too much.
        return !rest.iter().all(is_number) && short.concat().len() >= SHORTEST;
    }
    let mut others = a_words.iter().zip(&b_words).filter(|(a, b)| a != b);
    match (others.next(), others.next()) {
        (Some((a, b)), None) => is_slip(a, b),
        _ => false,
    }
}

/// Letters below which a word is no evidence.
const SHORTEST: usize = 4;

/// Numbers and abbreviations tell apart what is meant to be apart.
fn is_slip(a: &str, b: &str) -> bool {
    let is_word = |word: &str| word.len() >= SHORTEST && !word.contains(|c: char| c.is_ascii_digit());
    let allowed = if a.len().min(b.len()) < 7 { 1 } else { 2 };
    is_word(a) && is_word(b) && strsim::osa_distance(a, b) <= allowed
}

fn words(label: &str) -> Vec<&str> {
    label.split(['-', '_', '.', '/']).collect()
}

#[cfg(test)]
mod tests {
    use super::is_near_label;

    #[test]
    fn near_labels() {
        for (a, b) in [
            ("acme-linux-x64", "acme-linux"),
            ("acme-linx", "acme-linux"),
            ("acme_linux", "acme-linux"),
            ("acmelinux", "acme-linux"),
            ("acme-lniux", "acme-linux"),
            ("arc-runners-set", "arc-runner-set"),
        ] {
            assert!(is_near_label(a, b) && is_near_label(b, a), "{a} {b}");
        }
        for (a, b) in [
            ("acme-linux", "ACME-linux"),
            ("acme-arm64", "acme-amd64"),
            ("acme-1", "acme-2"),
            ("acme-linux", "acme-linux-2"),
            ("acme-linux", "acme-test-linux"),
            ("acme-dev", "acme-prd"),
            ("gpu", "gpu-large"),
            ("acme-linux", "other-linux"),
            ("acme-linux", "acme-windows"),
        ] {
            assert!(!is_near_label(a, b), "{a} {b}");
        }
    }
}
