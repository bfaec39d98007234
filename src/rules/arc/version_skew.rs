//! A scale set of a version that no controller in view serves.

use rustc_hash::FxHashSet;
use semver::Version;

use crate::knowledge::Chart;
use crate::rule::Checker;
use crate::values::Value;
use crate::view::{Controller, Fleet, Home, Nearness, Release, ScaleSet};

/// From this controller on patches may differ.
const LENIENT: Version = Version::new(0, 12, 0);

pub(crate) fn check(fleet: &Fleet<'_>, checker: &mut Checker<'_>) {
    let (sets, controllers) = (sets(fleet), fleet.controllers());
    let homes: Vec<_> = sets.iter().map(|set| ("", set.value)).collect();
    let serving: Vec<_> = controllers.iter().map(|controller| ("", controller.value)).collect();
    let near = Nearness { trees: checker.trees(), sources: checker.sources() }.pairs(&homes, &serving);
    let mut told = FxHashSet::default();
    for (set, near) in sets.iter().zip(near) {
        let near: Vec<_> = near.into_iter().filter_map(|index| controllers.get(index)).collect();
        let Some(Skew { own, version, controller }) = skew(set, &near) else { continue };
        // Several sets may take their chart from one source.
        if set.places.first().and_then(|place| place.origin.node).is_some_and(|at| !told.insert(at)) {
            continue;
        }
        let what = if *version >= LENIENT { "another minor version" } else { "any other version" };
        let message = format!(
            "this scale set is of version {own}, the controller of version {version}: it deletes sets of {what}"
        );
        let mut finding = checker.report_first(set.places.iter().copied(), message);
        finding
            .related(controller.version_at.origin.node, "the controller's version")
            .help("bring controller, its CRDs and all scale sets to one version");
        match (&set.scale_set, &set.release) {
            (Some(scale_set), _) => finding.fault_in_set(scale_set, "version"),
            (None, Some(release)) => finding.fault_in_release(release, "version"),
            (None, None) => &mut finding,
        };
    }
}

/// A scale set.
struct Versioned<'a> {
    version: Option<Version>,
    /// Where the version stands, if anywhere, then the set itself.
    places: Vec<&'a Value>,
    value: &'a Value,
    scale_set: Option<ScaleSet<'a>>,
    release: Option<Release<'a>>,
}

fn sets<'a>(fleet: &Fleet<'a>) -> Vec<Versioned<'a>> {
    let rendered = fleet.objects.iter().filter_map(|object| {
        let scale_set = ScaleSet::of_object(object)?;
        let (version, label) = object.chart_version().unzip();
        let places = label.into_iter().collect();
        Some(Versioned { version, places, value: object.value, scale_set: Some(scale_set), release: None })
    });
    let released = fleet.releases().into_iter().filter_map(|release| {
        let is_set = release.chart.is_some_and(Chart::is_scale_set);
        let (version, value) = (release.version.clone(), release.value().filter(|_| is_set)?);
        let (scale_set, places) = match &release.home {
            Home::Values(stack, part) => {
                let set = ScaleSet::of_stack(stack).into_iter().find(|set| std::ptr::eq(set.settings, part.settings));
                (set, release.home.users_first(release.home.trail(&[]).into_iter().rev().collect()))
            }
            _ => (None, release.version_at.into_iter().chain([value]).collect()),
        };
        Some(Versioned { version, places, value, scale_set, release: Some(release) })
    });
    rendered.chain(released).collect()
}

/// A set and a controller that does not serve it.
struct Skew<'c, 'a> {
    own: &'c Version,
    version: &'c Version,
    controller: &'c Controller<'a>,
}

/// The first of the controllers, if none of them serves a set or may.
fn skew<'c, 'a>(set: &'c Versioned<'_>, near: &[&'c Controller<'a>]) -> Option<Skew<'c, 'a>> {
    let own = set.version.as_ref()?;
    let mut found = None;
    for controller in near {
        let version = controller.version.as_ref()?;
        let is_served =
            if *version >= LENIENT { (version.major, version.minor) == (own.major, own.minor) } else { version == own };
        let is_known = version.pre.is_empty() && own.pre.is_empty();
        if is_served || !is_known {
            return None;
        }
        found = found.or(Some(Skew { own, version, controller }));
    }
    found
}
