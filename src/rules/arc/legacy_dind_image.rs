//! The runner is to be its own Docker daemon, in an image without one.

use crate::diagnostic::Severity;
use crate::rule::Checker;
use crate::view::{Docker, Field, Image, LegacyRunner, Object, Pod};

pub(crate) fn check(object: &Object<'_>, checker: &mut Checker<'_>) {
    let Some(runner) = LegacyRunner::of_object(object).filter(|runner| runner.docker() == Docker::Within) else {
        return;
    };
    let flag = runner.at("dockerdWithinRunnerContainer");
    let image = Pod::of_object(object).iter().find_map(Pod::runner).map(|container| container.image());
    let (place, message) = match image {
        Some(Field::Present(text, value)) if is_without_dockerd(text) => {
            (Some(value), format!("`{text}` has no Docker daemon for `dockerdWithinRunnerContainer`"))
        }
        Some(Field::Absent) => {
            (flag, "`dockerdWithinRunnerContainer` without `image`: the default image has no Docker daemon".to_owned())
        }
        _ => return,
    };
    let Some(place) = place else { return };
    let is_said = image.is_some_and(|image| !image.is_absent());
    let mut finding = checker.report_value(place, format!("{message}; those called `actions-runner-dind` do"));
    if is_said {
        finding.related(flag.and_then(|flag| flag.origin.node), "the runner's container is to run the daemon");
    } else {
        // The controller's flags may name another default.
        finding.diagnostic.lower_to(Severity::Info);
    }
    finding.help("use `summerwind/actions-runner-dind`, or leave the daemon to the side-car");
}

/// Whether an image is one of those that are known to hold no daemon; nothing is known of others.
fn is_without_dockerd(text: &str) -> bool {
    let publishers = ["summerwind", "actions-runner-controller", "actions"];
    Image::parse(text).is_some_and(|image| {
        let publisher = image.repository.strip_suffix(image.name()).unwrap_or_default().trim_end_matches('/');
        let is_official = publisher.rsplit('/').next().is_some_and(|publisher| publishers.contains(&publisher));
        image.name() == "actions-runner" && is_official && !image.tag.is_some_and(|tag| tag.contains("dind"))
    })
}
