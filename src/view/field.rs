//! What can be known of a field.

use crate::values::{Data, Value};

/// A field of a document, as far as it can be known.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Field<'a, T> {
    /// Not there.
    Absent,
    /// There, and of the right shape.
    Present(T, &'a Value),
    /// There, and of another shape.
    WrongShape(&'a Value),
    /// Templated, remote or not in view: never a finding.
    Unknown(Option<&'a Value>),
}

impl<'a, T> Field<'a, T> {
    /// Reads a value with `read`; absent and null are the same to Kubernetes and to templates.
    pub fn of(value: Option<&'a Value>, read: impl FnOnce(&'a Value) -> Option<T>) -> Self {
        match value {
            None => Self::Absent,
            Some(value) if value.is_null() => Self::Absent,
            Some(value) if value.is_unknown() => Self::Unknown(Some(value)),
            Some(value) => read(value).map_or(Self::WrongShape(value), |known| Self::Present(known, value)),
        }
    }

    /// What is there, where it is known and of the right shape.
    pub fn known(self) -> Option<T> {
        match self {
            Self::Present(known, _) => Some(known),
            _ => None,
        }
    }

    /// Whether it is surely not there.
    pub fn is_absent(&self) -> bool {
        matches!(self, Self::Absent)
    }

    /// The value to point at, where there is one.
    pub fn value(&self) -> Option<&'a Value> {
        match self {
            Self::Present(_, value) | Self::WrongShape(value) | Self::Unknown(Some(value)) => Some(value),
            Self::Absent | Self::Unknown(None) => None,
        }
    }
}

/// Whether a text holds template markup or placeholders, so that its value cannot be known.
pub fn is_templated(text: &str) -> bool {
    let marks = ["{{", "{%", "${", "<%", "$(", "###", "<path:", "@@", "%{", "__", "ENC["];
    marks.iter().any(|mark| text.contains(mark)) || names_variable(text)
}

/// Whether a text names a variable of a shell or of envsubst, as in `$RUNNER_NAME`.
fn names_variable(text: &str) -> bool {
    let starts_name =
        |rest: &str| matches!(rest.as_bytes(), [b'A'..=b'Z' | b'_', b'A'..=b'Z' | b'0'..=b'9' | b'_', ..]);
    text.split('$').skip(1).any(starts_name)
}

/// Whether a text only stands in for one that somebody else is to give.
pub fn is_placeholder(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    let words =
        ["placeholder", "example", "change-me", "changeme", "override_me", "override-me", "replace-me", "replaceme"];
    let whole = ["localhost", "test-pool", "todo", "tbd", "xxx", "foo", "bar", "dummy"];
    words.iter().any(|word| text.contains(word)) || whole.contains(&text.as_str())
}

impl Value {
    /// Whether it is a string that cannot be known.
    pub fn is_unknown(&self) -> bool {
        matches!(&self.data, Data::String(text) if is_templated(text))
    }

    /// Whether it is null, or a string, list or map with nothing in it.
    pub fn is_empty(&self) -> bool {
        match &self.data {
            Data::Null => true,
            Data::String(text) => text.is_empty(),
            Data::List(items) => items.is_empty(),
            Data::Map(map) => map.entries.is_empty(),
            _ => false,
        }
    }
}
