//! How scale sets register with GitHub, and which of them are one and the same.

use super::{Field, Home, ScaleSet};
use crate::values::Value;

/// Where, and under which name, a scale set registers: GitHub knows one set for each.
#[derive(Debug, Clone, Copy)]
pub struct Registration<'a> {
    url: &'a str,
    group: &'a str,
    /// The name.
    pub name: &'a str,
    /// Where the name stands; the settings, where it is the release's.
    pub name_at: &'a Value,
}

impl Registration<'_> {
    /// Whether it is the same to GitHub.
    pub fn is_same(&self, other: &Self) -> bool {
        let url = |one: &Self| one.url.trim_end_matches('/').to_ascii_lowercase();
        self.name == other.name && url(self) == url(other) && self.group.eq_ignore_ascii_case(other.group)
    }
}

impl<'a> ScaleSet<'a> {
    /// How it registers; none where a part of that cannot be known.
    pub fn registration(&self) -> Option<Registration<'a>> {
        let url = Field::of(self.at(&["githubConfigUrl"]), Value::as_str).known().filter(|url| !url.is_empty())?;
        let group = match Field::of(self.at(&["runnerGroup"]), Value::as_str) {
            Field::Present(group, _) if !group.is_empty() => group,
            Field::Present(..) | Field::Absent => "default",
            Field::WrongShape(_) | Field::Unknown(_) => return None,
        };
        let Field::Present(name, name_at) = self.name() else { return None };
        Some(Registration { url, group, name, name_at })
    }

    /// Whether both may be one set, seen twice: overlays over one base, copies of one object, values and what was
    /// rendered from them.
    pub fn may_be_the_same_as(&self, other: &ScaleSet<'_>) -> bool {
        match (&self.home, &other.home) {
            (Home::Values(one, part), Home::Values(two, other)) => {
                let is_same_stack = std::ptr::eq(one.merged, two.merged);
                let shares = one.files.iter().any(|file| two.files.contains(file));
                if is_same_stack { part.prefix == other.prefix } else { shares }
            }
            (Home::Object(one), Home::Object(two)) => one.name == two.name && one.namespace == two.namespace,
            _ => true,
        }
    }
}
