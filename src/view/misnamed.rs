//! Runner containers under another name, as rendered pods show them.

use super::{ContainerKind, Home, Pod, PodContainer, PodRole};

impl<'a> Pod<'a> {
    /// The container that was meant to be the runner, where the chart had to put an empty one beside it.
    pub fn misnamed_runner(&self) -> Option<PodContainer<'a>> {
        let is_rendered = matches!(self.home, Home::Object(_)) && self.role == PodRole::Runner;
        self.runner().filter(|runner| is_rendered && self.legacy().is_none() && is_empty(runner))?;
        let is_meant = |container: &PodContainer<'_>| {
            let is_called_so = container.image_ref().is_some_and(|image| image.name().contains("runner"));
            container.kind == ContainerKind::Main
                && !container.is_runner()
                && (is_called_so || container.words().any(|word| word.ends_with("run.sh")))
        };
        self.containers().into_iter().find(is_meant)
    }
}

impl PodContainer<'_> {
    /// Whether it is no more than a name: what the chart writes where the values have no runner.
    pub fn is_bare(&self) -> bool {
        self.value.entries().all(|(key, value)| key == "name" || value.is_null())
    }
}

/// Whether a container has no more than the chart adds by itself.
fn is_empty(container: &PodContainer<'_>) -> bool {
    let written = container.value.entries().filter(|(_, value)| !value.is_null());
    written.map(|(key, _)| key).all(|key| ["name", "env", "volumeMounts"].contains(&key))
}
