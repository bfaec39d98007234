//! Rendered pods, against what the chart's templates write.

use crate::values::Value;
use crate::view::tests::{in_object, in_version, value};

/// Checks the rendered spec of values of a chart version.
fn renders(version: &str, values: &str, spec: &str) {
    in_version(Some(version), values, |pod| {
        let rendered = pod.rendered().unwrap();
        let found = rendered.pod().spec;
        let expected = value(spec);
        for (key, value) in expected.entries() {
            let found = found.get(key).unwrap_or(&expected);
            assert!(value.says_the_same_as(found), "{key} of {values}: {found:#?}");
        }
        assert_eq!(expected.entries().count(), found.entries().count(), "{values}");
    });
}

/// A list of the rendered spec, by the names of its items.
fn names(version: &str, values: &str, list: &str) -> Vec<String> {
    in_version(Some(version), values, |pod| {
        let rendered = pod.rendered().unwrap();
        let items = rendered.pod().spec.get(list).into_iter().flat_map(Value::items);
        items.map(|item| item.get("name").and_then(Value::as_str).unwrap_or_default().to_owned()).collect()
    })
}

const DIND: &str = "
containerMode: {type: dind}
template:
  spec:
    containers:
      - {name: log-shipper, image: 'acme/shipper:2'}
      - {name: runner, image: 'acme/runner:1', command: [run.sh]}
      - {name: dind, image: 'docker:27-dind'}
    initContainers: [{name: warm}]
    volumes: [{name: cache, emptyDir: {}}]
";

#[test]
fn the_mode_dind_adds_daemon_externals_and_volumes() {
    let spec = "
initContainers:
  - name: init-dind-externals
    image: acme/runner:1
    command: [cp]
    args: ['-r', /home/runner/externals/., /home/runner/tmpDir/]
    volumeMounts: [{name: dind-externals, mountPath: /home/runner/tmpDir}]
  - name: dind
    image: docker:dind
    args: [dockerd, '--host=unix:///var/run/docker.sock', '--group=$(DOCKER_GROUP_GID)']
    env: [{name: DOCKER_GROUP_GID, value: '123'}]
    securityContext: {privileged: true}
    restartPolicy: Always
    startupProbe: {exec: {command: [docker, info]}, initialDelaySeconds: 0, failureThreshold: 24, periodSeconds: 5}
    volumeMounts:
      - {name: work, mountPath: /home/runner/_work}
      - {name: dind-sock, mountPath: /var/run}
      - {name: dind-externals, mountPath: /home/runner/externals}
  - name: warm
containers:
  - name: runner
    image: acme/runner:1
    command: [run.sh]
    env:
      - {name: DOCKER_HOST, value: 'unix:///var/run/docker.sock'}
      - {name: RUNNER_WAIT_FOR_DOCKER_IN_SECONDS, value: '120'}
    volumeMounts:
      - {name: work, mountPath: /home/runner/_work}
      - {name: dind-sock, mountPath: /var/run}
  - {name: log-shipper, image: 'acme/shipper:2'}
volumes:
  - {name: dind-sock, emptyDir: {}}
  - {name: dind-externals, emptyDir: {}}
  - {name: work, emptyDir: {}}
  - {name: cache, emptyDir: {}}
";
    renders("0.14.2", DIND, spec);
}

#[test]
fn daemons_moved_between_versions() {
    let init = |version| names(version, DIND, "initContainers");
    assert_eq!(init("0.12.0"), ["init-dind-externals", "dind", "warm"]);
    assert_eq!(init("0.11.0"), ["init-dind-externals", "warm"]);
    assert_eq!(names("0.11.0", DIND, "containers"), ["runner", "dind", "log-shipper"]);
    let host = |version| {
        in_version(Some(version), DIND, |pod| {
            let rendered = pod.rendered().unwrap();
            rendered.pod().runner().unwrap().docker_host().known().map(str::to_owned)
        })
    };
    assert_eq!(host("0.9.0").as_deref(), Some("unix:///var/run/docker.sock"));
    assert_eq!(host("0.8.3").as_deref(), Some("unix:///run/docker/docker.sock"));
    assert_eq!(host("0.5.0").as_deref(), Some("tcp://localhost:2376"));
    assert_eq!(names("0.5.0", DIND, "volumes"), ["dind-cert", "dind-externals", "work", "cache"]);
}

#[test]
fn what_is_written_wins_by_name() {
    let values = "
containerMode: {type: dind}
template:
  spec:
    containers:
      - name: runner
        env: [{name: DOCKER_HOST, value: 'tcp://other:2375'}]
        volumeMounts: [{name: work, mountPath: /work}]
    volumes: [{name: work, hostPath: {path: /fast}}]
";
    in_version(None, values, |pod| {
        let rendered = pod.rendered().unwrap();
        let pod = rendered.pod();
        let runner = pod.runner().unwrap();
        assert_eq!(runner.docker_host().known(), Some("tcp://other:2375"));
        assert_eq!(runner.get("env").unwrap().items().count(), 2);
        assert_eq!(runner.get("volumeMounts").unwrap().items().count(), 2);
        assert!(pod.volume("work").unwrap().get("hostPath").is_some());
    });
    assert_eq!(names("0.14.2", values, "volumes"), ["dind-sock", "dind-externals", "work"]);
}

#[test]
fn the_modes_with_job_pods_add_hooks() {
    let values = "
containerMode: {type: kubernetes, kubernetesModeWorkVolumeClaim: {accessModes: [ReadWriteOnce]}}
template:
  spec:
    containers: [{name: side, image: 'acme/side:1'}, {name: runner, image: 'acme/runner:1'}]
";
    let spec = "
containers:
  - name: runner
    image: acme/runner:1
    env:
      - {name: ACTIONS_RUNNER_CONTAINER_HOOKS, value: /home/runner/k8s/index.js}
      - {name: ACTIONS_RUNNER_POD_NAME, valueFrom: {fieldRef: {fieldPath: metadata.name}}}
      - {name: ACTIONS_RUNNER_REQUIRE_JOB_CONTAINER, value: 'true'}
    volumeMounts: [{name: work, mountPath: /home/runner/_work}]
  - {name: side, image: 'acme/side:1'}
volumes:
  - {name: work, ephemeral: {volumeClaimTemplate: {spec: {accessModes: [ReadWriteOnce]}}}}
";
    renders("0.14.2", values, spec);
    let values = "
containerMode: {type: kubernetes-novolume}
template: {spec: {containers: [{name: runner, image: 'acme/runner:1'}]}}
";
    let spec = "
containers:
  - name: runner
    image: acme/runner:1
    env:
      - {name: ACTIONS_RUNNER_CONTAINER_HOOKS, value: /home/runner/k8s-novolume/index.js}
      - {name: ACTIONS_RUNNER_POD_NAME, valueFrom: {fieldRef: {fieldPath: metadata.name}}}
      - {name: ACTIONS_RUNNER_REQUIRE_JOB_CONTAINER, value: 'true'}
      - {name: ACTIONS_RUNNER_IMAGE, value: 'acme/runner:1'}
";
    renders("0.14.2", values, spec);
    renders("0.12.1", values, "containers: [{name: runner, image: 'acme/runner:1'}]");
}

#[test]
fn a_runner_that_the_values_lack_is_a_bare_name() {
    let spec = "template: {spec: {containers: [{name: build, image: 'acme/runner:1'}], volumes: [{name: cache}, {name: work}]}}";
    let kubernetes = format!("{{containerMode: {{type: kubernetes}}, {spec}}}");
    let bare = "
containers: [{name: runner}, {name: build, image: 'acme/runner:1'}]
volumes: [{name: work}, {name: cache}]
";
    renders("0.14.2", &kubernetes, bare);
    let dind = format!("{{containerMode: {{type: dind}}, {spec}}}");
    in_version(None, &dind, |pod| {
        let rendered = pod.rendered().unwrap();
        let pod = rendered.pod();
        let first = pod.spec.get("initContainers").unwrap().items().next().unwrap();
        assert!(value("{name: init-dind-externals}").says_the_same_as(first));
        assert!(value("{name: runner}").says_the_same_as(pod.runner().unwrap().value));
    });
    assert_eq!(names("0.14.2", &dind, "volumes"), ["dind-sock", "dind-externals", "work", "cache"]);
}

#[test]
fn certificates_are_added_in_every_mode() {
    let values = "
githubConfigUrl: https://github.com/acme
githubServerTLS:
  certificateFrom: {configMapKeyRef: {name: ca, key: ca.crt}}
  runnerMountPath: /usr/local/share/ca-certificates/
template: {spec: {containers: [{name: side}, {name: runner}]}}
";
    let spec = "
containers:
  - name: side
  - name: runner
    env:
      - {name: NODE_EXTRA_CA_CERTS, value: /usr/local/share/ca-certificates/ca.crt}
      - {name: RUNNER_UPDATE_CA_CERTS, value: '1'}
    volumeMounts:
      - {name: github-server-tls-cert, mountPath: /usr/local/share/ca-certificates/ca.crt, subPath: ca.crt}
volumes:
  - {name: github-server-tls-cert, configMap: {name: ca, items: [{key: ca.crt, path: ca.crt}]}}
";
    renders("0.14.2", values, spec);
}

#[test]
fn an_unknown_word_is_no_mode_and_a_templated_one_no_pod() {
    renders(
        "0.14.2",
        "{containerMode: {type: DinD}, template: {spec: {priorityClassName: a}}}",
        "priorityClassName: a",
    );
    let none = |values: &str| in_version(None, values, |pod| pod.rendered().is_none());
    for values in [
        "containerMode: {type: '${MODE}'}",
        "containerMode: '{{ .mode }}'",
        "containerMode: dind",
        "{containerMode: {type: dind}, template: {spec: {containers: '{{ .containers }}'}}}",
        "githubServerTLS: {runnerMountPath: '${PATH}'}",
    ] {
        assert!(none(values), "{values}");
    }
    assert!(!none("githubConfigUrl: a"));
}

#[test]
fn additions_point_at_their_cause() {
    in_version(None, DIND, |pod| {
        let mode = pod.trail_of_mode().last().unwrap().origin;
        let rendered = pod.rendered().unwrap();
        let pod = rendered.pod();
        let daemons = pod.docker_daemons();
        assert_eq!(daemons.iter().map(|daemon| daemon.value.origin).collect::<Vec<_>>(), [mode]);
        let runner = pod.runner().unwrap();
        assert_eq!(runner.docker_host().value().unwrap().origin, mode);
        assert_ne!(runner.get("image").unwrap().origin, mode);
    });
}

#[test]
fn objects_were_rendered_already() {
    let text =
        "{apiVersion: actions.github.com/v1alpha1, kind: AutoscalingRunnerSet, spec: {template: {spec: {a: 1}}}}";
    in_object(text, |pod| assert!(pod.rendered().unwrap().pod().spec.says_the_same_as(pod.spec)));
}
