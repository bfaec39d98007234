//! Releases read out of small objects.

use super::*;
use crate::view::tests::value;

/// `chart version name namespace` of the releases in a list of objects, a dash for what is not known.
fn releases(items: &[&str]) -> Vec<String> {
    let list = value(&format!("{{apiVersion: v1, kind: List, items: [{}]}}", items.join(", ")));
    let or_dash = |text: Option<&str>| text.unwrap_or("-").to_owned();
    let line = |release: &Release<'_>| {
        let version = release.version.as_ref().map(ToString::to_string);
        let chart = or_dash(release.chart.map(Chart::name));
        [chart, or_dash(version.as_deref()), or_dash(release.name.as_deref()), or_dash(release.namespace)].join(" ")
    };
    Release::of_objects(&Object::all(&list)).iter().map(line).collect()
}

fn flux(spec: &str) -> String {
    let api = "helm.toolkit.fluxcd.io/v2";
    format!("{{apiVersion: {api}, kind: HelmRelease, metadata: {{name: linux, namespace: ci}}, spec: {{{spec}}}}}")
}

fn source(name: &str, reference: &str) -> String {
    let url = "oci://ghcr.io/actions/actions-runner-controller-charts/gha-runner-scale-set/";
    let (api, spec) = ("source.toolkit.fluxcd.io/v1", format!("{{url: \"{url}\", ref: {{{reference}}}}}"));
    format!("{{apiVersion: {api}, kind: OCIRepository, metadata: {{name: {name}, namespace: ci}}, spec: {spec}}}")
}

fn argo(spec: &str) -> String {
    format!("{{apiVersion: argoproj.io/v1alpha1, kind: Application, metadata: {{name: linux}}, spec: {{{spec}}}}}")
}

#[test]
fn flux_takes_charts_from_repositories() {
    let chart =
        |version: &str| flux(&format!("chart: {{spec: {{chart: gha-runner-scale-set, version: \"{version}\"}}}}"));
    assert_eq!(releases(&[&chart("0.14.2")]), ["gha-runner-scale-set 0.14.2 linux ci"]);
    for range in ["0.14.x", ">=0.14.2", "0.14", "*", "${VERSION}"] {
        assert_eq!(releases(&[&chart(range)]), ["gha-runner-scale-set - linux ci"], "{range}");
    }
    let other = flux("chart: {spec: {chart: ./charts/arc}}, targetNamespace: runners");
    assert_eq!(releases(&[&other]), ["- - runners-linux runners"]);
    let named = flux("chart: {spec: {chart: gitlab-runner}}, targetNamespace: runners, releaseName: one");
    assert_eq!(releases(&[&named]), ["gitlab-runner - one runners"]);
}

#[test]
fn flux_takes_charts_from_sources_in_view() {
    let release = flux("chartRef: {kind: OCIRepository, name: runners}");
    let read = |sources: &[&str]| releases(&[&[release.as_str()], sources].concat());
    assert_eq!(read(&[&source("runners", "tag: 0.13.1")]), ["gha-runner-scale-set 0.13.1 linux ci"]);
    let range_wins = source("runners", "tag: 0.13.1, semver: 0.14.x");
    assert_eq!(read(&[&range_wins]), ["gha-runner-scale-set - linux ci"]);
    assert_eq!(read(&[&source("others", "tag: 0.13.1")]), ["- - linux ci"]);
    let by_name = flux("chartRef: {kind: OCIRepository, name: gha-runner-scale-set-controller}");
    assert_eq!(releases(&[&by_name]), ["gha-runner-scale-set-controller - linux ci"]);
    let by_marks = flux("chartRef: {kind: OCIRepository, name: any}, values: {githubConfigUrl: a}");
    assert_eq!(releases(&[&by_marks]), ["gha-runner-scale-set - linux ci"]);
}

#[test]
fn argo_cd_has_one_source_or_several() {
    let chart = "repoURL: ghcr.io/actions, chart: gha-runner-scale-set, targetRevision: 0.14.2";
    let one = argo(&format!("source: {{{chart}}}, destination: {{namespace: ci}}"));
    assert_eq!(releases(&[&one]), ["gha-runner-scale-set 0.14.2 linux ci"]);
    let several = argo(&format!(
        "sources: [{{{chart}, helm: {{releaseName: one}}}}, {{repoURL: x, ref: values}}, {{repoURL: x, path: charts/arc}}]"
    ));
    assert_eq!(releases(&[&several]), ["gha-runner-scale-set 0.14.2 one -", "- - linux -"]);
    let in_git =
        argo("source: {repoURL: x, path: charts/gha-runner-scale-set, targetRevision: gha-runner-scale-set-0.12.1}");
    assert_eq!(releases(&[&in_git]), ["gha-runner-scale-set 0.12.1 linux -"]);
    let with_path =
        argo("source: {repoURL: ghcr.io, chart: actions/charts/gha-runner-scale-set, targetRevision: 0.14.2}");
    assert_eq!(releases(&[&with_path]), ["gha-runner-scale-set 0.14.2 linux -"]);
    let set = format!(
        "{{apiVersion: argoproj.io/v1alpha1, kind: ApplicationSet, metadata: {{name: all}}, spec: {{template: {{metadata: {{name: \"{{{{name}}}}\"}}, spec: {{source: {{{chart}}}}}}}}}}}"
    );
    assert_eq!(releases(&[&set]), ["gha-runner-scale-set 0.14.2 - -"]);
}

#[test]
fn values_that_are_not_all_in_view_are_unknown() {
    let setting = |spec: &str| {
        let value = value(&flux(spec));
        let objects = Object::all(&value);
        let releases = Release::of_objects(&objects);
        releases.first().unwrap().setting(&["nameOverride"], Value::as_str).known().map(str::to_owned)
    };
    let chart = "chart: {spec: {chart: gha-runner-scale-set}}, values: {nameOverride: a}";
    assert_eq!(setting(chart).as_deref(), Some("a"));
    assert_eq!(setting(&format!("{chart}, valuesFrom: [{{kind: Secret, name: s}}]")), None);
}

#[test]
fn files_are_the_same_from_different_folders() {
    assert!(is_same_file("clusters/prod/values.yaml", "prod/values.yaml"));
    assert!(is_same_file("values.yaml", "clusters/prod/values.yaml"));
    assert!(is_same_file("charts/arc/../../values/arc.yaml", "values/arc.yaml"));
    assert!(!is_same_file("prod/values.yaml", "staging/values.yaml"));
    assert!(!is_same_file("values.yaml", "arc-values.yaml"));
    assert!(!is_same_file("", "values.yaml"));
}

#[test]
fn k3s_installs_what_a_chart_object_says() {
    let chart = |spec: &str| {
        let meta = "{name: linux, namespace: kube-system}";
        format!("{{apiVersion: helm.cattle.io/v1, kind: HelmChart, metadata: {meta}, spec: {{{spec}}}}}")
    };
    let said = chart("repo: x, chart: gitlab-runner, version: 0.77.2, targetNamespace: ci");
    assert_eq!(releases(&[&said]), ["gitlab-runner 0.77.2 linux ci"]);
    let registry = "chart: \"oci://ghcr.io/actions/actions-runner-controller-charts/gha-runner-scale-set\"";
    assert_eq!(releases(&[&chart(registry)]), ["gha-runner-scale-set - linux kube-system"]);
    assert!(releases(&[&chart("chartContent: H4sI")]).is_empty());
    let config = "{apiVersion: helm.cattle.io/v1, kind: HelmChartConfig, metadata: {name: linux}, spec: {}}";
    let is_whole = |items: &[&str]| {
        let list = value(&format!("{{apiVersion: v1, kind: List, items: [{}]}}", items.join(", ")));
        Release::of_objects(&Object::all(&list)).iter().all(|release| release.is_whole)
    };
    assert!(is_whole(&[&chart("chart: gitlab-runner, valuesContent: x")]));
    assert!(!is_whole(&[&chart("chart: gitlab-runner"), config]));
    assert!(!is_whole(&[&chart("chart: gitlab-runner, valuesSecrets: [{name: more}]")]));
}
