//! Reading, merging, and the whole check; each at growing sizes, so that a cost that is not linear shows.
//!
//! `cargo bench`; the throughput column is comparable over the sizes of one bench.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod fleet;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use divan::counter::BytesCount;
use divan::{Bencher, black_box};
use jiff::civil::date;
use runnerlint::project::{self, Request};
use runnerlint::syntax::{Trees, yaml};
use runnerlint::text::{Encoding, SourceId, Sources};
use runnerlint::values::{Chart, HelmVersion, StackInput, ValuesFile, merge};
use runnerlint::{lint, rules};
use tempfile::TempDir;

#[global_allocator]
static ALLOCATOR: divan::AllocProfiler = divan::AllocProfiler::system();

const MEGABYTE: usize = 1_000_000;

fn main() {
    divan::main();
}

/// Megabytes of rendered documents.
#[divan::bench(args = [1, 2, 5, 10], sample_count = 10)]
fn read_rendered(bencher: Bencher<'_, '_>, megabytes: usize) {
    let text: Arc<str> = fleet::rendered(megabytes * MEGABYTE).into();
    bencher.counter(BytesCount::of_str(&*text)).bench_local(|| yaml::parse(Arc::clone(&text), SourceId(0)));
}

/// Inputs that a careless reader is slow on, this many times each.
#[divan::bench(args = [10_000, 20_000, 40_000], sample_count = 10)]
fn read_traps(bencher: Bencher<'_, '_>, times: usize) {
    let traps =
        ["[a,", "? - ", "a: # c\n", "---\n- '\n", "&a a: *a\n", "a: b: c\n---\n"].map(|trap| trap.repeat(times));
    let size = traps.iter().map(String::len).sum::<usize>();
    bencher.counter(BytesCount::new(size)).bench_local(|| {
        for trap in &traps {
            black_box(yaml::parse(trap.as_str().into(), SourceId(0)));
        }
    });
}

/// The same through the whole tool, output aside.
#[divan::bench(args = [1, 2, 5, 10], sample_count = 10)]
fn check_rendered(bencher: Bencher<'_, '_>, megabytes: usize) {
    let folder = tempfile::tempdir().unwrap();
    let text = fleet::rendered(megabytes * MEGABYTE);
    std::fs::write(folder.path().join("rendered.yaml"), &text).unwrap();
    bencher.counter(BytesCount::of_str(&text)).bench_local(|| check(folder.path()));
}

/// Megabytes of runners in one `config.toml`.
#[divan::bench(args = [1, 2, 5, 10], sample_count = 10)]
fn check_runner_config(bencher: Bencher<'_, '_>, megabytes: usize) {
    let folder = tempfile::tempdir().unwrap();
    let text = fleet::runner_config(megabytes * MEGABYTE);
    std::fs::write(folder.path().join("config.toml"), &text).unwrap();
    bencher.counter(BytesCount::of_str(&text)).bench_local(|| check(folder.path()));
}

/// Number of overlays over one base of two containers with ten variables each.
#[divan::bench(args = [2, 4, 8, 16], sample_count = 20)]
fn merge_layers(bencher: Bencher<'_, '_>, layers: usize) {
    let mut sources = Sources::default();
    let mut trees = Trees::default();
    let mut add = |name: String, text: String| {
        let source = sources.add(name.clone(), text.as_str(), Encoding::Utf8, true);
        ValuesFile { name, tree: trees.add(yaml::parse(text.into(), source)) }
    };
    let chart = add("chart".to_owned(), fleet::overlay_pair(0).0);
    let files: Vec<_> = (0..layers).map(|n| add(format!("values-{n}.yaml"), fleet::overlay_pair(n).0)).collect();
    let chart = Chart::of_defaults("gha-runner-scale-set", "0.14.2", chart.tree);
    let input =
        StackInput { chart: Some(&chart), files: &files, helm: HelmVersion::default(), ..StackInput::default() };
    bencher.counter(layers).bench_local(|| merge(black_box(&input), &trees));
}

/// Small values files, half of them overlays.
#[divan::bench(args = [500, 1000, 2500, 5000], sample_count = 10)]
fn check_small_files(bencher: Bencher<'_, '_>, files: usize) {
    let folder = small_files(files);
    bencher.counter(files).bench_local(|| check(folder.path()));
}

/// The whole process on five files, as a hook runs it.
#[divan::bench(sample_count = 30)]
fn process_on_five_files(bencher: Bencher<'_, '_>) {
    let folder = small_files(6);
    let files: Vec<PathBuf> = files_below(folder.path()).into_iter().take(5).collect();
    bencher.bench_local(|| {
        let output = Command::new(env!("CARGO_BIN_EXE_runnerlint"))
            .arg("check")
            .args(&files)
            .current_dir(folder.path())
            .output()
            .unwrap();
        assert!(output.status.code().is_some_and(|code| code <= 1));
    });
}

fn check(folder: &Path) -> lint::Report {
    let request = Request { directory: folder.to_path_buf(), paths: vec![".".into()], ..Request::default() };
    let metas: Vec<_> = rules::all().iter().map(|rule| &rule.meta).collect();
    let project = project::load(&request, &metas).unwrap();
    let options = lint::Options {
        today: date(2026, 12, 1),
        as_of: None,
        kube_version: None,
        gitlab_runner_version: None,
        node_pools_closed: None,
        selection: lint::Selection::default(),
    };
    lint::run(&project, &options, rules::all())
}

fn small_files(files: usize) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for n in 0..files / 2 {
        let group = folder.path().join(format!("group-{:02}", n % 50)).join(format!("set-{n}"));
        std::fs::create_dir_all(&group).unwrap();
        let (base, overlay) = fleet::overlay_pair(n);
        std::fs::write(group.join("values.yaml"), base).unwrap();
        std::fs::write(group.join("values-prod.yaml"), overlay).unwrap();
    }
    folder
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let entries = walkdir::WalkDir::new(folder).sort_by_file_name().into_iter().map(|entry| entry.unwrap());
    entries.filter(|entry| entry.file_type().is_file()).map(walkdir::DirEntry::into_path).collect()
}
