//! A helper image of another release than the runner.

use crate::diagnostic::Severity;
use crate::knowledge::gitlab_version::Minor;
use crate::rule::Checker;
use crate::view::{Field, Image, RunnerConfig};

/// The image of the helper; mirrors keep the name.
const IMAGE: &str = "gitlab-runner-helper";

pub(crate) fn check(config: &RunnerConfig<'_>, checker: &mut Checker<'_>) {
    let Some(runner) = config.version() else { return };
    for entry in config.runners(checker.trees()) {
        for section in ["kubernetes", "docker"] {
            let Field::Present(text, value) = entry.text(&[section, "helper_image"]) else { continue };
            let Some(helper) = release(text).filter(|helper| *helper != runner.version) else { continue };
            let mut finding = checker.report_value(
                value,
                format!(
                    "the helper is pinned to {helper}, while the runner is {}: the two are made for each other",
                    runner.version
                ),
            );
            finding.fault_in_config(config).help(
                "drop `helper_image`: the runner takes the one of its own release; for a mirror end the tag in `${CI_RUNNER_VERSION}`",
            );
            if !runner.is_certain {
                finding.diagnostic.lower_to(Severity::Info);
            }
        }
    }
}

/// The release that the tag of a helper names; none for a digest, which decides alone.
fn release(text: &str) -> Option<Minor> {
    let image = Image::parse(text).filter(|image| image.name() == IMAGE && image.digest.is_none())?;
    Minor::of_tag(image.tag?)
}
