//! What in a job needs a Docker daemon on its runner.

use super::{Step, WorkflowJob};
use crate::values::Value;

/// Something that a step does with a Docker daemon.
#[derive(Debug, Clone)]
pub struct DockerUse<'a> {
    /// The action as written, or the words of the command.
    pub what: String,
    /// `uses` or `run`.
    pub value: &'a Value,
}

/// Docker's actions that do nothing without a daemon; the others need the client at most.
const ACTIONS: [&str; 4] =
    ["docker/bake-action", "docker/build-push-action", "docker/setup-buildx-action", "docker/setup-qemu-action"];

/// Commands of the client that ask the daemon.
const COMMANDS: [&str; 6] = ["build", "pull", "push", "run", "buildx build", "buildx bake"];

/// Commands of Compose that do.
const COMPOSE: [&str; 6] = ["build", "exec", "pull", "push", "run", "up"];

/// Words by which a step brings a daemon or a builder, leads to one elsewhere, or asks whether there is one.
const ELSEWHERE: [&str; 14] = [
    "DOCKER_HOST",
    "BUILDKIT_HOST",
    "DOCKER_CONTEXT",
    "docker context",
    "dockerd",
    "docker info",
    "docker version",
    "command -v docker",
    "which docker",
    "type docker",
    "driver remote",
    "driver=remote",
    "driver kubernetes",
    "driver=kubernetes",
];

/// Variables that lead the client to a daemon or builder elsewhere.
const VARIABLES: [&str; 4] = ["DOCKER_HOST", "DOCKER_CONTEXT", "BUILDKIT_HOST", "BUILDX_BUILDER"];

impl<'a> WorkflowJob<'a> {
    /// What its steps do with a daemon on the runner; nothing where the job brings a daemon or builder of its own, or may.
    pub fn docker_uses(self) -> Vec<DockerUse<'a>> {
        if self.brings_docker() {
            return Vec::new();
        }
        self.steps().filter_map(Step::docker_use).collect()
    }

    fn brings_docker(self) -> bool {
        let names_docker =
            |value: &Value| texts(value).any(|text| text.contains("docker.sock") || text.contains("podman"));
        let is_daemon =
            |text: &str| text.starts_with("docker:") || ["dind", "buildkit"].iter().any(|word| text.contains(word));
        let has_daemon = |services: &Value| texts(services).any(is_daemon);
        VARIABLES.into_iter().any(|name| self.sets_variable(name))
            || self.container().is_some_and(names_docker)
            || self.services().is_some_and(has_daemon)
            || self.steps().any(Step::brings_docker)
    }
}

impl<'a> Step<'a> {
    fn docker_use(self) -> Option<DockerUse<'a>> {
        if self.is_optional() {
            return None;
        }
        if let Some((script, value)) = self.script() {
            return Some(DockerUse { what: docker_command(script)?, value });
        }
        let action =
            self.action().filter(|action| ACTIONS.iter().any(|name| name.eq_ignore_ascii_case(action.name)))?;
        Some(DockerUse { what: action.value.as_str()?.to_owned(), value: action.value })
    }

    /// Whether it hangs on something by which it can be kept from a runner without Docker.
    fn is_optional(self) -> bool {
        let condition = self.value.get("if").and_then(Value::as_str).unwrap_or_default();
        ["runner.", "vars.", "inputs.", "env.", "matrix."].iter().any(|context| condition.contains(context))
    }

    /// Whether it sets up a daemon or builder, or may.
    fn brings_docker(self) -> bool {
        if let Some((script, _)) = self.script() {
            return ELSEWHERE.iter().any(|word| script.contains(word));
        }
        let with = |key: &str| self.value.at(&["with", key]).and_then(Value::as_str);
        let uses = self.value.get("uses").and_then(Value::as_str).unwrap_or_default().to_ascii_lowercase();
        if uses.starts_with("docker/setup-buildx-action@") {
            // The default starts a container; any other driver, and an expression, may do without.
            return with("endpoint").is_some()
                || with("append").is_some()
                || with("driver").is_some_and(|driver| driver != "docker-container" && driver != "docker");
        }
        let may_set_up = ["docker", "buildx", "buildkit", "depot", "podman"].iter().any(|word| uses.contains(word));
        let is_dockers = uses.starts_with("docker/") && !uses.starts_with("docker/setup-docker-action");
        may_set_up && !is_dockers && !uses.starts_with("docker://")
    }
}

/// The first command of a script that asks a Docker daemon.
fn docker_command(script: &str) -> Option<String> {
    let mut is_continued = false;
    for line in script.lines() {
        // What follows a here-document's beginning may be text, or run elsewhere.
        if line.contains("<<") {
            return None;
        }
        if let Some(command) = command_of(line).filter(|_| !is_continued) {
            return Some(command);
        }
        is_continued = line.trim_end().ends_with('\\');
    }
    None
}

/// The words of a line that is such a command.
fn command_of(line: &str) -> Option<String> {
    let is_before = |word: &&str| matches!(*word, "sudo" | "time" | "exec") || is_assignment(word);
    let words: Vec<&str> = line.split_whitespace().skip_while(is_before).collect();
    let (program, rest) = words.split_first()?;
    let first = rest.first().copied().unwrap_or_default();
    let both = format!("{first} {}", rest.get(1).copied().unwrap_or_default());
    let compose =
        |command: &str| rest.iter().find(|word| COMPOSE.contains(word)).map(|word| format!("{command} {word}"));
    match *program {
        "docker-compose" => compose("docker-compose"),
        "docker" if first == "compose" => compose("docker compose"),
        "docker" if COMMANDS.contains(&first) => Some(format!("docker {first}")),
        "docker" if COMMANDS.contains(&both.as_str()) => Some(format!("docker {both}")),
        _ => None,
    }
}

/// `NAME=value` before a command.
fn is_assignment(word: &str) -> bool {
    let name = word.split_once('=').map_or("", |(name, _)| name);
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// All texts in a value, at any depth.
fn texts(value: &Value) -> Box<dyn Iterator<Item = &str> + '_> {
    let entries = value.entries().map(|(_, value)| value).chain(value.items());
    Box::new(value.as_str().into_iter().chain(entries.flat_map(texts)))
}

#[cfg(test)]
mod tests {
    use super::docker_command;

    #[test]
    fn commands_that_ask_a_daemon() {
        for (script, command) in [
            ("docker build -t a .", "docker build"),
            ("set -e\n  sudo DOCKER_BUILDKIT=1 docker build .", "docker build"),
            ("docker buildx build --push .", "docker buildx build"),
            ("docker compose -f ci.yml up -d", "docker compose up"),
            ("docker-compose run app", "docker-compose run"),
        ] {
            assert_eq!(docker_command(script).as_deref(), Some(command), "{script}");
        }
        for script in [
            "make docker",
            "docker login ghcr.io",
            "docker buildx imagetools create a b",
            "docker manifest push a",
            "docker compose config",
            "echo docker build",
            "ssh host \\\n  docker run a",
            "ssh host <<EOF\ndocker run a\nEOF",
        ] {
            assert_eq!(docker_command(script), None, "{script}");
        }
    }
}
