//! How near the files of two things lie to each other: folders keep environments and clusters apart.

use super::is_templated;
use crate::syntax::Trees;
use crate::text::Sources;
use crate::values::Value;

/// Tells by their files which things belong together.
#[derive(Debug, Clone, Copy)]
pub struct Nearness<'a> {
    /// All trees.
    pub trees: &'a Trees,
    /// All sources.
    pub sources: &'a Sources,
}

impl<'a> Nearness<'a> {
    /// For each of `ones` the indices of those `others` that no other is nearer to, and that have none
    /// of `ones` nearer to them: what another environment has for itself is not shared. Paired are only
    /// things with the same word in front, such as their namespace; a templated word may be any.
    pub fn pairs(&self, ones: &[(&str, &Value)], others: &[(&str, &Value)]) -> Vec<Vec<usize>> {
        let (ones, others) = (self.places(ones), self.places(others));
        let nearest = |of: &Place<'_>, among: &[Place<'_>]| among.iter().filter_map(|other| of.shares(other)).max();
        let reach: Vec<_> = others.iter().map(|other| nearest(other, &ones)).collect();
        let pairs_of = |one: &Place<'_>| {
            let near = nearest(one, &others);
            let numbered = others.iter().zip(&reach).enumerate();
            let mutual =
                numbered.filter(|(_, (other, reach))| near.is_some() && one.shares(other) == near && **reach == near);
            mutual.map(|(index, _)| index).collect()
        };
        ones.iter().map(pairs_of).collect()
    }

    /// Whether two values stand in one file.
    pub fn is_same_file(&self, one: &Value, other: &Value) -> bool {
        self.file(one) == self.file(other)
    }

    fn places<'v>(&self, values: &[(&'v str, &Value)]) -> Vec<Place<'v>>
    where
        'a: 'v,
    {
        values.iter().map(|(scope, value)| Place { scope, file: self.file(value) }).collect()
    }

    /// The file that a value was written in.
    fn file(&self, value: &Value) -> &'a str {
        let source = value.origin.node.and_then(|node| self.trees.get(node.tree)).map(|tree| tree.source);
        source.and_then(|source| self.sources.get(source)).map_or("", |source| source.name.as_str())
    }
}

/// Where a thing stands.
struct Place<'a> {
    scope: &'a str,
    file: &'a str,
}

impl Place<'_> {
    /// How much of their paths two places of one scope share.
    fn shares(&self, other: &Self) -> Option<usize> {
        let is_one = self.scope == other.scope || is_templated(self.scope) || is_templated(other.scope);
        is_one.then(|| shared(self.file, other.file))
    }
}

/// How many folders two files share; within one file nothing is nearer.
fn shared(one: &str, other: &str) -> usize {
    if one == other {
        return usize::MAX;
    }
    let folders = |path: &str| path.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned();
    let (one, other) = (folders(one), folders(other));
    one.split('/').zip(other.split('/')).take_while(|(a, b)| !a.is_empty() && a == b).count()
}

#[cfg(test)]
mod tests {
    use super::shared;

    #[test]
    fn folders_are_counted_from_the_top() {
        assert_eq!(shared("a/b/x.yaml", "a/b/y.yaml"), 2);
        assert_eq!(shared("a/b/x.yaml", "a/c/x.yaml"), 1);
        assert_eq!(shared("x.yaml", "y.yaml"), 0);
        assert_eq!(shared("x.yaml", "x.yaml"), usize::MAX);
    }
}
