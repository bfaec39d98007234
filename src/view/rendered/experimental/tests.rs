//! Rendered pods of the experimental chart, against what real Helm made of its templates.

use crate::knowledge::Chart;
use crate::values::Value;
use crate::view::tests::{in_chart, value};
use crate::view::{Pod, ScaleSet};

fn look<T>(version: &str, values: &str, look: impl FnOnce(&Pod<'_>) -> T) -> T {
    in_chart(Chart::GhaRunnerScaleSetExperimental, Some(version), values, look)
}

/// Checks lists of the rendered spec.
fn renders(version: &str, values: &str, spec: &str) {
    look(version, values, |pod| {
        let rendered = pod.rendered().unwrap();
        for (key, expected) in value(spec).entries() {
            let found = rendered.pod().spec.get(key).unwrap();
            assert!(expected.says_the_same_as(found), "{key} of {values}: {found:#?}");
        }
    });
}

const DIND: &str = "
runner:
  mode: dind
  env: [{name: LANG, value: C}]
  container:
    image: acme/runner:1
    resources: {limits: {memory: 4Gi}}
    env: [{name: DOCKER_HOST, value: 'tcp://other:2375'}]
    volumeMounts: [{name: cache, mountPath: /cache}]
  dind:
    copyRunnerExternals: true
    dockerSock: unix:///run/d/docker.sock
    container: {image: 'docker:28-dind', resources: {limits: {memory: 2Gi}}, env: [{name: A, value: b}]}
  pod: {spec: {initContainers: [{name: warm}], volumes: [{name: cache, emptyDir: {}}]}}
";

#[test]
fn the_daemon_has_settings_of_its_own() {
    let spec = "
initContainers:
  - name: init-dind-externals
    image: ghcr.io/actions/actions-runner:latest
    command: [cp, '-r', /home/runner/externals/., /home/runner/tmpDir/]
    volumeMounts: [{name: dind-externals, mountPath: /home/runner/tmpDir}]
  - name: warm
  - name: dind
    image: docker:28-dind
    args: [dockerd, '--host=unix:///run/d/docker.sock', '--group=$(DOCKER_GROUP_GID)']
    env: [{name: DOCKER_GROUP_GID, value: '123'}, {name: A, value: b}]
    securityContext: {privileged: true}
    restartPolicy: Always
    startupProbe: {exec: {command: [docker, info]}, initialDelaySeconds: 0, failureThreshold: 24, periodSeconds: 5}
    volumeMounts:
      - {name: work, mountPath: /home/runner/_work}
      - {name: dind-sock, mountPath: /run/d}
      - {name: dind-externals, mountPath: /home/runner/externals}
    resources: {limits: {memory: 2Gi}}
volumes:
  - {name: work, emptyDir: {}}
  - {name: dind-sock, emptyDir: {}}
  - {name: dind-externals, emptyDir: {}}
  - {name: cache, emptyDir: {}}
";
    renders("0.14.2", DIND, spec);
    renders("0.15.0", DIND, spec);
}

#[test]
fn the_modes_take_the_whole_container_from_0_15_0_on() {
    let before = "
containers:
  - image: acme/runner:1
    name: runner
    command: [/home/runner/run.sh]
    env:
      - {name: LANG, value: C}
      - {name: DOCKER_HOST, value: 'unix:///run/d/docker.sock'}
      - {name: RUNNER_WAIT_FOR_DOCKER_IN_SECONDS, value: '120'}
    volumeMounts: [{name: work, mountPath: /home/runner/_work}, {name: dind-sock, mountPath: /run/d}]
";
    let since = "
containers:
  - image: acme/runner:1
    resources: {limits: {memory: 4Gi}}
    env:
      - {name: DOCKER_HOST, value: 'tcp://other:2375'}
      - {name: LANG, value: C}
      - {name: RUNNER_WAIT_FOR_DOCKER_IN_SECONDS, value: '120'}
    volumeMounts:
      - {name: cache, mountPath: /cache}
      - {name: work, mountPath: /home/runner/_work}
      - {name: dind-sock, mountPath: /run/d}
    name: runner
    command: [/home/runner/run.sh]
";
    renders("0.14.2", DIND, before);
    renders("0.15.0", DIND, since);
    assert!(look("0.14.2", DIND, |pod| pod.left_out("resources").is_some_and(|(mode, _)| mode == "dind")));
    assert!(look("0.15.0", DIND, |pod| pod.left_out("resources").is_none()));
}

#[test]
fn hooks_and_their_claim_have_defaults() {
    let values = "
runner:
  mode: kubernetes
  kubernetesMode:
    requireJobContainer: false
    extensionRef: jobs
    workVolumeClaim: {storageClassName: fast}
    serviceAccountName: builds
  pod: {spec: {serviceAccountName: ignored}}
";
    let spec = "
serviceAccountName: builds
containers:
  - name: runner
    image: ghcr.io/actions/actions-runner:latest
    command: [/home/runner/run.sh]
    env:
      - {name: ACTIONS_RUNNER_CONTAINER_HOOKS, value: /home/runner/k8s/index.js}
      - {name: ACTIONS_RUNNER_POD_NAME, valueFrom: {fieldRef: {fieldPath: metadata.name}}}
      - {name: ACTIONS_RUNNER_REQUIRE_JOB_CONTAINER, value: 'false'}
      - {name: ACTIONS_RUNNER_CONTAINER_HOOK_TEMPLATE, value: /home/runner/k8s/hook-template.yaml}
    volumeMounts:
      - {name: work, mountPath: /home/runner/_work}
      - name: hook-extension
        mountPath: /home/runner/k8s/hook-template.yaml
        subPath: extension
        readOnly: true
volumes:
  - name: work
    ephemeral:
      volumeClaimTemplate:
        spec: {accessModes: [ReadWriteOnce], storageClassName: fast, resources: {requests: {storage: 1Gi}}}
  - {name: hook-extension, configMap: {name: jobs}}
";
    renders("0.14.2", values, spec);
}

#[test]
fn volumes_of_the_daemon_come_with_any_other() {
    let names = |values: &str| {
        look("0.14.2", values, |pod| {
            let rendered = pod.rendered().unwrap();
            let volumes = rendered.pod().spec.get("volumes").into_iter().flat_map(Value::items);
            volumes.filter_map(|volume| volume.get("name")?.as_str().map(str::to_owned)).collect::<Vec<_>>()
        })
    };
    assert!(names("runner: {mode: '', dind: {copyRunnerExternals: true}}").is_empty());
    let own = "runner: {dind: {copyRunnerExternals: true}, pod: {spec: {volumes: [{name: cache}]}}}";
    assert_eq!(names(own), ["work", "dind-sock", "dind-externals", "cache"]);
}

#[test]
fn what_cannot_be_known_is_not_rendered() {
    for values in [
        "runner: '{{ .runner }}'",
        "runner: {mode: '${MODE}'}",
        "runner: {mode: dind, container: '{{ .container }}'}",
        "runner: {mode: dind, dind: {container: '${DIND}'}}",
        "runner: {pod: {spec: '${SPEC}'}}",
    ] {
        assert!(look("0.14.2", values, |pod| pod.rendered().is_none()), "{values}");
    }
}

#[test]
fn settings_have_the_names_of_the_classic_chart() {
    let values = "
auth: {url: 'https://github.com/acme', app: {clientId: '1', installationId: '2', privateKey: k}, githubToken: t}
scaleset: {name: linux, labels: [big], minRunners: 1}
listenerPodTemplate: {spec: {priorityClassName: low}}
resource: {all: {metadata: {annotations: {a: '1', b: '1'}}}, ephemeralRunner: {metadata: {annotations: {c: '3'}}}}
runner: {pod: {metadata: {annotations: {b: '2'}}}}
";
    look("0.14.2", values, |pod| {
        let crate::view::Home::Values(stack, _) = &pod.home else { panic!() };
        let sets = ScaleSet::of_stack(stack);
        let set = sets.first().unwrap();
        let said = |path: &[&str]| set.at(path).and_then(Value::as_str);
        assert_eq!(set.name().known(), Some("linux"));
        assert_eq!(said(&["githubConfigUrl"]), Some("https://github.com/acme"));
        assert_eq!(said(&["githubConfigSecret", "github_app_id"]), Some("1"));
        assert_eq!(said(&["githubConfigSecret", "github_token"]), None);
        assert_eq!(set.listener_pod().unwrap().spec.get("priorityClassName").and_then(Value::as_str), Some("low"));
        let annotation = |key| pod.annotation(key).and_then(Value::as_str);
        assert_eq!(["a", "b", "c"].map(annotation), [Some("1"), Some("2"), Some("3")]);
        assert_eq!(pod.home.called("template.spec.securityContext.fsGroup"), "runner.pod.spec.securityContext.fsGroup");
        assert_eq!(pod.home.called("resourceMeta.managerRole.labels"), "resource.managerRole.metadata.labels");
        assert_eq!(pod.home.called("listenerTemplate.spec"), "listenerPodTemplate.spec");
    });
}
