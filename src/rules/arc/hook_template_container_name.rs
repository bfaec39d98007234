//! A container of the template for job pods is meant for the job, and does not reach it.

use crate::rule::Checker;
use crate::syntax::NodeRef;
use crate::values::Value;
use crate::view::{ContainerKind, Field, Fleet, Object, Place, Pod, PodContainer, hooks, may_be_same_namespace};

pub(crate) fn check(fleet: &Fleet<'_>, checker: &mut Checker<'_>) {
    let mut told: Vec<NodeRef> = Vec::new();
    for pod in fleet.pods() {
        let Some(Field::Present(path, named)) = pod.runner().map(|runner| runner.env_value(hooks::TEMPLATE)) else {
            continue;
        };
        let Some(template) = template_at(fleet, &pod, path) else { continue };
        let Some(container) = misnamed(template) else { continue };
        let Some(at) = container.value.origin.node.filter(|at| !told.contains(at)) else { continue };
        told.push(at);
        let name = container.name;
        let effect = match name {
            "job" => "collides with the job's own",
            name if name.starts_with('$') => "is left out",
            _ => "is one more beside the job's",
        };
        let message = format!("container `{name}` of the template {effect}: only `$job` is merged into the job's");
        let place = container.get("name").unwrap_or(container.value);
        checker
            .report_value(place, message)
            .related(named.origin.node, "the runner takes its template from here")
            .help("name the container `$job`");
    }
}

/// The template at a path of a runner, where its ConfigMap is in view and no other of that name.
fn template_at<'a>(fleet: &Fleet<'a>, pod: &Pod<'a>, path: &str) -> Option<&'a Value> {
    let Place::Volume { volume, path } = pod.runner()?.place_of(path) else { return None };
    let found = pod.config_map_keys(volume, &path);
    let namespace = pod.home.namespace();
    let mut templates = found.iter().flat_map(|(name, key)| {
        let is_it = move |object: &&Object<'_>| {
            object.kind == "ConfigMap" && object.name == *name && may_be_same_namespace(object.namespace, namespace)
        };
        fleet.objects.iter().filter(is_it).filter_map(move |object| object.value.at(&["data", key]))
    });
    let template = templates.next()?;
    if templates.next().is_some() {
        return None;
    }
    fleet.document_in(template)
}

/// The container that cannot be meant as a side-car: one that is called like the job's, or has no image.
fn misnamed(template: &Value) -> Option<PodContainer<'_>> {
    let items = template.at(&["spec", "containers"])?.as_list()?;
    let containers: Vec<_> =
        items.iter().map(|item| PodContainer::of_item(ContainerKind::Main, item)).collect::<Option<_>>()?;
    let is_unknown = |container: &PodContainer<'_>| container.get("name").is_some_and(Value::is_unknown);
    if containers.iter().any(|container| container.name == "$job" || is_unknown(container)) {
        return None;
    }
    let is_for_job = |container: &PodContainer<'_>| {
        let bare = container.name.trim_matches(|letter: char| !letter.is_ascii_alphanumeric());
        // `$name` is merged into the service of that name.
        bare.eq_ignore_ascii_case("job") || !container.name.starts_with('$') && container.image().is_absent()
    };
    containers.into_iter().find(is_for_job)
}
