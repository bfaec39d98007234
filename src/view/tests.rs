//! Lenses on pods, read out of small documents.

use super::*;
use crate::knowledge::{Chart, ChartRef};
use crate::syntax::yaml;
use crate::syntax::{TreeId, scalar::Dialect};
use crate::text::{Encoding, Sources};
use crate::values::{LayerId, Merged, read};

pub(super) fn value(text: &str) -> Value {
    let source = Sources::default().add("test.yaml", text, Encoding::Utf8, true);
    let tree = yaml::parse(text.into(), source);
    let root = tree.root().unwrap().id;
    read::to_value(&tree, TreeId(0), root, Dialect::Helm, LayerId(0)).unwrap()
}

fn roles(text: &str) -> Vec<PodRole> {
    let value = value(text);
    Object::all(&value).iter().flat_map(Pod::of_object).map(|pod| pod.role).collect()
}

/// What `look` sees in the runner pod of a scale set with these values.
fn in_scale_set<T>(text: &str, look: impl FnOnce(&Pod<'_>) -> T) -> T {
    in_version(None, text, look)
}

/// The same, with a version of the chart.
pub(super) fn in_version<T>(version: Option<&str>, text: &str, look: impl FnOnce(&Pod<'_>) -> T) -> T {
    in_chart(Chart::GhaRunnerScaleSet, version, text, look)
}

/// The same, with another chart of a scale set.
pub(super) fn in_chart<T>(chart: Chart, version: Option<&str>, text: &str, look: impl FnOnce(&Pod<'_>) -> T) -> T {
    let merged = Merged { values: value(text), ..Merged::default() };
    let version = version.map(|version| semver::Version::parse(version).unwrap());
    let chart = ChartRef { chart, version };
    let translated = translate(&chart, &merged.values);
    let settings = translated.as_ref().unwrap_or(&merged.values);
    let part = Part { chart: &chart, prefix: &[], values: &merged.values, settings };
    let stack = Stack {
        templates: "",
        files: Vec::new(),
        shared: Vec::new(),
        is_marked: false,
        inlined: None,
        helm: None,
        schema: None,
        paths: Vec::new(),
        name: "test",
        merged: &merged,
        parts: vec![part],
        release: None,
        namespace: None,
        siblings: Vec::new(),
    };
    look(Pod::of_stack(&stack).iter().find(|pod| pod.role == PodRole::Runner).unwrap())
}

pub(super) fn in_object<T>(text: &str, look: impl FnOnce(&Pod<'_>) -> T) -> T {
    let value = value(text);
    look(&Object::all(&value).iter().flat_map(Pod::of_object).next().unwrap())
}

#[test]
fn pods_are_found_in_every_kind_that_makes_them() {
    use PodRole::{Controller, Listener, Manager, Runner};
    let set = "{apiVersion: actions.github.com/v1alpha1, kind: AutoscalingRunnerSet, spec: {template: {spec: {}}}}";
    assert_eq!(roles(set), [Runner, Listener]);
    assert_eq!(roles(&format!("{{apiVersion: v1, kind: List, items: [{set}, {set}]}}")).len(), 4);
    assert_eq!(roles("{apiVersion: actions.summerwind.dev/v1alpha1, kind: RunnerSet, spec: {}}"), [Runner]);
    let deployment = |labels: &str| {
        format!("{{apiVersion: apps/v1, kind: Deployment, metadata: {{labels: {{{labels}}}}}, spec: {{}}}}")
    };
    assert_eq!(roles(&deployment("app.kubernetes.io/part-of: gha-rs-controller")), [Controller]);
    assert_eq!(roles(&deployment("chart: gitlab-runner-0.86.0")), [Manager]);
    assert_eq!(roles(&deployment("app: web")), []);
    assert_eq!(roles("{apiVersion: v1, kind: ConfigMap}"), []);
}

#[test]
fn variables_are_not_known() {
    for text in ["$TEAM-linux", "https://github.com/$GITHUB_ORG", "${TEAM}", "$(TEAM)", "{{ .team }}", "a-$_X"] {
        assert!(is_templated(text), "{text}");
    }
    for text in ["$job", "$values/linux.yaml", "costs 5$", "US$ 5", "$A", "^a$|^B$"] {
        assert!(!is_templated(text), "{text}");
    }
}

#[test]
fn only_exact_words_are_modes() {
    let url = "githubConfigUrl: https://github.com/acme";
    let mode =
        |word: &str| in_scale_set(&format!("{url}\ncontainerMode: {{type: {word}}}"), |pod| pod.container_mode());
    assert_eq!(mode("dind"), ContainerMode::Dind);
    assert_eq!(mode("kubernetes-novolume"), ContainerMode::KubernetesNoVolume);
    assert_eq!(mode("DinD"), ContainerMode::Unset);
    assert_eq!(mode("null"), ContainerMode::Unset);
    assert_eq!(mode("\"${MODE}\""), ContainerMode::Unknown);
}

#[test]
fn old_charts_do_not_know_every_mode() {
    let mode = |version| in_version(version, "containerMode: {type: kubernetes-novolume}", |pod| pod.container_mode());
    assert_eq!(mode(Some("0.12.1")), ContainerMode::Unset);
    assert_eq!(mode(Some("0.13.0")), ContainerMode::KubernetesNoVolume);
}

#[test]
fn objects_show_their_mode() {
    let mode = |pod: &str| {
        let set = "apiVersion: actions.github.com/v1alpha1, kind: AutoscalingRunnerSet";
        let text = format!("{{{set}, spec: {{template: {{spec: {{{pod}}}}}}}}}");
        in_object(&text, |pod| (pod.container_mode(), pod.mode_to_expand()))
    };
    let hooks = |value: &str| {
        let env = format!("{{name: ACTIONS_RUNNER_CONTAINER_HOOKS, {value}}}");
        mode(&format!("containers: [{{name: runner, env: [{env}]}}]"))
    };
    let shown = |mode| (mode, ContainerMode::Unset);
    assert_eq!(hooks("value: /home/runner/k8s/index.js"), shown(ContainerMode::Kubernetes));
    assert_eq!(hooks("value: /home/runner/k8s-novolume/index.js"), shown(ContainerMode::KubernetesNoVolume));
    assert_eq!(hooks("valueFrom: {}"), shown(ContainerMode::Unknown));
    let native = "initContainers: [{name: dind, image: 'docker:dind', restartPolicy: Always}]";
    assert_eq!(mode(native), shown(ContainerMode::Dind));
    assert_eq!(mode("containers: [{name: runner}]"), shown(ContainerMode::Unset));
}

#[test]
fn legacy_runners_have_a_docker_side_car_unless_told_otherwise() {
    let generated = |settings: &str| {
        let kind = "apiVersion: actions.summerwind.dev/v1alpha1, kind: RunnerDeployment";
        let text = format!("{{{kind}, spec: {{template: {{spec: {{organization: acme{settings}}}}}}}}}");
        in_object(&text, |pod| pod.generated().first().map(|container| container.name))
    };
    assert_eq!(generated(""), Some("docker"));
    assert_eq!(generated(", dockerEnabled: false"), None);
    assert_eq!(generated(", dockerdWithinRunnerContainer: true"), Some("runner"));
    assert_eq!(generated(", containerMode: kubernetes"), None);
    assert_eq!(generated(", dockerEnabled: \"${DOCKER}\""), None);
}

#[test]
fn a_legacy_container_falls_back_to_the_spec() {
    let text = "{apiVersion: actions.summerwind.dev/v1alpha1, kind: RunnerDeployment, spec: {template: {spec: \
                {image: a/b:1, resources: {limits: {cpu: 1}}, containers: [{name: runner, image: c/d:2}]}}}}";
    in_object(text, |pod| {
        let runner = pod.runner().unwrap();
        assert_eq!(runner.image().known(), Some("a/b:1"));
        assert!(runner.resources("limits").is_some());
    });
}

#[test]
fn daemons_are_told_by_words_before_images() {
    let runs = |fields: &str| {
        let item = value(&format!("{{name: a, {fields}}}"));
        PodContainer::of_item(ContainerKind::Main, &item).unwrap().runs_dockerd()
    };
    assert!(runs("image: 'docker:27-dind'"));
    assert!(runs("image: 'mirror.acme.example/library/docker:dind', args: ['--mtu=1400']"));
    assert!(runs("image: 'acme/builder:1', command: [sh, -c, 'dockerd --debug']"));
    assert!(!runs("image: 'docker:27-dind', command: [docker, info]"));
    assert!(!runs("image: 'docker:27-cli'"));
    assert!(!runs("image: 'ghcr.io/actions/actions-runner:2.336.0'"));
}
