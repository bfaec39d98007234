//! The Docker daemon beside the runner asks for no resources.

use crate::rule::Checker;
use crate::view::{ContainerMode, Pod, PodRole};

pub(crate) fn check(pod: &Pod<'_>, checker: &mut Checker<'_>) {
    let of_pod = pod.spec.get("resources").is_some_and(|resources| !resources.is_empty());
    if pod.role != PodRole::Runner || pod.legacy().is_some() || of_pod {
        return;
    }
    let Some(rendered) = pod.rendered() else { return };
    let is_mode = pod.mode_to_expand() == ContainerMode::Dind;
    for daemon in rendered.pod().docker_side_cars() {
        if daemon.get("resources").is_some_and(|resources| !resources.is_empty()) {
            continue;
        }
        let settings = rendered.daemon_settings().filter(|_| is_mode);
        let (message, help) = match settings {
            Some(settings) => {
                (format!("the daemon `{}` has no resources", daemon.name), format!("set `{settings}.resources`"))
            }
            None if rendered.adds(daemon.value) => (
                "the chart's container `dind` has no resources, and no value can give it any".to_owned(),
                EXPAND.to_owned(),
            ),
            None => (format!("the daemon `{}` has no resources", daemon.name), "set its `resources`".to_owned()),
        };
        let places = daemon.get("resources").into_iter().chain([daemon.value]);
        checker
            .report_first(places.chain(pod.trail_of_mode().into_iter().rev()), message)
            .fault_in(pod, daemon.name)
            .help(help);
    }
}

const EXPAND: &str = "set `template.spec.resources` for the whole pod (Kubernetes 1.34 and newer), or unset \
                      `containerMode` and write the whole expanded form out";
