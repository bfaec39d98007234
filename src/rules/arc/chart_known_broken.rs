//! A release of a chart with a known fault, where what makes the fault show is in view.

use crate::knowledge::{ChartRef, Condition, broken_chart};
use crate::rule::Checker;
use crate::values::Value;
use crate::view::{ContainerMode, Deployer, Fleet, Home, Release, ScaleSet};

pub(crate) fn check(fleet: &Fleet<'_>, checker: &mut Checker<'_>) {
    for set in fleet.scale_sets() {
        check_init_containers(&set, checker);
    }
    let Some(tracking) = label_tracking(fleet) else { return };
    for release in Release::of_objects(fleet.objects).iter().filter(|release| release.by == Deployer::ArgoCd) {
        check_tracking(release, tracking, checker);
    }
}

fn check_init_containers(set: &ScaleSet<'_>, checker: &mut Checker<'_>) {
    let Some(chart) = set.chart() else { return };
    let Some(broken) = broken_chart(&chart, Condition::InitContainersOutsideDind) else { return };
    let Some(pod) = set.runner_pod() else { return };
    let Some(list) = pod.spec.get("initContainers").filter(|list| list.as_list().is_some_and(|list| !list.is_empty()))
    else {
        return;
    };
    let shows = match set.home {
        Home::Values(..) => {
            let is_outside = !matches!(set.container_mode(), ContainerMode::Dind | ContainerMode::Unknown);
            is_outside && checker.facts().kube_version.is_some_and(|version| version >= SIDE_CARS_SINCE)
        }
        // In the mode `dind` another container comes first.
        _ => list.items().next().is_some_and(|first| first.get("name").and_then(Value::as_str) == Some("dind")),
    };
    if !shows {
        return;
    }
    checker
        .report_first(
            [list].into_iter().chain(pod.trail(&["initContainers"]).into_iter().rev()),
            format!("chart {} {}", broken.version, broken.effect),
        )
        .fault_in(&pod, "dind")
        .help(format!("upgrade the chart to {} or newer, and the controller with it", broken.mended_in));
}

/// The Kubernetes for which the chart writes its daemon as an init container.
const SIDE_CARS_SINCE: (u32, u32) = (1, 29);

fn check_tracking(release: &Release<'_>, tracking: &Value, checker: &mut Checker<'_>) {
    let Some(chart) = release.chart else { return };
    let chart = ChartRef { chart, version: release.version.clone() };
    let Some(broken) = broken_chart(&chart, Condition::ArgocdLabelTracking) else { return };
    let places = release.version_at.into_iter().chain(release.value());
    checker
        .report_first(places, format!("chart {} {}", broken.version, broken.effect))
        .related(tracking.origin.node, "Argo CD tracks by label")
        .help(format!(
            "upgrade to {} and set the controller's `flags.excludeLabelPropagationPrefixes` to \
             `[argocd.argoproj.io/instance]`, or let Argo CD track by annotation",
            broken.mended_in
        ));
}

/// Where Argo CD is told to track by label.
fn label_tracking<'a>(fleet: &Fleet<'a>) -> Option<&'a Value> {
    let settings = fleet.objects.iter().filter(|object| object.kind == "ConfigMap" && object.name == "argocd-cm");
    let mut methods = settings.filter_map(|object| object.value.at(&["data", "application.resourceTrackingMethod"]));
    methods.find(|method| method.as_str() == Some("label"))
}
