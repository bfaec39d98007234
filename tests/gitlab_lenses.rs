//! What the lenses on runner TOML and pipelines say.
#![allow(clippy::unwrap_used)]

use runnerlint::syntax::{Dialect, Tree, TreeId, Trees, toml, yaml};
use runnerlint::text::{Encoding, SourceId, Sources};
use runnerlint::values::{LayerId, Value, read};
use runnerlint::view::{Container, Executor, Field, Home, Pipeline, Runner, RunnerConfig};

fn toml_value(text: &str) -> (Trees, TreeId, Value) {
    let tree = toml::parse(text.into(), SourceId(0));
    value(tree, Dialect::Toml)
}

fn value(tree: Tree, dialect: Dialect) -> (Trees, TreeId, Value) {
    let mut trees = Trees::default();
    let root = tree.root().unwrap().id;
    let value = read::to_value(&tree, TreeId(0), root, dialect, LayerId(0)).unwrap();
    let id = trees.add(tree);
    (trees, id, value)
}

/// The only source, under a name.
fn named(name: &str) -> Sources {
    let mut sources = Sources::default();
    sources.add(name, "", Encoding::Utf8, true);
    sources
}

fn with_runner(text: &str, see: impl FnOnce(&Runner<'_>)) {
    let (trees, tree, values) = toml_value(text);
    let config = RunnerConfig::new(Home::File, tree, &values, None);
    let runners = config.runners(&trees);
    see(runners.first().unwrap());
}

const KUBERNETES: &str = "[[runners]]\nexecutor = 'kubernetes'\n[runners.kubernetes]\n";

fn kubernetes(settings: &str, see: impl FnOnce(&Runner<'_>)) {
    with_runner(&format!("{KUBERNETES}{settings}"), see);
}

#[test]
fn keys_in_any_case() {
    kubernetes("Privileged = true\n", |runner| {
        assert_eq!(runner.executor, Executor::Kubernetes);
        assert_eq!(runner.flag(&["kubernetes", "privileged"]).known(), Some(true));
    });
    kubernetes("PRIVILEGED = true\nPrivileged = false\n", |runner| {
        assert!(matches!(runner.flag(&["kubernetes", "privileged"]), Field::Unknown(Some(_))));
    });
    kubernetes("PRIVILEGED = true\nprivileged = false\n", |runner| {
        assert_eq!(runner.flag(&["kubernetes", "privileged"]).known(), Some(false));
    });
    kubernetes("privileged = 'true'\n", |runner| {
        assert!(matches!(runner.flag(&["kubernetes", "privileged"]), Field::WrongShape(_)));
    });
}

#[test]
fn templated_is_unknown() {
    kubernetes("privileged = {{ .Values.p }}\n", |runner| {
        assert!(matches!(runner.privileged(Container::Build), Field::Unknown(Some(_))));
        assert!(runner.memory_limit(Container::Build).is_absent());
    });
    kubernetes("{{ include \"x\" . }}\nmemory_limit = '1Gi'\n", |runner| {
        assert!(matches!(runner.privileged(Container::Build), Field::Unknown(None)));
        assert_eq!(runner.memory_limit(Container::Build).known(), Some("1Gi"));
        assert!(matches!(runner.memory_limit(Container::Helper), Field::Unknown(None)));
    });
}

#[test]
fn security_contexts_beat_the_setting_for_all() {
    let context = "[runners.kubernetes.service_container_security_context]\nprivileged = ";
    kubernetes(&format!("privileged = true\n{context}false\n"), |runner| {
        assert_eq!(runner.privileged(Container::Service).known(), Some(false));
        assert_eq!(runner.privileged(Container::Build).known(), Some(true));
    });
    kubernetes(&format!("{context}true\n"), |runner| {
        assert_eq!(runner.privileged(Container::Service).known(), Some(true));
        assert!(runner.privileged(Container::Helper).is_absent());
    });
    with_runner(
        "[[runners]]\nexecutor = 'docker'\n[runners.docker]\nprivileged = true\nservices_privileged = false\n",
        |runner| {
            assert_eq!(runner.executor, Executor::Docker);
            assert_eq!(runner.privileged(Container::Service).known(), Some(false));
            assert_eq!(runner.privileged(Container::Build).known(), Some(true));
        },
    );
}

#[test]
fn limits_and_sockets() {
    kubernetes("pod_memory_limit = '1Gi'\n", |runner| {
        assert!(Container::ALL.iter().all(|container| runner.memory_limit(*container).known() == Some("1Gi")));
    });
    kubernetes("memory_limit = ''\n", |runner| assert!(runner.memory_limit(Container::Build).is_absent()));
    kubernetes("[[runners.kubernetes.pod_spec]]\nname = 'x'\n", |runner| {
        assert!(!runner.memory_limit(Container::Build).is_absent());
        assert!(runner.is_sandboxed());
    });
    let volume = "[[runners.kubernetes.volumes.host_path]]\nname = 'd'\nmount_path = '/var/run/docker.sock'\n";
    kubernetes(volume, |runner| assert!(runner.host_socket().is_some()));
    kubernetes(&format!("{volume}host_path = '/other'\n"), |runner| assert!(runner.host_socket().is_none()));
    with_runner("[[runners]]\nexecutor = 'docker'\ndocker.volumes = ['/var/run/docker.sock:/x', '/c']\n", |runner| {
        assert!(runner.host_socket().is_some());
    });
}

#[test]
fn templates_are_told_by_their_names() {
    for (name, is_template) in
        [("a/config.toml", false), ("a/config.template.toml", true), ("template/config.toml", false)]
    {
        let sources = named(name);
        let (trees, tree, values) = toml_value("[[runners]]\n");
        let config = RunnerConfig::new(Home::File, tree, &values, None);
        assert_eq!(config.is_template(&trees, &sources), is_template, "{name}");
    }
}

const PIPELINE: &str = "
default: {tags: [a], services: [postgres]}
stages: [x]
.base: {services: ['docker:dind'], tags: [b]}
.deep: {extends: [.base, .other]}
.other: {tags: [c]}
plain: {script: [x]}
own: {script: [x], services: [], tags: ['$T']}
deep: {extends: .deep, inherit: {default: false}}
lost: {extends: [.elsewhere]}
bare: {inherit: {default: [services]}}
loop: {extends: loop}
child: {trigger: a/b}
referenced: {services: !reference [.base, services], tags: [!reference [.x, tags]]}
";

#[test]
fn jobs_inherit() {
    let (trees, _, value) = value(yaml::parse(PIPELINE.into(), SourceId(0)), Dialect::Kubernetes);
    let pipeline = Pipeline::new(&value, &trees, &named(".gitlab-ci.yml"));
    let names: Vec<_> = pipeline.jobs().map(|job| job.name).collect();
    assert_eq!(names, ["plain", "own", "deep", "lost", "bare", "loop", "referenced"]);
    let images = |name| pipeline.job(name).unwrap().services().iter().map(|service| service.image).collect::<Vec<_>>();
    let tags = |name| pipeline.job(name).unwrap().tags();
    assert_eq!((images("plain"), tags("plain")), (vec!["postgres"], Some(vec!["a"])));
    assert_eq!((images("own"), tags("own")), (vec![], None));
    // Of several parents the last one wins.
    assert_eq!((images("deep"), tags("deep")), (vec!["docker:dind"], Some(vec!["c"])));
    assert_eq!((images("lost"), tags("lost")), (vec![], None));
    assert_eq!((images("bare"), tags("bare")), (vec!["postgres"], Some(vec![])));
    assert_eq!((images("loop"), tags("loop")), (vec![], None));
    assert_eq!((images("referenced"), tags("referenced")), (vec![], None));
}

#[test]
fn files_for_others_to_include_do_not_show_their_defaults() {
    let (trees, _, value) = value(yaml::parse("job: {script: [x]}".into(), SourceId(0)), Dialect::Kubernetes);
    let tags = |name| Pipeline::new(&value, &trees, &named(name)).job("job").unwrap().tags();
    assert_eq!(tags("a/.gitlab-ci.yml"), Some(vec![]));
    assert_eq!(tags("ci/build.yml"), None);
}

#[test]
fn extends_may_branch_without_end() {
    let level =
        |index: usize| format!(".j{index}: {{extends: [{}]}}\n", vec![format!(".j{}", index + 1); 20].join(", "));
    let text = (0..11).map(level).collect::<String>() + ".j11: {a: 1}\njob: {extends: .j0}\n";
    let (trees, _, value) = value(yaml::parse(text.as_str().into(), SourceId(0)), Dialect::Kubernetes);
    assert_eq!(Pipeline::new(&value, &trees, &named(".gitlab-ci.yml")).job("job").unwrap().tags(), None);
}

#[test]
fn variables_are_merged_by_name() {
    let text = "
variables: {A: top, B: top, C: {value: top, description: d}}
.base: {variables: {A: base, D: base}}
job: {extends: .base, variables: {D: own}, script: [x]}
alone: {inherit: {variables: [A]}, script: [x]}
lost: {extends: .elsewhere, variables: {A: own}}
";
    let (trees, _, value) = value(yaml::parse(text.into(), SourceId(0)), Dialect::Kubernetes);
    let pipeline = Pipeline::new(&value, &trees, &named(".gitlab-ci.yml"));
    let said = |job, name| pipeline.job(job).unwrap().variable(name);
    assert_eq!(["A", "B", "C", "D"].map(|name| said("job", name).known()), ["base", "top", "top", "own"].map(Some));
    assert_eq!(said("alone", "A").known(), Some("top"));
    assert!(said("alone", "B").is_absent());
    assert_eq!(said("lost", "A").known(), Some("own"));
    assert!(matches!(said("lost", "B"), Field::Unknown(Some(_))));
}

#[test]
fn docker_daemons() {
    let daemon = |service: &str| {
        let text = format!("a: {{services: [{service}]}}");
        let (trees, _, value) = value(yaml::parse(text.as_str().into(), SourceId(0)), Dialect::Kubernetes);
        Pipeline::new(&value, &trees, &named(".gitlab-ci.yml"))
            .jobs()
            .flat_map(|job| job.services())
            .any(|s| s.is_docker_daemon())
    };
    for service in [
        "'docker:dind'",
        "'docker:27.5.1-dind'",
        "'docker:27-dind@sha256:0'",
        "'r.io:5000/m/docker:dind-alpine3.20'",
        "{name: 'docker:27', command: [dockerd]}",
        "{name: 'docker:27-dind', entrypoint: [dockerd-entrypoint.sh]}",
        "'docker:$V-dind'",
        "{name: 'docker:dind', command: ['--mtu=1400']}",
    ] {
        assert!(daemon(service), "{service}");
    }
    for service in [
        "'docker:27'",
        "'docker:dind-rootless'",
        "postgres",
        "'x/dind:1'",
        "{name: 'docker:dind', entrypoint: [sh]}",
        "'my/docker-dind-tools:dind'",
        "{name: 'docker:27', command: [ps]}",
        "{alias: docker}",
    ] {
        assert!(!daemon(service), "{service}");
    }
}
