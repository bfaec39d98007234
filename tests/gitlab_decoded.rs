//! What the runner's decoder makes of runner TOML.
#![allow(clippy::unwrap_used)]

use runnerlint::knowledge::gitlab_version::Minor;
use runnerlint::syntax::{Trees, toml};
use runnerlint::text::SourceId;
use runnerlint::values::Value;
use runnerlint::view::{Home, Outcome, RunnerConfig};

/// Path and outcome of all that does not become what was written.
fn decoded(text: &str, version: Option<(u32, u32)>) -> Vec<String> {
    let mut trees = Trees::default();
    let tree = trees.add(toml::parse(text.into(), SourceId(0)));
    let nothing = Value::default();
    let config = RunnerConfig::new(Home::File, tree, &nothing, version.map(Minor::from));
    let found = config.decoded(&trees).iter();
    found.map(|found| format!("{}: {}", trees.path(found.at), short(&found.outcome))).collect()
}

fn short(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Unknown(near) => format!("unknown, near {}", near.unwrap_or("nothing")),
        Outcome::TooNew(since) => format!("since {since}"),
        Outcome::Elsewhere(homes) => homes.iter().map(|home| home.header()).collect::<Vec<_>>().join(" "),
        Outcome::Gone(until, _) => format!("until {until}"),
        Outcome::Swallowed { setting, is_sure } => {
            format!("swallowed {}{}", setting.dotted(), if *is_sure { "" } else { "?" })
        }
        Outcome::Twice(_) => "twice".to_owned(),
        Outcome::NoMap(found) => format!("no map but {found}"),
        Outcome::TableForTables => "[x] for [[x]]".to_owned(),
        Outcome::TablesForTable => "[[x]] for [x]".to_owned(),
        Outcome::WrongType { due, found, refused } => {
            format!("{due}, not {found}{}", if *refused { "" } else { ", ignored" })
        }
        Outcome::Nanoseconds(number) => format!("{number} ns"),
        Outcome::NoDuration(meant) => format!("no duration, {}", meant.as_deref().unwrap_or("unclear")),
    }
}

/// Settings of `[runners.kubernetes]`, with paths from there on.
fn kubernetes(settings: &str) -> Vec<String> {
    let text = format!("[[runners]]\n[runners.kubernetes]\n{settings}");
    decoded(&text, None).into_iter().map(|found| found.replace("runners[0].kubernetes.", "")).collect()
}

#[test]
fn unknown_keys() {
    assert_eq!(
        kubernetes("memroy_limit = '1'\nnodeSelector = {}\ntags = []\npull_policies = []\n"),
        [
            "memroy_limit: unknown, near memory_limit",
            "nodeSelector: unknown, near node_selector",
            "tags: unknown, near nothing",
            "pull_policies: unknown, near pull_policy",
        ]
    );
    // What is in it says nothing of its own, and another kind of volume is another place.
    assert_eq!(
        kubernetes("[runners.kubernetes.volumes.ephemeral]\nfoo = 1\n"),
        ["volumes.ephemeral: unknown, near nothing"]
    );
    assert_eq!(
        kubernetes("[[runners.kubernetes.volumes.empty_dir]]\npath = '/x'\n"),
        ["volumes.empty_dir[0].path: unknown, near nothing"]
    );
}

#[test]
fn keys_of_other_tables() {
    assert_eq!(
        kubernetes(
            "environment = []\nconcurrent = 1\nrun_as_user = 1\nshm_size = 1\n[runners.kubernetes.cache]\nType = 's3'\n"
        ),
        [
            "environment: `[[runners]]`",
            "concurrent: the top of the file",
            "run_as_user: `[runners.kubernetes.pod_security_context]` \
             `[runners.kubernetes.init_permissions_container_security_context]` \
             `[runners.kubernetes.build_container_security_context]` \
             `[runners.kubernetes.helper_container_security_context]` \
             `[runners.kubernetes.service_container_security_context]`",
            "shm_size: `[runners.docker]`",
            "cache: `[[runners]]`",
        ]
    );
    assert_eq!(
        decoded("executor = 'x'\ncpu_limit = '1'\n", None),
        ["executor: `[[runners]]`", "cpu_limit: `[runners.kubernetes]`"]
    );
}

#[test]
fn types() {
    assert_eq!(
        kubernetes(
            "privileged = 'true'\npoll_timeout = 1.5\ncpu_limit = 2\nimage_pull_secrets = 'x'\nvolumes = ['/x']\n\
             pull_policy = 1\nallowed_users = [1]\nservices = ['x']\npod_security_context = 3\nretry_limits = {x = '5'}\n"
        ),
        [
            "privileged: a boolean, not a string",
            "poll_timeout: a whole number, not a number with a fraction",
            "cpu_limit: a string, not a whole number",
            "image_pull_secrets: a list of strings, not a string",
            "volumes: a table, not a list",
            "pull_policy: a string or a list of strings, not a whole number",
            "allowed_users[0]: a string, not a whole number",
            "services[0]: a table, not a string",
            "pod_security_context: a table, not a whole number",
            "retry_limits.x: a whole number, not a string",
        ]
    );
    assert_eq!(
        kubernetes("[[runners.kubernetes.volumes.nfs]]\nname = 5\nfoo = 1\n"),
        ["volumes.nfs[0].name: a string, not a whole number, ignored", "volumes.nfs[0].foo: unknown, near nothing"]
    );
    let fine = "privileged = true\npull_policy = ['always']\nnode_selector = []\nservices = []\n\
                [[runners.kubernetes.services]]\nname = 'x'\n[runners.kubernetes.autoscaler]\n\
                [[runners.kubernetes.autoscaler.policy]]\nscale_factor = 1\n";
    assert!(kubernetes(fine).iter().all(|found| !found.contains("not ")), "{:?}", kubernetes(fine));
}

#[test]
fn tables() {
    assert_eq!(
        kubernetes("[runners.kubernetes.volumes.pvc]\nname = 'x'\nfoo = 1\n"),
        ["volumes.pvc: [x] for [[x]]", "volumes.pvc.foo: unknown, near nothing"]
    );
    assert_eq!(decoded("[[runners]]\n[[runners.docker]]\nimage = 'x'\n", None), ["runners[0].docker: [[x]] for [x]"]);
    assert_eq!(decoded("[runners]\nexecutor = 'x'\n", None), ["runners: [x] for [[x]]"]);
    // The array may be opened by what the template brings.
    assert!(decoded("{{ include \"x\" . }}\n[runners.docker]\nimage = 'x'\n", None).is_empty());
}

#[test]
fn maps() {
    assert_eq!(
        kubernetes("node_tolerations = ['a']\n[[runners.kubernetes.pod_labels]]\na = 'b'\n"),
        ["node_tolerations: no map but a list", "pod_labels: no map but an array of tables"]
    );
    let labels = |entries: &str| kubernetes(&format!("[runners.kubernetes.pod_labels]\n  a = 'b'\n{entries}"));
    assert_eq!(labels("  cpu_limit = '1'\n"), ["pod_labels.cpu_limit: swallowed runners.kubernetes.cpu_limit"]);
    assert_eq!(labels("  host = 'x'\n"), ["pod_labels.host: swallowed runners.kubernetes.host?"]);
    assert_eq!(labels("host = 'x'\n"), ["pod_labels.host: swallowed runners.kubernetes.host"]);
    assert_eq!(labels("  limit = 5\n"), ["pod_labels.limit: swallowed runners.limit"]);
    assert_eq!(labels("  count = 5\n"), ["pod_labels.count: a string, not a whole number"]);
    assert_eq!(labels("  docker.io = 'x'\n"), ["pod_labels.docker: a string, not a table"]);
    assert!(labels("  'host' = 'x'\n  executor = 'x'\n").is_empty());
    assert!(decoded("[[runners]]\n[runners.autoscaler.plugin_config]\nmax_instances = [1]\n", None).is_empty());
}

#[test]
fn durations() {
    let interval = |value: &str| decoded(&format!("connection_max_age = {value}\n"), None);
    assert_eq!(interval("300"), ["connection_max_age: 300 ns"]);
    assert_eq!(interval("'1 h 30 min'"), ["connection_max_age: no duration, 1h30m"]);
    assert_eq!(interval("'300'"), ["connection_max_age: no duration, unclear"]);
    assert_eq!(interval("true"), ["connection_max_age: a duration, not a boolean"]);
    for fine in ["'15m'", "0", "-1", "900000000000", "'${AGE}'", "{{ .Values.age }}"] {
        assert!(interval(fine).is_empty(), "{fine}");
    }
}

#[test]
fn versions() {
    let text = "[[runners]]\npre_clone_script = ''\n[runners.kubernetes]\npod_cpu_limit = '1'\nfoo = 1\n";
    let (gone, new) = ("runners[0].pre_clone_script: until 17.0", "runners[0].kubernetes.pod_cpu_limit: since 18.10");
    let unknown = "runners[0].kubernetes.foo: unknown, near nothing";
    assert_eq!(decoded(text, None), [gone, unknown]);
    assert_eq!(decoded(text, Some((18, 9))), [gone, new, unknown]);
    assert_eq!(decoded(text, Some((16, 11))), [new, unknown]);
    // What a version that is not known yet brings is not known.
    assert_eq!(decoded(text, Some((20, 0))), [gone]);
}

#[test]
fn what_cannot_be_read_is_not_judged() {
    let broken = "[[runners]]\n[runners.kubernetes]\nimage_pull_secrets = [harbor]\nprivileged = 'x'\n[runners.kubernetes.node_selector]\nkubernetes.io/arch = 'x'\n";
    assert_eq!(decoded(broken, None), ["runners[0].kubernetes.privileged: a boolean, not a string"]);
    let templated = "[[runners]]\n{{ .Values.key }} = 1\nlimit = \"{{ .Values.limit }}\"\nname = {{ .Values.name }}\n";
    assert!(decoded(templated, None).is_empty(), "{:?}", decoded(templated, None));
}
