//! What git says of the past. The only place that runs a program, and only commands that read objects: nothing that
//! looks at the working tree, where attributes and settings of the repository could name programs of their own.

use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use rustc_hash::FxHashMap;

use super::LoadError;

/// A commit of the repository around a folder.
#[derive(Debug)]
pub(super) struct Commit {
    directory: PathBuf,
    /// Path of the folder in the repository: empty, or ending in `/`.
    prefix: String,
    /// Object ids of its files by their path in the repository.
    files: FxHashMap<String, String>,
}

impl Commit {
    /// The commit where `revision` and the present one part, or `revision` itself where they share nothing in view.
    pub(super) fn base(directory: &Path, revision: &str) -> Result<Self, LoadError> {
        let inside = run(directory, &["rev-parse", "--show-prefix"])?;
        if !inside.status.success() {
            return Err(LoadError(format!("--diff-base: {}", complaint(&inside))));
        }
        let unknown = || LoadError(format!("--diff-base: git knows no commit `{revision}` here"));
        // A word with a dash would be an option to git.
        if revision.is_empty() || revision.starts_with('-') {
            return Err(unknown());
        }
        let named = run(directory, &["rev-parse", "--verify", "--quiet", &format!("{revision}^{{commit}}")])?;
        let named = line(&named).ok_or_else(unknown)?;
        let fork = run(directory, &["merge-base", &named, "HEAD"])?;
        let commit = line(&fork).unwrap_or(named);
        let tree = run(directory, &["ls-tree", "-r", "-z", "--full-tree", &commit])?;
        if !tree.status.success() {
            return Err(LoadError(format!("--diff-base: {}", complaint(&tree))));
        }
        Ok(Self {
            directory: directory.to_owned(),
            prefix: String::from_utf8_lossy(&inside.stdout).trim_end_matches(['\r', '\n']).to_owned(),
            files: String::from_utf8_lossy(&tree.stdout).split('\0').filter_map(entry).collect(),
        })
    }

    /// Path in the repository of a file that is named relative to the folder; none if it lies outside.
    pub(super) fn path_of(&self, name: &str) -> Option<String> {
        let mut parts: Vec<&str> = Vec::new();
        for part in self.prefix.split('/').chain(name.split('/')) {
            match part {
                "" | "." => {}
                ".." => drop(parts.pop()?),
                part => parts.push(part),
            }
        }
        (!Path::new(name).is_absolute()).then(|| parts.join("/"))
    }

    /// Whether the commit has a file.
    pub(super) fn has(&self, path: &str) -> bool {
        self.files.contains_key(path)
    }

    /// Files of the commit that are no more, with the same extension as `path`; sorted.
    pub(super) fn deleted_like(&self, path: &str) -> Vec<String> {
        let extension = Path::new(path).extension();
        let up = self.prefix.split('/').filter(|part| !part.is_empty()).count();
        let top = self.directory.join("../".repeat(up));
        let alike = self.files.keys().filter(|other| Path::new(other).extension() == extension);
        let mut gone: Vec<_> = alike.filter(|other| !top.join(other).exists()).cloned().collect();
        gone.sort();
        gone
    }

    /// Bytes of files of the commit, by path; what git cannot read is left out.
    pub(super) fn read(&self, paths: &[String]) -> Result<FxHashMap<String, Vec<u8>>, LoadError> {
        let wanted: Vec<_> = paths.iter().filter_map(|path| Some((path, self.files.get(path)?))).collect();
        if wanted.is_empty() {
            return Ok(FxHashMap::default());
        }
        let failed = |error: std::io::Error| LoadError(format!("--diff-base: git: {error}"));
        let mut command = command(&self.directory, &["cat-file", "--batch"]);
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| missing(&error))?;
        let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
        let ids: String = wanted.iter().map(|(_, id)| format!("{id}\n")).collect();
        // Written beside the reading: either pipe may be full.
        let writer = std::thread::spawn(move || stdin.map(|mut stdin| stdin.write_all(ids.as_bytes())));
        let mut out = BufReader::new(stdout.ok_or_else(|| failed(ErrorKind::BrokenPipe.into()))?);
        let mut found = FxHashMap::default();
        for (path, _) in wanted {
            if let Some(bytes) = blob(&mut out).map_err(failed)? {
                found.insert(path.clone(), bytes);
            }
        }
        let _ = writer.join();
        let _ = child.wait();
        Ok(found)
    }
}

/// One answer of `cat-file --batch`: `ID blob SIZE`, the bytes, a line break; or `ID missing`.
fn blob(out: &mut impl BufRead) -> std::io::Result<Option<Vec<u8>>> {
    let mut head = String::new();
    out.read_line(&mut head)?;
    let Some(size) = head.trim_end().split_once(" blob ").and_then(|(_, size)| size.parse::<u64>().ok()) else {
        return Ok(None);
    };
    let mut bytes = Vec::new();
    out.by_ref().take(size).read_to_end(&mut bytes)?;
    out.read_line(&mut head)?;
    Ok(Some(bytes))
}

/// An entry of `ls-tree -z`: `MODE blob ID\tPATH`. Links and submodules are no files.
fn entry(entry: &str) -> Option<(String, String)> {
    let (head, path) = entry.split_once('\t')?;
    let mut words = head.split(' ');
    let is_file = words.next()?.starts_with("100") && words.next()? == "blob";
    is_file.then_some((path.to_owned(), words.next()?.to_owned()))
}

fn command(directory: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new("git");
    command.current_dir(directory);
    // Neither a pager, nor a helper of the file system, nor a transport of a partial clone.
    command.args(["--no-pager", "--no-replace-objects", "-c", "core.fsmonitor=false"]).args(arguments);
    command.envs([("GIT_NO_LAZY_FETCH", "1"), ("GIT_ALLOW_PROTOCOL", "none"), ("GIT_TERMINAL_PROMPT", "0")]);
    command.envs([("GIT_OPTIONAL_LOCKS", "0"), ("LC_ALL", "C")]);
    command
}

fn run(directory: &Path, arguments: &[&str]) -> Result<Output, LoadError> {
    command(directory, arguments).stdin(Stdio::null()).output().map_err(|error| missing(&error))
}

fn missing(error: &std::io::Error) -> LoadError {
    LoadError(match error.kind() {
        ErrorKind::NotFound => "--diff-base needs the program `git`, and it is not there".to_owned(),
        _ => format!("--diff-base: cannot run `git`: {error}"),
    })
}

/// The one line that was printed, if it went well.
fn line(output: &Output) -> Option<String> {
    let text = String::from_utf8_lossy(&output.stdout);
    let line = text.lines().next()?.trim().to_owned();
    (output.status.success() && !line.is_empty()).then_some(line)
}

/// The first line that git said on stderr.
fn complaint(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stderr);
    let line = text.lines().next().unwrap_or("git failed");
    line.strip_prefix("fatal: ").unwrap_or(line).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn commit(prefix: &str) -> Commit {
        Commit { directory: PathBuf::new(), prefix: prefix.to_owned(), files: FxHashMap::default() }
    }

    #[test]
    fn names_are_paths_in_the_repository() {
        assert_eq!(commit("").path_of("a/b.yaml").as_deref(), Some("a/b.yaml"));
        assert_eq!(commit("x/y/").path_of("b.yaml").as_deref(), Some("x/y/b.yaml"));
        assert_eq!(commit("x/y/").path_of("../../b.yaml").as_deref(), Some("b.yaml"));
        assert_eq!(commit("x/").path_of("../../b.yaml"), None);
        assert_eq!(commit("x/").path_of("/tmp/b.yaml"), None);
    }

    #[test]
    fn only_files_are_entries() {
        assert_eq!(entry("100644 blob 12ab\ta b\tc"), Some(("a b\tc".to_owned(), "12ab".to_owned())));
        assert_eq!(entry("120000 blob 12ab\tlink"), None);
        assert_eq!(entry("160000 commit 12ab\tsub"), None);
    }

    #[test]
    fn answers_of_a_batch() {
        let mut out = "12ab blob 4\na\nb\n\n34cd missing\n56ef blob 0\n\n".as_bytes();
        assert_eq!(blob(&mut out).unwrap(), Some(b"a\nb\n".to_vec()));
        assert_eq!(blob(&mut out).unwrap(), None);
        assert_eq!(blob(&mut out).unwrap(), Some(Vec::new()));
    }
}
