//! Values as lines of YAML, each with its origin; lost parts in the place where they would stand.

use crate::values::{Data, LostPart, Map, Origin, Value, losses_of, path_text, to_json};

/// One line.
pub(super) struct Line {
    pub(super) origin: Origin,
    pub(super) text: String,
    /// Set on lines of lost parts; the first of each says how, and by what.
    pub(super) lost: Option<Option<(&'static str, Origin)>>,
}

/// Writes YAML; `lost` says whether lost parts are written too.
pub(super) struct Writer {
    pub(super) lines: Vec<Line>,
    pub(super) with_lost: bool,
    /// Sorted keys, for comparing.
    pub(super) sorted: bool,
}

impl Writer {
    pub(super) fn write(mut self, value: &Value) -> Vec<Line> {
        match &value.data {
            Data::Map(map) if !map.entries.is_empty() || self.with_lost && !map.deleted.is_empty() => {
                self.map(map, "", "");
            }
            _ => self.push(value.origin, to_json(value)),
        }
        self.lines
    }

    fn push(&mut self, origin: Origin, text: String) {
        self.lines.push(Line { origin, text, lost: None });
    }

    /// Entries at `indent`; the first line begins with `lead` instead.
    fn map(&mut self, map: &Map, lead: &str, indent: &str) {
        let mut entries: Vec<(&String, &Value)> = map.entries.iter().collect();
        if self.sorted {
            entries.sort_unstable_by_key(|&(key, _)| key);
        }
        let mut lead = lead;
        for (key, value) in entries {
            self.entry(&plain(key), value, lead, indent);
            lead = indent;
        }
        if self.with_lost {
            for deleted in &map.deleted {
                self.lost(&plain(&deleted.key), &deleted.value, ("deleted", deleted.by), lead, indent);
                lead = indent;
            }
        }
    }

    fn entry(&mut self, key: &str, value: &Value, lead: &str, indent: &str) {
        let origin = value.origin;
        let deeper = format!("{indent}  ");
        match &value.data {
            Data::Map(map) if !map.entries.is_empty() || self.with_lost && !map.deleted.is_empty() => {
                self.push(origin, format!("{lead}{key}:"));
                self.map(map, &deeper, &deeper);
            }
            Data::List(items) if !items.is_empty() => {
                self.push(origin, format!("{lead}{key}:"));
                self.list(value, items, &deeper);
            }
            Data::String(text) if is_block(text) => self.block(key, text, origin, lead, &deeper),
            _ => self.push(origin, format!("{lead}{key}: {}", scalar(value))),
        }
        if self.with_lost && !matches!(value.data, Data::Map(_) | Data::List(_) | Data::Null) {
            for past in &value.past {
                if matches!(past.value.data, Data::Map(_) | Data::List(_)) {
                    self.lost(key, &past.value, ("replaced", past.by), lead, indent);
                }
            }
        }
    }

    fn block(&mut self, key: &str, text: &str, origin: Origin, lead: &str, indent: &str) {
        let chomp = if text.ends_with('\n') { "" } else { "-" };
        self.push(origin, format!("{lead}{key}: |{chomp}"));
        for line in text.lines() {
            self.push(origin, if line.is_empty() { String::new() } else { format!("{indent}{line}") });
        }
    }

    fn list(&mut self, list: &Value, items: &[Value], indent: &str) {
        let parts = if self.with_lost { losses_of(list) } else { Vec::new() };
        for item in items {
            self.item(item, indent);
            let of_item = |part: &&LostPart<'_>| part.item.is_some_and(|other| std::ptr::eq(other, item));
            for part in parts.iter().filter(of_item) {
                let deeper = format!("{indent}  ");
                self.lost(&path_text(&part.field), part.value, ("replaced", part.by), &deeper, &deeper);
            }
        }
        for part in parts.iter().filter(|part| part.item.is_none()) {
            let start = self.lines.len();
            self.item(part.value, indent);
            self.strike(start, ("replaced", part.by));
        }
    }

    fn item(&mut self, item: &Value, indent: &str) {
        let lead = format!("{indent}- ");
        let deeper = format!("{indent}  ");
        match &item.data {
            Data::Map(map) if !map.entries.is_empty() => self.map(map, &lead, &deeper),
            Data::List(items) if !items.is_empty() => self.push(item.origin, format!("{lead}{}", to_json(item))),
            _ => self.push(item.origin, format!("{lead}{}", scalar(item))),
        }
    }

    fn lost(&mut self, key: &str, value: &Value, how: (&'static str, Origin), lead: &str, indent: &str) {
        let start = self.lines.len();
        self.entry(key, value, lead, indent);
        self.strike(start, how);
    }

    fn strike(&mut self, start: usize, how: (&'static str, Origin)) {
        for (index, line) in self.lines.iter_mut().skip(start).enumerate() {
            line.lost = Some((index == 0).then_some(how));
        }
    }
}

fn is_block(text: &str) -> bool {
    text.contains('\n')
        && !text.starts_with([' ', '\n', '\t'])
        && !text.ends_with("\n\n")
        && text.chars().all(|c| {
            c == '\n' || c == '\t' || !c.is_control() && !matches!(c, '\u{85}' | '\u{2028}' | '\u{2029}' | '\u{feff}')
        })
}

fn scalar(value: &Value) -> String {
    match &value.data {
        Data::String(text) => plain(text),
        _ => to_json(value),
    }
}

/// A string without quotes if Helm would read it as the same string, else as JSON.
fn plain(text: &str) -> String {
    let safe = text.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '/' | '_'))
        && text.chars().all(|c| c.is_ascii_alphanumeric() || " /_-.:@+=~()$".contains(c))
        && !text.contains(": ")
        && !text.ends_with([':', ' ']);
    let word = text.to_ascii_lowercase();
    let special = ["null", "true", "false", "yes", "no", "on", "off", "y", "n"].contains(&word.as_str());
    if safe && !special { text.to_owned() } else { quoted(text) }
}

fn quoted(text: &str) -> String {
    // Go's escapes of `<`, `>` and `&` are for browsers.
    serde_json::to_string(text).unwrap_or_default()
}
