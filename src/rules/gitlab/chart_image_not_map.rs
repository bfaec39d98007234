//! The image of the manager's pod as one string.

use semver::Version;

use crate::rule::Checker;
use crate::view::{Image, Part, Stack};

pub(crate) fn check(stack: &Stack<'_>, checker: &mut Checker<'_>) {
    for part in stack.gitlab_charts().filter(|part| !part.is_older_than(&Version::new(0, 42, 0))) {
        let Some(image) = part.values.get("image").filter(|image| !image.is_unknown()) else { continue };
        let Some(text) = image.as_str().filter(|text| !text.is_empty()) else { continue };
        let path = part.shown("image");
        checker
            .report_first_key(
                image.history(),
                format!("`{path}` is a string: since 0.42.0 the chart takes a map, and its templates fail"),
            )
            .help(help(part, text));
    }
}

fn help(part: &Part<'_>, text: &str) -> String {
    let path = part.shown("image");
    match Image::parse(text) {
        Some(image) => {
            let registry = format!("`{path}.registry: {}`", image.registry.unwrap_or("docker.io"));
            let tag = image.tag.map(|tag| format!(", `{path}.tag: {tag}`")).unwrap_or_default();
            format!("write {registry}, `{path}.image: {}`{tag}", image.repository)
        }
        None => format!("write `{path}.registry`, `{path}.image` and `{path}.tag`"),
    }
}
