//! Small trees of files through the whole room.

use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::{ConfigChoice, ExplicitStack, FileKind, LoadError, Project, Request, Stack, load, relative};
use crate::knowledge::Chart;
use crate::values::FlagKind;

const ARC: &str = "githubConfigUrl: https://github.com/acme\nmaxRunners: 5\n";
const GITLAB: &str =
    "gitlabUrl: https://git.acme.example\nrunners:\n  config: |\n    [[runners]]\n      name = \"a\"\n";

fn tree(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    folder
}

fn request(folder: &Path, paths: &[&str]) -> Request {
    let directory = folder.to_path_buf();
    Request { directory, paths: paths.iter().map(PathBuf::from).collect(), ..Request::default() }
}

fn read(files: &[(&str, &str)], paths: &[&str]) -> Project {
    let folder = tree(files);
    load(&request(folder.path(), paths), &[]).unwrap()
}

fn names(project: &Project) -> Vec<&str> {
    project.stacks.iter().map(|stack| stack.name.as_str()).collect()
}

fn layers(stack: &Stack) -> Vec<&str> {
    stack.merged.layers.iter().map(|layer| layer.name.as_str()).collect()
}

fn rules(project: &Project) -> Vec<(&str, &str)> {
    let of = |index: usize| {
        let found = &project.diagnostics[index];
        let label = found.primary.as_ref().unwrap();
        (found.rule, project.sources.get(label.location.source).unwrap().name.as_str())
    };
    (0..project.diagnostics.len()).map(of).collect()
}

#[test]
fn an_overlay_lies_over_its_base_and_the_known_defaults() {
    let project = read(&[("arc/values.yaml", ARC), ("arc/values-prod.yaml", "maxRunners: 9\n")], &["."]);
    assert_eq!(names(&project), ["arc/values-prod.yaml"]);
    let layers = layers(&project.stacks[0]);
    assert_eq!(layers, ["chart:gha-runner-scale-set@0.14.2", "arc/values.yaml", "arc/values-prod.yaml"]);
    assert_eq!(project.stacks[0].merged.values.get("maxRunners").unwrap().as_f64(), Some(9.0));
    assert_eq!(project.stacks[0].parts[0].chart.chart, Chart::GhaRunnerScaleSet);
}

#[test]
fn a_named_overlay_brings_its_base_and_not_its_siblings_stacks() {
    let files = [("values.yaml", ARC), ("values-a.yaml", "maxRunners: 1\n"), ("values-b.yaml", "maxRunners: 2\n")];
    assert_eq!(names(&read(&files, &["values-a.yaml"])), ["values-a.yaml"]);
    assert_eq!(names(&read(&files, &["values.yaml"])), ["values-a.yaml", "values-b.yaml"]);
    assert_eq!(read(&files, &["."]).stacks[0].siblings, [1]);
    let files = [("values.yaml", ARC), ("environments/prod/values.yaml", "maxRunners: 1\n"), ("other.yaml", "a: 1\n")];
    assert_eq!(names(&read(&files, &["environments/prod/values.yaml"])), ["environments/prod/values.yaml"]);
    assert!(read(&files, &["other.yaml"]).stacks.is_empty());
}

#[test]
fn a_configured_stack_leaves_the_convention() {
    let config = "[[stack]]\nname = \"prod\"\nvalues = [\"values.yaml\", \"x.yaml\"]\nset = [\"maxRunners=7\"]\n";
    let files = [("runnerlint.toml", config), ("values.yaml", ARC), ("x.yaml", "a: 1\n"), ("values-y.yaml", "a: 2\n")];
    let project = read(&files, &["."]);
    assert_eq!(names(&project), ["prod", "values-y.yaml"]);
    assert_eq!(layers(&project.stacks[0]).last(), Some(&"--set maxRunners=7"));
    assert!(project.diagnostics.is_empty());
    assert_eq!(names(&read(&files, &["x.yaml"])), ["prod"]);
}

#[test]
fn wrong_configuration_is_said_where_it_stands() {
    let config = "helm-verson = \"3\"\n[[stack]]\nvalues = [\"gone.yaml\"]\n";
    let project = read(&[("runnerlint.toml", config), ("values.yaml", ARC)], &["."]);
    let found: Vec<_> = project.diagnostics.iter().map(|found| found.message.as_str()).collect();
    assert_eq!(found, ["unknown key `helm-verson`: did you mean `helm-version`?", "`gone.yaml` does not exist"]);
}

#[test]
fn a_section_of_the_wrong_shape_is_no_silence() {
    let config = "rules = \"off\"\nrule-options = 3\n[stack]\nname = \"x\"\n[override]\npaths = [\"a\"]\n";
    let project = read(&[("runnerlint.toml", config), ("values.yaml", ARC)], &["."]);
    let found: Vec<_> = project.diagnostics.iter().map(|found| found.message.as_str()).collect();
    assert_eq!(
        found,
        [
            "`rules` must be a table",
            "`rule-options` must be a table",
            "`stack` must be a list of tables: write `[[stack]]`",
            "`override` must be a list of tables: write `[[override]]`",
        ]
    );
}

#[test]
fn stdin_has_the_configuration_of_its_folder_once() {
    let folder = tree(&[("runnerlint.toml", "helm-verson = \"3\"\n"), ("sub/x", "")]);
    let stdin = Some(("values.yaml".to_owned(), ARC.as_bytes().to_vec()));
    for directory in [folder.path().to_path_buf(), folder.path().join("sub")] {
        let request = Request { directory, stdin: stdin.clone(), ..Request::default() };
        let project = load(&request, &[]).unwrap();
        assert_eq!(project.diagnostics.len(), 1);
        assert!(project.files[0].config.is_some());
        assert_eq!(project.sources.get(project.files[0].source).unwrap().name, "values.yaml");
    }
}

#[test]
fn a_chart_folder_is_the_lowest_layer_of_its_overlays() {
    let chart = "apiVersion: v2\nname: mine\nversion: 1.0.0\ndependencies:\n  - name: gha-runner-scale-set\n    \
                 version: 0.13.1\n    repository: oci://ghcr.io/actions\n    alias: linux\n";
    let files = [
        ("ci/Chart.yaml", chart),
        ("ci/values.yaml", "linux:\n  minRunners: 1\n"),
        ("ci/values-prod.yaml", "linux:\n  minRunners: 2\n"),
    ];
    let project = read(&files, &["."]);
    assert_eq!(names(&project), ["ci/values-prod.yaml"]);
    let stack = &project.stacks[0];
    assert_eq!(stack.parts[0].prefix, ["linux"]);
    assert_eq!(stack.parts[0].chart.version.as_ref().unwrap().to_string(), "0.13.1");
    assert!(stack.merged.values.at(&["linux", "template", "spec", "containers"]).is_some(), "the known defaults");
    assert_eq!(stack.merged.values.at(&["linux", "minRunners"]).unwrap().as_f64(), Some(2.0));
}

#[test]
fn files_without_a_word_are_no_stack() {
    let chart =
        "apiVersion: v2\nname: a\nversion: 1.0.0\ndependencies:\n  - {name: gha-runner-scale-set, version: 0.14.2}\n";
    let base = [("a/Chart.yaml", chart), ("a/values.yaml", "# Its values come with the release.\n")];
    assert!(names(&read(&base, &["."])).is_empty());
    let overlay = ("a/values-prod.yaml", "gha-runner-scale-set: {maxRunners: 2}\n");
    assert_eq!(names(&read(&[base.as_slice(), &[overlay]].concat(), &["."])), ["a/values-prod.yaml"]);
    let release = |values: &str| {
        format!(
            "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {{name: linux}}\nspec:\n  source:\n    chart: gha-runner-scale-set\n    targetRevision: 0.14.2\n    helm:\n      values: |\n        {values}\n"
        )
    };
    assert!(names(&read(&[("app.yaml", &release("# none"))], &["."])).is_empty());
    assert_eq!(names(&read(&[("app.yaml", &release("maxRunners: 2"))], &["."])), ["app.yaml: linux"]);
}

#[test]
fn blocks_of_an_umbrella_are_known_by_their_marks() {
    let block: String = ARC.lines().map(|line| format!("  {line}\n")).collect();
    let project = read(&[("values.yaml", &format!("a:\n{block}b:\n{block}c: 1\n"))], &["."]);
    let prefixes: Vec<_> = project.stacks[0].parts.iter().map(|part| part.prefix.join(".")).collect();
    assert_eq!(prefixes, ["a", "b"]);
    assert!(project.stacks[0].merged.values.at(&["b", "template", "spec", "containers"]).is_some());
}

#[test]
fn files_are_known_by_content_then_by_name() {
    let files = [
        (".github/workflows/ci.yml", "jobs: {}\n"),
        (".gitlab-ci.yml", "job: {script: [x]}\n"),
        ("config.toml", "[[runners]]\nname = \"a\"\n"),
        ("manifest.yaml", "a: 1\n---\napiVersion: v1\nkind: Pod\n"),
        ("other.toml", "a = 1\n"),
        ("mkdocs.yml", "site_name: x\n"),
        ("runner.yaml", ARC),
        ("values.yaml", "a: 1\n"),
    ];
    let project = read(&files, &["."]);
    let kinds: Vec<_> = project.files.iter().map(|file| file.kind).collect();
    use FileKind::{Manifest, Other, Pipeline, RunnerConfig, Values, Workflow};
    assert_eq!(kinds, [Workflow, Pipeline, RunnerConfig, Manifest, Other, Other, Values, Values]);
    assert_eq!(project.counts.files, 6);
    assert_eq!((project.pipelines.len(), project.runner_configs.len()), (1, 1));
}

#[test]
fn ignored_and_excluded_files_are_not_read() {
    let files = [
        (".gitignore", "ignored/\n"),
        ("runnerlint.toml", "exclude = [\"vendor/**\"]\n"),
        ("ignored/values.yaml", ARC),
        ("vendor/values.yaml", ARC),
        (".git/values.yaml", ARC),
        ("values.yaml", ARC),
    ];
    assert_eq!(names(&read(&files, &["."])), ["values.yaml"]);
    assert_eq!(names(&read(&files, &["vendor/values.yaml"])), ["vendor/values.yaml"]);
}

#[test]
fn one_broken_file_loses_nothing_else() {
    let files = [
        ("a/values.yaml", "a: [\n"),
        ("b/values.yaml", "a: 1\na: 2\n"),
        ("c/values.yaml", ARC),
        ("d.yaml", "a: ["),
        ("e.yaml", "githubConfigUrl: x\na: ["),
    ];
    let project = read(&files, &["."]);
    let broken = |name| ("meta/syntax-error", name);
    assert_eq!(rules(&project), [broken("a/values.yaml"), ("meta/duplicate-key", "b/values.yaml"), broken("e.yaml")]);
    assert_eq!(names(&project), ["b/values.yaml", "c/values.yaml"]);
}

#[test]
fn templates_and_encrypted_files_are_said_and_no_errors() {
    let folder = tree(&[
        ("chart/templates/values.yaml", "{{- if .x }}\na: {{ .y }}\n{{- end }}\n"),
        ("host/values.yaml", "githubConfigUrl: {{ url }}\nmaxRunners: {{ max }}\n"),
        ("values.yaml", ARC),
    ]);
    std::fs::write(folder.path().join("values-secret.yaml"), b"\0GITCRYPT\0\x12\xff").unwrap();
    let project = load(&request(folder.path(), &["."]), &[]).unwrap();
    assert!(project.diagnostics.is_empty());
    assert_eq!(project.notes.len(), 3, "{:?}", project.notes);
}

#[test]
fn bytes_that_are_no_text_are_said_at_their_place() {
    let folder = tree(&[]);
    std::fs::write(folder.path().join("values.yaml"), b"a: 1\nb: \xff\n").unwrap();
    let project = load(&request(folder.path(), &["."]), &[]).unwrap();
    assert_eq!(rules(&project), [("meta/unreadable-file", "values.yaml")]);
    assert_eq!(project.diagnostics[0].primary.as_ref().unwrap().location.span.start, 8);
}

#[test]
fn an_explicit_stack_is_all_that_is_looked_at() {
    let folder = tree(&[("a.yaml", ARC), ("b.yaml", "maxRunners: 3\n"), ("values.yaml", ARC)]);
    let stack = ExplicitStack {
        files: vec!["a.yaml".to_owned(), "b.yaml".to_owned()],
        flags: vec![(FlagKind::Set, "maxRunners=4".to_owned())],
        chart: Some("gha-runner-scale-set@0.13.0".to_owned()),
        ..ExplicitStack::default()
    };
    let request = Request { stack: Some(stack), ..request(folder.path(), &[]) };
    let project = load(&request, &[]).unwrap();
    assert_eq!(layers(&project.stacks[0])[0], "chart:gha-runner-scale-set@0.13.0");
    assert_eq!(project.stacks[0].merged.values.get("maxRunners").unwrap().as_f64(), Some(4.0));
    assert_eq!(project.stacks.len(), 1);
}

#[test]
fn what_is_named_must_be_there() {
    let folder = tree(&[]);
    let gone = |request: Request| assert!(matches!(load(&request, &[]), Err(LoadError(_))));
    gone(request(folder.path(), &["gone.yaml"]));
    gone(Request { config: ConfigChoice::File("gone.toml".into()), ..request(folder.path(), &["."]) });
    let stack = ExplicitStack { files: vec!["gone.yaml".to_owned()], ..ExplicitStack::default() };
    gone(Request { stack: Some(stack), ..request(folder.path(), &[]) });
}

#[test]
fn runner_configs_are_read_out_of_values_config_maps_and_secrets() {
    let map =
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: r}\ndata:\n  config.template.toml: |\n    [[runners]]\n";
    let secret = "apiVersion: v1\nkind: Secret\nmetadata: {name: r}\nstringData:\n  config.toml: |\n    [[runners]]\n\
                  data: {config.template.toml: W1tydW5uZXJzXV0K}\n";
    let files = [("values.yaml", GITLAB), ("rendered.yaml", map), ("secret.yaml", secret)];
    let project = read(&files, &["."]);
    assert_eq!(project.runner_configs.len(), 3);
    assert_eq!(project.counts.embedded, 3);
}

#[test]
fn a_stack_with_a_layer_that_cannot_be_read_is_not_judged() {
    let template = "{{- if .x }}\na: 1\n{{- end }}\n";
    let files = [("a/values.yaml", template), ("a/values-prod.yaml", ARC), ("b/values.yaml.gotmpl", template)];
    let project = read(&[files.as_slice(), &[("b/values-prod.yaml", ARC), ("c/values.yaml", ARC)]].concat(), &["."]);
    assert_eq!(names(&project), ["c/values.yaml"]);
    let said: Vec<_> = project.notes.iter().filter(|note| note.contains("not judged")).collect();
    assert_eq!(said.len(), 2, "{said:?}");
    let config = "[[stack]]\nname = \"prod\"\nvalues = [\"base.yaml\", \"prod.yaml\"]\n";
    let files = [("runnerlint.toml", config), ("base.yaml", template), ("prod.yaml", ARC)];
    assert!(read(&files, &["."]).stacks.is_empty());
}

#[test]
fn an_excluded_layer_still_belongs_to_its_stack() {
    let config = "exclude = [\"base/**\"]\n[[stack]]\nname = \"prod\"\nvalues = [\"base/a.yaml\", \"b.yaml\"]\n";
    let files = [("runnerlint.toml", config), ("base/a.yaml", ARC), ("base/values.yaml", ARC), ("b.yaml", "a: 1\n")];
    let project = read(&files, &["."]);
    assert_eq!(names(&project), ["prod"]);
    assert_eq!(layers(&project.stacks[0])[1..], ["base/a.yaml", "b.yaml"]);
}

#[test]
fn arguments_that_helm_refuses_are_said_where_they_stand() {
    let config = "[[stack]]\nvalues = [\"values.yaml\"]\nset = [\"maxRunners=2\"]\nset-file = [\"a=gone.txt\"]\n";
    let project = read(&[("runnerlint.toml", config), ("values.yaml", ARC)], &["."]);
    assert_eq!(rules(&project), [("meta/invalid-config", "runnerlint.toml")]);
    let at = project.diagnostics[0].primary.as_ref().unwrap().location;
    assert_eq!(at.span.slice(config), "\"a=gone.txt\"");
}

#[test]
fn a_chosen_stack_is_the_only_one_and_must_be_there() {
    let config =
        "[[stack]]\nname = \"prod\"\nvalues = [\"a.yaml\"]\n[[stack]]\nname = \"dev\"\nvalues = [\"b.yaml\"]\n";
    let folder = tree(&[("runnerlint.toml", config), ("a.yaml", ARC), ("b.yaml", ARC), ("c/values.yaml", ARC)]);
    let chosen = |name: &str| Request { only_stack: Some(name.to_owned()), ..request(folder.path(), &["."]) };
    assert_eq!(names(&load(&chosen("prod"), &[]).unwrap()), ["prod"]);
    let LoadError(message) = load(&chosen("prd"), &[]).unwrap_err();
    assert!(message.ends_with("did you mean `prod`?"), "{message}");
}

#[test]
fn keys_that_collide_by_chance_are_said_once() {
    let project = read(&[("values.yaml", "1: a\n\"1\": b\n")], &["."]);
    assert_eq!(rules(&project).len(), 1);
    assert!(project.diagnostics[0].message.contains("chance"));
}

#[test]
fn items_of_a_list_are_objects() {
    let list = "apiVersion: v1\nkind: List\nitems:\n  - apiVersion: v1\n    kind: ConfigMap\n    data:\n      \
                config.toml: |\n        [[runners]]\n  - apiVersion: actions.github.com/v1alpha1\n    \
                kind: AutoscalingRunnerSet\n  - {kind: x}\n";
    let project = read(&[("list.yaml", list)], &["."]);
    assert_eq!((project.objects.len(), project.runner_configs.len()), (2, 1));
}

#[test]
fn the_values_of_a_configured_chart_are_read_once() {
    let chart = "apiVersion: v2\nname: gitlab-runner\nversion: 0.70.0\n";
    let config = "[[stack]]\nname = \"prod\"\nchart = \"./chart\"\nvalues = [\"prod.yaml\"]\n";
    let files = [
        ("runnerlint.toml", config),
        ("chart/Chart.yaml", chart),
        ("chart/values.yaml", GITLAB),
        ("prod.yaml", "concurrent: 4\n"),
    ];
    let project = read(&files, &["."]);
    assert_eq!(names(&project), ["prod"]);
    assert_eq!(project.runner_configs.len(), 1);
    let source = project.runner_configs[0].document.source;
    assert_eq!(project.file(source).unwrap().path.file_name().unwrap(), "values.yaml");
    assert_eq!(names(&read(&files, &["chart/values.yaml"])), ["prod"]);
}

#[test]
fn a_glob_may_name_a_folder() {
    for glob in ["vendor", "vendor/", "vendor/**", "**/values.yaml"] {
        let config = format!("exclude = [\"{glob}\"]\n");
        let files = [("runnerlint.toml", config.as_str()), ("vendor/a/values.yaml", ARC), ("vendored.yaml", ARC)];
        assert_eq!(names(&read(&files, &["."])), ["vendored.yaml"], "{glob}");
    }
}

#[test]
fn a_layer_may_come_from_stdin() {
    let folder = tree(&[("base.yaml", ARC)]);
    let files = vec!["base.yaml".to_owned(), "<stdin>".to_owned()];
    let stack = Some(ExplicitStack { files, ..ExplicitStack::default() });
    let stdin = Some(("<stdin>".to_owned(), b"maxRunners: 8\n".to_vec()));
    let project = load(&Request { stack, stdin, ..request(folder.path(), &[]) }, &[]).unwrap();
    assert_eq!(project.stacks[0].merged.values.get("maxRunners").unwrap().as_f64(), Some(8.0));
}

#[test]
fn what_pipelines_include_is_a_pipeline() {
    let files = [
        (
            ".gitlab-ci.yml",
            "include: [/ci/a.yml, {local: \"parts/*.yml\"}, {remote: \"https://x/ci/z.yml\"}, \"$X.yml\"]\n",
        ),
        ("ci/a.yml", "include: {local: ci/b.yml}\nx: {script: [y]}\nx: {script: [z]}\n"),
        ("ci/b.yml", "child: {trigger: {include: ci/a.yml}}\n"),
        ("ci/z.yml", "a: 1\n"),
        ("parts/c.yml", "y: {extends: .z}\n"),
        ("parts/deep/d.yml", "a: 1\n"),
    ];
    let project = read(&files, &["."]);
    let kinds: Vec<_> = project.files.iter().map(|file| file.kind).collect();
    use FileKind::{Other, Pipeline};
    assert_eq!(kinds, [Pipeline, Pipeline, Pipeline, Other, Pipeline, Other]);
    assert_eq!(rules(&project), [("meta/duplicate-key", "ci/a.yml")]);
}

#[test]
fn names_are_relative_to_the_folder_of_the_run() {
    let shown = |path: &str| relative(Path::new(path), Path::new("/a/b"));
    let paths = ["/a/b/c/d.yaml", "/a/b", "/a/c.yaml", "/x/y.yaml", "<stdin>"];
    assert_eq!(paths.map(shown), ["c/d.yaml", ".", "../c.yaml", "../../x/y.yaml", "<stdin>"]);
}

#[test]
fn a_configured_stack_over_a_charts_own_values_has_that_chart() {
    let chart = "apiVersion: v2\nname: mine\nversion: 1.0.0\ndependencies:\n  - {name: gha-runner-scale-set, version: 0.13.1}\n";
    let config = "[[stack]]\nvalues = [\"values.yaml\", \"prod.yaml\"]\n";
    let files = [
        ("runnerlint.toml", config),
        ("Chart.yaml", chart),
        ("values.yaml", "gha-runner-scale-set: {minRunners: 1}\n"),
        ("prod.yaml", "a: 1\n"),
    ];
    let project = read(&files, &["."]);
    assert_eq!(project.stacks[0].parts[0].prefix, ["gha-runner-scale-set"]);
}

#[test]
fn a_version_that_is_none_is_said() {
    let config = "[[stack]]\nchart = \"gitlab-runner@newest\"\nvalues = [\"values.yaml\"]\n";
    let project = read(&[("runnerlint.toml", config), ("values.yaml", GITLAB)], &["."]);
    assert_eq!(rules(&project), [("meta/invalid-config", "runnerlint.toml")]);
}
