//! Taints of pools and tolerations of pods.

use std::borrow::Cow;

use super::Truth;
use crate::values::{Data, Value};

/// A text that may be unknown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Atom<'a> {
    /// The text; empty where nothing is said.
    Known(Cow<'a, str>),
    /// Templated, or of a shape that the API server refuses.
    Unknown,
}

impl<'a> Atom<'a> {
    /// What a value says as text.
    pub fn of(value: &'a Value) -> Self {
        match &value.data {
            Data::Null => Self::Known(Cow::Borrowed("")),
            Data::String(text) if !value.is_unknown() => Self::Known(Cow::Borrowed(text)),
            // Refused in a manifest, but some charts quote what they are given.
            Data::Bool(flag) => Self::Known(Cow::Borrowed(if *flag { "true" } else { "false" })),
            Data::Int(number) => Self::Known(Cow::Owned(number.to_string())),
            Data::Float(number) if number.fract() == 0.0 => Self::Known(Cow::Owned(number.to_string())),
            _ => Self::Unknown,
        }
    }

    /// What an entry of a map says; nothing said is the empty text.
    pub fn at(map: &'a Value, key: &str) -> Self {
        map.get(key).map_or(Self::Known(Cow::Borrowed("")), Self::of)
    }

    /// The text, where it is known.
    pub fn known(&self) -> Option<&Cow<'a, str>> {
        match self {
            Self::Known(text) => Some(text),
            Self::Unknown => None,
        }
    }

    /// Whether it is another text.
    pub fn is(&self, other: &str) -> Truth {
        self.known().map_or(Truth::Unknown, |text| (text.as_ref() == other).into())
    }

    fn equals(&self, other: &Self) -> Truth {
        other.known().map_or(Truth::Unknown, |text| self.is(text))
    }
}

/// A taint of a pool.
#[derive(Debug, Clone)]
pub struct Taint<'a> {
    /// Where it is written.
    pub at: &'a Value,
    /// `key`.
    pub key: Atom<'a>,
    /// `value`.
    pub value: Atom<'a>,
    /// `effect`.
    pub effect: Atom<'a>,
}

impl<'a> Taint<'a> {
    /// Reads an item of a list of taints.
    pub fn of(at: &'a Value) -> Self {
        Self { at, key: Atom::at(at, "key"), value: Atom::at(at, "value"), effect: Atom::at(at, "effect") }
    }

    /// Whether it keeps pods away that do not tolerate it.
    pub fn forbids(&self) -> Truth {
        let forbids = ["NoSchedule", "NoExecute", ""];
        self.effect.known().map_or(Truth::Unknown, |effect| forbids.contains(&effect.as_ref()).into())
    }

    /// As `kubectl` writes it: `key=value:effect`.
    pub fn display(&self) -> String {
        let text = |atom: &Atom<'_>| atom.known().map_or("…".to_owned(), |text| text.to_string());
        let (key, value, effect) = (text(&self.key), text(&self.value), text(&self.effect));
        let key = if value.is_empty() { key } else { format!("{key}={value}") };
        if effect.is_empty() { key } else { format!("{key}:{effect}") }
    }
}

/// A toleration of a pod.
#[derive(Debug, Clone)]
pub struct Toleration<'a> {
    /// Where it is written.
    pub at: &'a Value,
    /// `key`; empty: every key.
    pub key: Atom<'a>,
    /// `operator`; empty: `Equal`.
    pub operator: Atom<'a>,
    /// `value`.
    pub value: Atom<'a>,
    /// `effect`; empty: every effect.
    pub effect: Atom<'a>,
}

impl<'a> Toleration<'a> {
    /// Reads an item of a list of tolerations.
    pub fn of(at: &'a Value) -> Self {
        Self {
            at,
            key: Atom::at(at, "key"),
            operator: Atom::at(at, "operator"),
            value: Atom::at(at, "value"),
            effect: Atom::at(at, "effect"),
        }
    }

    /// Reads an entry of GitLab Runner's `node_tolerations`: `"key=value" = "Effect"` or `"key" = "Effect"`.
    pub fn of_entry(entry: &'a str, at: &'a Value) -> Self {
        let mut parts = entry.split('=');
        let (key, value) = (parts.next().unwrap_or_default(), parts.next());
        let atom = |text: &'a str| match crate::view::is_templated(entry) {
            true => Atom::Unknown,
            false => Atom::Known(Cow::Borrowed(text)),
        };
        let operator = if value.is_some() { "Equal" } else { "Exists" };
        let value = atom(value.unwrap_or_default());
        Self { at, key: atom(key), operator: Atom::Known(Cow::Borrowed(operator)), value, effect: Atom::of(at) }
    }

    /// Whether it covers a taint.
    pub fn covers(&self, taint: &Taint<'_>) -> Truth {
        let effect = self.effect.is("").or(self.effect.equals(&effective(&taint.effect)));
        let key = self.key.is("").or(self.key.equals(&taint.key));
        effect.and(key).and(self.matches_value(taint))
    }

    fn matches_value(&self, taint: &Taint<'_>) -> Truth {
        let Some(operator) = self.operator.known() else { return Truth::Unknown };
        match operator.as_ref() {
            "Exists" => Truth::Yes,
            "" | "Equal" => self.value.equals(&taint.value),
            "Lt" | "Gt" => {
                let (Some(ours), Some(theirs)) = (self.value.known(), taint.value.known()) else {
                    return Truth::Unknown;
                };
                let (Ok(ours), Ok(theirs)) = (ours.parse::<i64>(), theirs.parse::<i64>()) else { return Truth::No };
                (if operator == "Lt" { theirs < ours } else { theirs > ours }).into()
            }
            _ => Truth::No,
        }
    }

    /// As people write it: `key=value:effect`, `key:effect` for every value.
    pub fn display(&self) -> String {
        let text = |atom: &Atom<'_>| atom.known().map_or("…".to_owned(), |text| text.to_string());
        let (key, value, effect) = (text(&self.key), text(&self.value), text(&self.effect));
        let key = if value.is_empty() { key } else { format!("{key}={value}") };
        if effect.is_empty() { key } else { format!("{key}:{effect}") }
    }
}

/// A taint without an effect counts as `NoSchedule`.
fn effective<'a>(effect: &Atom<'a>) -> Atom<'a> {
    match effect {
        Atom::Known(text) if text.is_empty() => Atom::Known(Cow::Borrowed("NoSchedule")),
        other => other.clone(),
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::values::{LayerId, Map, Origin};

    pub(crate) fn value(data: Data) -> Value {
        Value::new(data, Origin { layer: LayerId(0), node: None })
    }

    pub(crate) fn text(text: &str) -> Value {
        value(Data::String(text.to_owned()))
    }

    pub(crate) fn list(items: Vec<Value>) -> Value {
        value(Data::List(items))
    }

    pub(crate) fn map(entries: &[(&str, Value)]) -> Value {
        let entries = entries.iter().map(|(key, value)| ((*key).to_owned(), value.clone())).collect();
        value(Data::Map(Map { entries, deleted: Vec::new() }))
    }

    /// `key operator value effect`, `-` for what is not said.
    fn parts(names: [&str; 4], words: &str) -> Value {
        let entries: Vec<_> = names.into_iter().zip(words.split(' ')).filter(|(_, word)| *word != "-").collect();
        map(&entries.into_iter().map(|(name, word)| (name, text(word))).collect::<Vec<_>>())
    }

    fn covers(toleration: &str, taint: &str) -> Truth {
        let toleration = parts(["key", "operator", "value", "effect"], toleration);
        let taint = parts(["key", "value", "effect", ""], taint);
        Toleration::of(&toleration).covers(&Taint::of(&taint))
    }

    #[test]
    fn a_toleration_covers_a_taint() {
        use Truth::{No, Unknown, Yes};
        for (toleration, taint, expected) in [
            ("ci Equal a NoSchedule", "ci a NoSchedule", Yes),
            ("ci - a NoSchedule", "ci a NoSchedule", Yes),
            ("ci Equal a -", "ci a NoExecute", Yes),
            ("ci Equal a NoExecute", "ci a NoSchedule", No),
            ("ci Equal b NoSchedule", "ci a NoSchedule", No),
            ("ci Equal - NoSchedule", "ci - NoSchedule", Yes),
            ("ci Equal - NoSchedule", "ci a NoSchedule", No),
            ("ci Exists - NoSchedule", "ci a NoSchedule", Yes),
            ("cd Exists - NoSchedule", "ci a NoSchedule", No),
            ("- Exists - -", "ci a NoExecute", Yes),
            ("- Exists - NoSchedule", "ci a NoExecute", No),
            ("ci Equals a NoSchedule", "ci a NoSchedule", No),
            ("ci Exists - NoSchedule", "ci a -", Yes),
            ("gen Gt 4 NoSchedule", "gen 5 NoSchedule", Yes),
            ("gen Gt 4 NoSchedule", "gen 4 NoSchedule", No),
            ("gen Lt 4 NoSchedule", "gen 3 NoSchedule", Yes),
            ("gen Lt 4 NoSchedule", "gen old NoSchedule", No),
            ("${k} Exists - NoSchedule", "ci a NoSchedule", Unknown),
            ("${k} Exists - NoExecute", "ci a NoSchedule", No),
            ("ci Equal {{x}} NoSchedule", "ci a NoSchedule", Unknown),
            ("ci Equal a NoSchedule", "ci ${v} NoSchedule", Unknown),
            ("ci Exists - NoSchedule", "ci ${v} NoSchedule", Yes),
            ("ci Exists - NoSchedule", "ci a ${e}", Unknown),
        ] {
            assert_eq!(covers(toleration, taint), expected, "{toleration} / {taint}");
        }
    }

    #[test]
    fn entries_of_the_runner_config() {
        let covers = |entry: &str, effect: &str, taint: &str| {
            let effect = text(effect);
            let taint = parts(["key", "value", "effect", ""], taint);
            Toleration::of_entry(entry, &effect).covers(&Taint::of(&taint))
        };
        assert_eq!(covers("ci=a", "NoSchedule", "ci a NoSchedule"), Truth::Yes);
        assert_eq!(covers("ci", "NoSchedule", "ci a NoSchedule"), Truth::Yes);
        assert_eq!(covers("ci", "", "ci a NoExecute"), Truth::Yes);
        assert_eq!(covers("", "", "ci a NoExecute"), Truth::Yes);
        assert_eq!(covers("ci=a=b", "", "ci a NoSchedule"), Truth::Yes);
        assert_eq!(covers("ci=a:NoSchedule", "", "ci a NoSchedule"), Truth::No);
        assert_eq!(covers("ci={{ .Values.x }}", "", "ci a NoSchedule"), Truth::Unknown);
    }

    #[test]
    fn only_two_effects_forbid() {
        let forbids = |taint: &str| Taint::of(&parts(["key", "value", "effect", ""], taint)).forbids();
        assert_eq!(forbids("a - NoSchedule"), Truth::Yes);
        assert_eq!(forbids("a - NoExecute"), Truth::Yes);
        assert_eq!(forbids("a - -"), Truth::Yes);
        assert_eq!(forbids("a - PreferNoSchedule"), Truth::No);
        assert_eq!(forbids("a - ${e}"), Truth::Unknown);
    }
}
