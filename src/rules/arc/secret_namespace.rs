//! A scale set's secret lies in another namespace than the set.

use crate::rule::Checker;
use crate::values::Value;
use crate::view::{Field, Fleet, Nearness, Object, Release, ScaleSet, is_placeholder, is_templated};

const KEY: &str = "githubConfigSecret";
/// What the annotations of tools that copy secrets into other namespaces have in their keys.
const COPIERS: [&str; 4] = ["reflect", "replicat", "kubed", "copy"];

pub(crate) fn check(fleet: &Fleet<'_>, checker: &mut Checker<'_>) {
    let secrets: Vec<_> = fleet.objects.iter().filter(|object| object.kind == "Secret").collect();
    if secrets.is_empty() {
        return;
    }
    let releases = fleet.releases();
    let sets = fleet.scale_sets();
    let wants: Vec<_> = sets.iter().filter_map(|set| Want::of(set, &releases)).collect();
    let homes: Vec<_> = wants.iter().filter_map(|want| Some((want.name, want.set.home.value()?))).collect();
    let places: Vec<_> = secrets.iter().map(|secret| (secret.name, secret.value)).collect();
    let near = Nearness { trees: checker.trees(), sources: checker.sources() }.pairs(&homes, &places);
    for (want, near) in wants.iter().zip(near) {
        let Some(secret) = near.first().and_then(|&index| secrets.get(index)) else { continue };
        let Some(elsewhere) = secret.namespace.filter(|name| !is_templated(name)) else { continue };
        let Some(namespace) = want.namespace else { continue };
        let is_meant = |other: &Want<'_, '_>| {
            let may_look_there = match other.namespace {
                Some(namespace) => namespace == elsewhere,
                None => !other.set.may_be_the_same_as(want.set),
            };
            other.name == want.name && may_look_there
        };
        let is_meant_for_others = wants.iter().any(is_meant);
        let may_be_here = secrets.iter().any(|secret| want.may_be(secret));
        if is_meant_for_others || may_be_here || fleet.objects.iter().any(|object| want.may_be_made_by(object)) {
            continue;
        }
        let Want { name, at, set, .. } = want;
        let message = format!(
            "secret `{name}` lies in namespace `{elsewhere}`: the scale set looks for it in its own, `{namespace}`"
        );
        checker
            .report_value(at, message)
            .related(secret.value.origin.node, "the secret")
            .fault_in_set(set, KEY)
            .help(format!("move the secret to namespace `{namespace}`"));
    }
}

/// A secret that a scale set takes its credentials from.
struct Want<'s, 'a> {
    name: &'a str,
    /// Where it looks for it, if that is known.
    namespace: Option<&'a str>,
    at: &'a Value,
    set: &'s ScaleSet<'a>,
}

impl<'s, 'a> Want<'s, 'a> {
    fn of(set: &'s ScaleSet<'a>, releases: &[Release<'a>]) -> Option<Self> {
        // With a key vault it is the name of a secret in that.
        let has_vault = ["keyVault", "vaultConfig"].into_iter().any(|key| set.at(&[key]).is_some());
        let Field::Present(name, at) = Field::of(set.at(&[KEY]), Value::as_str) else { return None };
        let is_known = !name.is_empty() && !is_placeholder(name) && !has_vault;
        is_known.then_some(Self { name, namespace: set.home.namespace_among(releases), at, set })
    }

    /// Whether a secret is, or may be, the one that is looked for, or be copied to where it is looked for.
    fn may_be(&self, secret: &Object<'_>) -> bool {
        let is_here = secret.namespace.is_none_or(|name| self.namespace == Some(name) || is_templated(name));
        let annotations = secret.value.at(&["metadata", "annotations"]);
        let is_copied = annotations
            .into_iter()
            .flat_map(Value::entries)
            .any(|(key, _)| COPIERS.iter().any(|word| key.contains(word)));
        (secret.name == self.name || is_templated(secret.name)) && (is_here || is_copied)
    }

    /// Whether something makes secrets there, whatever it calls them.
    fn may_be_made_by(&self, object: &Object<'_>) -> bool {
        let is_maker = object.kind != "Secret" && (object.kind.contains("Secret") || object.kind == "OnePasswordItem");
        is_maker && object.namespace.is_none_or(|name| self.namespace == Some(name) || is_templated(name))
    }
}
