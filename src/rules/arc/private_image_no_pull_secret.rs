//! An image comes from a host that asks for credentials, and the pod has none.

use crate::rule::Checker;
use crate::view::{Pod, PodRole, PodShape};

pub(crate) fn check(pod: &Pod<'_>, checker: &mut Checker<'_>) {
    if pod.role != PodRole::Runner || pod.shape == PodShape::ChartValues || pod.home.is_partial() {
        return;
    }
    // A service account may bring pull secrets along.
    let brings = |key: &str| pod.spec.get(key).is_some_and(|value| !value.is_empty());
    if ["imagePullSecrets", "serviceAccountName", "serviceAccount"].into_iter().any(brings) {
        return;
    }
    for container in pod.containers() {
        let Some(host) = container.image_ref().and_then(|image| image.registry).filter(|host| asks(host)) else {
            continue;
        };
        let message = format!(
            "the image of container `{}` comes from `{host}`, and the pod has no `imagePullSecrets`",
            container.name
        );
        checker
            .report_first(container.places(pod, container.get("image")), message)
            .fault_in(pod, container.name)
            .help("if the registry asks for credentials that the nodes do not have, name a Secret in `imagePullSecrets` of the pod");
    }
}

/// Whether a host is none that gives images to anyone, or to nodes by their own identity.
fn asks(host: &str) -> bool {
    let name = host.split(':').next().unwrap_or(host);
    let is_under =
        |domain: &&str| name == *domain || name.strip_suffix(*domain).is_some_and(|rest| rest.ends_with('.'));
    let is_address = !name.contains(|letter: char| letter.is_ascii_alphabetic());
    let is_inside = !name.contains('.') || is_address;
    !is_inside && !OPEN.iter().any(is_under)
}

/// Public registries, those of clouds to which nodes sign in by themselves, and names inside of a cluster.
const OPEN: [&str; 22] = [
    "docker.io",
    "docker.com",
    "ghcr.io",
    "quay.io",
    "gcr.io",
    "pkg.dev",
    "k8s.io",
    "mcr.microsoft.com",
    "azurecr.io",
    "amazonaws.com",
    "public.ecr.aws",
    "registry.gitlab.com",
    "registry.access.redhat.com",
    "registry.fedoraproject.org",
    "registry.opensuse.org",
    "nvcr.io",
    "cgr.dev",
    "lscr.io",
    "local",
    "svc",
    "internal",
    "lan",
];
