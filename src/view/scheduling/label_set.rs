//! Sets of values that a node label may have, "no such label" included.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::Atom;
use crate::values::Value;

/// An answer that may be unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Truth {
    /// Surely not.
    No,
    /// Cannot be known.
    Unknown,
    /// Surely.
    Yes,
}

impl Truth {
    /// Both.
    pub fn and(self, other: Self) -> Self {
        self.min(other)
    }

    /// At least one.
    pub fn or(self, other: Self) -> Self {
        self.max(other)
    }
}

impl From<bool> for Truth {
    fn from(answer: bool) -> Self {
        if answer { Self::Yes } else { Self::No }
    }
}

/// A set of values of one label.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LabelSet<'a> {
    /// Whether a node without the label belongs to it.
    absent: bool,
    /// Whether `values` are left out of all strings, instead of being the only ones.
    complement: bool,
    values: BTreeSet<Cow<'a, str>>,
    /// Only integers above it.
    above: Option<i64>,
    /// Only integers below it.
    below: Option<i64>,
    unknown: bool,
}

impl<'a> LabelSet<'a> {
    fn new(absent: bool, complement: bool, values: BTreeSet<Cow<'a, str>>) -> Self {
        Self { absent, complement, values, above: None, below: None, unknown: false }
    }

    /// Something, nobody can tell what.
    pub fn unknown() -> Self {
        Self { unknown: true, ..Self::new(true, true, BTreeSet::new()) }
    }

    /// One value.
    pub fn only(value: Cow<'a, str>) -> Self {
        Self::new(false, false, BTreeSet::from([value]))
    }

    /// One of several values, or no label at all.
    pub fn one_of_or_absent(values: &[&'a str]) -> Self {
        Self::new(true, false, values.iter().map(|value| Cow::Borrowed(*value)).collect())
    }

    /// What an operator with its values stands for. What the API server would refuse is unknown.
    pub fn of(operator: &str, values: Option<&'a Value>) -> Self {
        let atoms: Vec<Atom<'a>> = values.into_iter().flat_map(Value::items).map(Atom::of).collect();
        let known: BTreeSet<_> = atoms.iter().filter_map(|atom| atom.known().cloned()).collect();
        let mut set = match operator {
            "In" if !atoms.is_empty() => Self::new(false, false, known),
            "NotIn" if !atoms.is_empty() => Self::new(true, true, known),
            "Exists" => return Self::new(false, true, BTreeSet::new()),
            "DoesNotExist" => return Self::new(true, false, BTreeSet::new()),
            "Gt" | "Gte" | "Lt" | "Lte" => return Self::bound(operator, &atoms),
            _ => return Self::unknown(),
        };
        set.unknown = atoms.iter().any(|atom| atom.known().is_none()) || values.is_some_and(Value::is_unknown);
        set
    }

    fn bound(operator: &str, atoms: &[Atom<'a>]) -> Self {
        let number = match atoms {
            [atom] => atom.known().and_then(|text| text.parse::<i64>().ok()),
            _ => None,
        };
        let Some(number) = number else { return Self::unknown() };
        let mut set = Self::new(false, true, BTreeSet::new());
        match operator {
            "Gt" => set.above = Some(number),
            "Gte" => set.above = Some(number.saturating_sub(1)),
            "Lt" => set.below = Some(number),
            _ => set.below = Some(number.saturating_add(1)),
        }
        set
    }

    /// What belongs to both.
    pub fn intersect(&self, other: &Self) -> Self {
        let above = self.above.max(other.above);
        let below = match (self.below, other.below) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        let (complement, values) = match (self.complement, other.complement) {
            (true, true) => (true, self.values.union(&other.values).cloned().collect()),
            (true, false) => (false, other.values.difference(&self.values).cloned().collect()),
            (false, true) => (false, self.values.difference(&other.values).cloned().collect()),
            (false, false) => (false, self.values.intersection(&other.values).cloned().collect()),
        };
        let mut both = Self {
            absent: self.absent && other.absent,
            complement,
            values,
            above,
            below,
            unknown: self.unknown || other.unknown,
        };
        if !complement {
            both.values.retain(|value| within(value, above, below));
        }
        both
    }

    /// Whether no label value, nor its absence, belongs to it.
    pub fn is_empty(&self) -> Truth {
        let no_integer = matches!((self.above, self.below), (Some(a), Some(b)) if b.saturating_sub(a) < 2);
        let no_value = if self.complement { no_integer } else { self.values.is_empty() };
        if self.unknown { Truth::Unknown } else { (no_value && !self.absent).into() }
    }

    /// Whether some value, or the absence of the label, belongs to both.
    pub fn overlaps(&self, other: &Self) -> Truth {
        match self.intersect(other).is_empty() {
            Truth::Yes => Truth::No,
            Truth::Unknown => Truth::Unknown,
            Truth::No => Truth::Yes,
        }
    }

    /// Whether a node without the label belongs to it.
    pub fn allows_absent(&self) -> Truth {
        if self.unknown { Truth::Unknown } else { self.absent.into() }
    }

    /// The values, where only these belong to it and all are known.
    pub fn values(&self) -> Option<impl Iterator<Item = &str>> {
        (!self.complement && !self.unknown && !self.values.is_empty()).then(|| self.values.iter().map(AsRef::as_ref))
    }

    /// The smallest integer that belongs to it, where there is one.
    pub fn smallest(&self) -> Option<i64> {
        match self.values() {
            Some(values) => values.map(|value| value.parse().ok()).min().flatten(),
            None => self.above.filter(|_| !self.unknown).map(|above| above.saturating_add(1)),
        }
    }

    /// The largest integer that belongs to it, where there is one.
    pub fn largest(&self) -> Option<i64> {
        match self.values() {
            // One value that is no number: nothing is known of the largest.
            Some(values) => values.map(|value| value.parse().ok()).collect::<Option<Vec<i64>>>()?.into_iter().max(),
            None => self.below.filter(|_| !self.unknown).map(|below| below.saturating_sub(1)),
        }
    }
}

fn within(value: &str, above: Option<i64>, below: Option<i64>) -> bool {
    if above.is_none() && below.is_none() {
        return true;
    }
    let Ok(number) = value.parse::<i64>() else { return false };
    above.is_none_or(|above| number > above) && below.is_none_or(|below| number < below)
}

#[cfg(test)]
mod tests {
    use super::super::taint::tests::{list, text};
    use super::*;

    fn set(operator: &str, values: &[&str]) -> LabelSet<'static> {
        let values: &'static Value = Box::leak(Box::new(list(values.iter().map(|value| text(value)).collect())));
        LabelSet::of(operator, Some(values))
    }

    fn overlap(a: (&str, &[&str]), b: (&str, &[&str])) -> Truth {
        let forth = set(a.0, a.1).overlaps(&set(b.0, b.1));
        assert_eq!(forth, set(b.0, b.1).overlaps(&set(a.0, a.1)));
        forth
    }

    #[test]
    fn every_operator_against_every_other() {
        use Truth::{No, Yes};
        assert_eq!(overlap(("In", &["a", "b"]), ("In", &["b"])), Yes);
        assert_eq!(overlap(("In", &["a"]), ("In", &["b"])), No);
        assert_eq!(overlap(("In", &["a"]), ("NotIn", &["b"])), Yes);
        assert_eq!(overlap(("In", &["a"]), ("NotIn", &["a"])), No);
        assert_eq!(overlap(("In", &["a"]), ("Exists", &[])), Yes);
        assert_eq!(overlap(("In", &["a"]), ("DoesNotExist", &[])), No);
        assert_eq!(overlap(("NotIn", &["a"]), ("NotIn", &["b"])), Yes);
        assert_eq!(overlap(("NotIn", &["a"]), ("DoesNotExist", &[])), Yes);
        assert_eq!(overlap(("NotIn", &["a"]), ("Exists", &[])), Yes);
        assert_eq!(overlap(("Exists", &[]), ("DoesNotExist", &[])), No);
        assert_eq!(overlap(("DoesNotExist", &[]), ("DoesNotExist", &[])), Yes);
        assert_eq!(overlap(("Gt", &["4"]), ("In", &["2"])), No);
        assert_eq!(overlap(("Gt", &["4"]), ("In", &["5"])), Yes);
        assert_eq!(overlap(("Gte", &["4"]), ("In", &["4"])), Yes);
        assert_eq!(overlap(("Lt", &["4"]), ("In", &["4"])), No);
        assert_eq!(overlap(("Lte", &["4"]), ("In", &["4"])), Yes);
        assert_eq!(overlap(("Gt", &["4"]), ("Lt", &["5"])), No);
        assert_eq!(overlap(("Gt", &["4"]), ("Lt", &["6"])), Yes);
        assert_eq!(overlap(("Gt", &["4"]), ("In", &["large"])), No);
        assert_eq!(overlap(("Gt", &["4"]), ("DoesNotExist", &[])), No);
        assert_eq!(overlap(("Gt", &["4"]), ("NotIn", &["5"])), Yes);
    }

    #[test]
    fn what_is_templated_or_refused_is_unknown() {
        use Truth::Unknown;
        assert_eq!(overlap(("In", &["${x}"]), ("In", &["b"])), Unknown);
        assert_eq!(overlap(("NotIn", &["${x}"]), ("In", &["b"])), Unknown);
        assert_eq!(overlap(("Within", &["a"]), ("In", &["b"])), Unknown);
        assert_eq!(overlap(("In", &[]), ("In", &["b"])), Unknown);
        assert_eq!(overlap(("Gt", &["4", "5"]), ("In", &["1"])), Unknown);
        assert_eq!(overlap(("Gt", &["four"]), ("In", &["1"])), Unknown);
    }

    #[test]
    fn bounds() {
        assert_eq!(set("In", &["8", "4"]).smallest(), Some(4));
        assert_eq!(set("In", &["8", "4"]).largest(), Some(8));
        assert_eq!(set("Gt", &["4"]).smallest(), Some(5));
        assert_eq!(set("Lt", &["4"]).largest(), Some(3));
        assert_eq!(set("NotIn", &["4"]).largest(), None);
        assert_eq!(set("In", &["8", "many"]).largest(), None);
    }
}
