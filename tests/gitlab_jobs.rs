//! What the lenses on jobs of GitLab pipelines say of variables, images, daemons and what they overwrite.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use runnerlint::knowledge::OverwriteVariable;
use runnerlint::syntax::{Dialect, Tree, TreeId, Trees, toml, yaml};
use runnerlint::text::{Encoding, SourceId, Sources};
use runnerlint::values::{LayerId, Value, read};
use runnerlint::view::{Field, Gate, Home, Job, Listens, Pipeline, Runner, RunnerConfig};

fn value(tree: Tree, dialect: Dialect) -> (Trees, TreeId, Value) {
    let mut trees = Trees::default();
    let root = tree.root().unwrap().id;
    let value = read::to_value(&tree, TreeId(0), root, dialect, LayerId(0)).unwrap();
    let id = trees.add(tree);
    (trees, id, value)
}

fn with_job(text: &str, see: impl FnOnce(Job<'_>)) {
    let (trees, _, value) = value(yaml::parse(text.into(), SourceId(0)), Dialect::Kubernetes);
    let mut sources = Sources::default();
    sources.add(".gitlab-ci.yml", "", Encoding::Utf8, true);
    see(Pipeline::new(&value, &trees, &sources).job("job").unwrap());
}

fn with_runner(text: &str, see: impl FnOnce(&Runner<'_>)) {
    let (trees, tree, values) = value(toml::parse(text.into(), SourceId(0)), Dialect::Toml);
    let config = RunnerConfig::new(Home::File, tree, &values, None);
    see(&config.runners(&trees)[0]);
}

#[test]
fn variables_are_put_in() {
    let text = "
variables: {A: a, B: '${A}b', PRICE: 'x$$y', LOOP: $LOOP, CORES: 0.5, LONG: {value: v, description: d}}
job: {script: [x], variables: {C: $B-c, D: $CI_PROJECT_NAME, E: '$[[ inputs.e ]]', F: !reference [.x, variables, F]}}
";
    with_job(text, |job| {
        let said = |name| job.expanded(name).known();
        let known = [("B", "ab"), ("C", "ab-c"), ("PRICE", "x$y"), ("CORES", "0.5"), ("LONG", "v")];
        for (name, text) in known {
            assert_eq!(said(name).as_deref(), Some(text), "{name}");
        }
        for name in ["LOOP", "D", "E", "F"] {
            assert_eq!(said(name), None, "{name}");
            assert!(!job.expanded(name).is_absent(), "{name}");
        }
        assert!(job.expanded("G").is_absent());
        assert_eq!(job.expand("a:${B}"), Some("a:ab".to_owned()));
        assert_eq!(job.expand("a:${B"), None);
        let names: Vec<_> = job.variables().into_iter().map(|variable| variable.name).collect();
        assert_eq!(names, ["C", "D", "E", "A", "B", "PRICE", "LOOP", "CORES", "LONG"]);
    });
}

#[test]
fn rules_and_matrices_make_variables_unknown() {
    let text = "
variables: {A: a, B: b, C: c, D: d}
workflow: {rules: [{variables: {A: x}}]}
other: {rules: [{variables: {D: x}}], script: [x]}
job: {rules: [{if: $X, variables: {B: x}}], parallel: {matrix: [{C: [1, 2]}]}, script: [x]}
";
    with_job(text, |job| {
        assert_eq!(["A", "B", "C", "D"].map(|name| job.variable(name).known()), [None, None, None, Some("d")]);
    });
    // What is put together may hold any rule of the file.
    with_job(&text.replace("[{if: $X, variables: {B: x}}]", "[!reference [other, rules]]"), |job| {
        assert_eq!(job.variable("D").known(), None);
        assert_eq!(job.variable("B").known(), Some("b"));
    });
}

#[test]
fn images_are_merged_from_parents() {
    let name = |text: &str| {
        let mut found = None;
        with_job(text, |job| {
            found = job.image().map(|image| (image.name, !image.entrypoint.is_absent()));
        });
        found
    };
    let is = |name: &str, has_entrypoint| Some((name.to_owned(), has_entrypoint));
    assert_eq!(name("job: {image: 'a:1'}"), is("a:1", false));
    assert_eq!(name("image: 'a:$V'\nvariables: {V: 2}\njob: {script: [x]}"), is("a:2", false));
    assert_eq!(name(".a: {image: {entrypoint: ['']}}\njob: {extends: .a, image: {name: b}}"), is("b", true));
    assert_eq!(name("default: {image: {name: a, entrypoint: ['']}}\njob: {script: [x]}"), is("a", true));
    assert_eq!(name("default: {image: {name: a, entrypoint: ['']}}\njob: {image: {name: b}}"), is("b", false));
    assert_eq!(name(".a: {image: {name: a, entrypoint: ['']}}\njob: {extends: .a, image: b}"), is("b", false));
    for text in ["job: {image: $X}", "job: {script: [x]}", "job: {extends: .away}", "job: {image: !reference [.a, b]}"]
    {
        assert_eq!(name(text), None, "{text}");
    }
}

#[test]
fn daemons_listen() {
    let of = |service: &str, variables: &str| {
        let mut found = None;
        with_job(&format!("job: {{services: [{service}], variables: {{{variables}}}}}"), |job| {
            found = Some(match job.listens(job.services()[0]) {
                Listens::Tls(folder, _) => ("tls", folder),
                Listens::Plain(_) => ("plain", None),
                Listens::Unknown => ("unknown", None),
            });
        });
        found.unwrap()
    };
    let tls = ("tls", Some("/certs".to_owned()));
    assert_eq!(of("'docker:27-dind'", "DOCKER_TLS_CERTDIR: /certs"), tls);
    assert_eq!(of("'docker:dind'", "DOCKER_TLS_CERTDIR: /certs"), tls);
    assert_eq!(of("'docker:19.03.12-dind'", "DOCKER_TLS_CERTDIR: /certs"), tls);
    assert_eq!(of("'docker:$V-dind'", "DOCKER_TLS_CERTDIR: /certs, V: 27"), tls);
    assert_eq!(of("{name: 'docker:dind', command: ['--mtu=1400', --experimental]}", "DOCKER_TLS_CERTDIR: /certs"), tls);
    assert_eq!(of("'docker:27-dind'", "DOCKER_TLS_CERTDIR: $CI_PROJECT_DIR/certs"), ("tls", None));
    assert_eq!(of("'docker:18.09-dind'", "DOCKER_TLS_CERTDIR: /certs"), ("plain", None));
    assert_eq!(of("'docker:$V-dind'", "DOCKER_TLS_CERTDIR: ''"), ("plain", None));
    let own = "{name: 'docker:27-dind', variables: {DOCKER_TLS_CERTDIR: ''}}";
    assert_eq!(of(own, "DOCKER_TLS_CERTDIR: /certs"), ("plain", None));
    for (service, variables) in [
        ("'docker:27-dind'", ""),
        ("'docker:27-dind'", "DOCKER_TLS_CERTDIR: $CERTS"),
        ("'docker:$V-dind'", "DOCKER_TLS_CERTDIR: /certs"),
        ("{name: 'docker:27-dind', command: [--tls=false]}", "DOCKER_TLS_CERTDIR: /certs"),
        ("{name: 'docker:27-dind', command: ['-H', 'tcp://0.0.0.0:2375']}", "DOCKER_TLS_CERTDIR: /certs"),
        ("{name: 'docker:27-dind', entrypoint: [dockerd]}", "DOCKER_TLS_CERTDIR: /certs"),
    ] {
        assert_eq!(of(service, variables), ("unknown", None), "{service} {variables}");
    }
}

#[test]
fn services_have_names() {
    with_job("job: {services: ['r.io/m/docker:27-dind', {name: 'docker:27', alias: 'dind,d'}]}", |job| {
        let services = job.services();
        for (service, host, answers) in [
            (0, "r.io-m-docker", true),
            (0, "r.io__m__docker", true),
            (0, "localhost", true),
            (0, "docker", false),
            (1, "docker", true),
            (1, "dind", true),
            (1, "d", true),
            (1, "dind,d", false),
        ] {
            assert_eq!(services[service].answers_to(host), answers, "{host}");
        }
    });
}

#[test]
fn volumes_are_shared() {
    let pods = "[[runners]]\nexecutor = 'kubernetes'\n[runners.kubernetes]\n";
    let volume = "[[runners.kubernetes.volumes.empty_dir]]\nname = 'c'\nmount_path = ";
    let docker = "[[runners]]\nexecutor = 'docker'\n[runners.docker]\n";
    for (text, shares) in [
        (pods.to_owned(), Some(false)),
        (format!("{pods}{volume}'/certs/client'"), Some(true)),
        (format!("{pods}{volume}'/certs/'"), Some(true)),
        (format!("{pods}{volume}'/certs-of-others'"), Some(false)),
        (format!("{pods}{volume}'{{{{ .Values.path }}}}'"), None),
        (format!("{pods}[[runners.kubernetes.pod_spec]]\nname = 'x'"), None),
        (docker.to_owned(), Some(false)),
        (format!("{docker}volumes = ['/cache', '/certs/client']"), Some(true)),
        (format!("{docker}volumes = ['certs:/certs/client:rw']"), Some(true)),
        (format!("{docker}volumes = ['/certs/client:/elsewhere']"), Some(false)),
        ("[[runners]]\nexecutor = 'shell'".to_owned(), None),
    ] {
        with_runner(&text, |runner| assert_eq!(runner.shares("/certs/client"), shares, "{text}"));
    }
    with_runner(pods, |runner| assert_eq!(runner.shares("/builds/certs/client"), Some(true)));
}

#[test]
fn gates() {
    let gate = |executor: &str, settings: &str, name: &str| {
        let mut found = "";
        with_runner(&format!("[[runners]]\nexecutor = '{executor}'\n[runners.kubernetes]\n{settings}"), |runner| {
            found = match Gate::of(runner, OverwriteVariable::named(name).unwrap()) {
                Gate::Closed => "closed",
                Gate::Open(..) => "open",
                Gate::Wide => "wide",
                Gate::Unknown => "unknown",
            };
        });
        found
    };
    let cpu = "KUBERNETES_CPU_LIMIT";
    assert_eq!(gate("kubernetes", "", cpu), "closed");
    assert_eq!(gate("kubernetes", "cpu_limit_overwrite_max_allowed = ''", cpu), "closed");
    assert_eq!(gate("kubernetes", "CPU_limit_overwrite_max_allowed = '4'", cpu), "open");
    assert_eq!(gate("kubernetes", "cpu_limit_overwrite_max_allowed = '{{ .x }}'", cpu), "unknown");
    assert_eq!(gate("kubernetes", "{{ include \"x\" . }}", cpu), "unknown");
    assert_eq!(gate("docker", "", cpu), "unknown");
    assert_eq!(gate("kubernetes", "", "KUBERNETES_BEARER_TOKEN"), "closed");
    assert_eq!(gate("kubernetes", "bearer_token_overwrite_allowed = true", "KUBERNETES_BEARER_TOKEN"), "wide");
}

#[test]
fn what_jobs_overwrite() {
    let text = "
job:
  variables: {KUBERNETES_CPU_LIMIT: 2, KUBERNETES_NODE_SELECTOR_A: a=b, OTHER: x}
  services:
    - {name: a, variables: {KUBERNETES_SERVICE_CPU_LIMIT: 1, KUBERNETES_CPU_REQUEST: 1}}
";
    with_job(text, |job| {
        let names: Vec<_> = job.overwrites().iter().map(|overwrite| overwrite.variable.name).collect();
        assert_eq!(names, ["KUBERNETES_CPU_LIMIT", "KUBERNETES_NODE_SELECTOR_A", "KUBERNETES_SERVICE_CPU_LIMIT"]);
        assert!(matches!(job.docker_host(), Field::Absent));
        assert!(job.pipeline().mentions("a") && !job.pipeline().mentions("CPU"));
    });
}
