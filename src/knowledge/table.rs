//! The format of the tables: tab-separated columns; lines that start with `#` say source and date.

/// Rows of a table, as many columns as asked for; a column that is not there is empty.
pub(super) fn rows<const N: usize>(text: &'static str) -> impl Iterator<Item = [&'static str; N]> {
    text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).map(|line| {
        let mut columns = line.split('\t').map(str::trim);
        std::array::from_fn(|_| columns.next().unwrap_or_default())
    })
}

/// What the head of a table says under a name, as in `# date: 2026-08-26`.
pub(super) fn head(text: &'static str, name: &str) -> Option<&'static str> {
    let mut lines = text.lines().map_while(|line| line.strip_prefix("# "));
    lines.find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_and_head() {
        let text = "# source: here\n# date: 2026-01-02\na\tb\n\nc\n";
        assert_eq!(rows::<2>(text).collect::<Vec<_>>(), [["a", "b"], ["c", ""]]);
        assert_eq!(head(text, "date"), Some("2026-01-02"));
        assert_eq!(head(text, "owner"), None);
    }
}
