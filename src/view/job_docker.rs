//! Docker daemons that a pipeline's job starts as services, and how it reaches them.

use super::{Field, Image, Job, Service};
use crate::values::Value;

/// Before this one no image of Docker's made certificates.
const TLS_SINCE: (u64, u64) = (19, 3);

/// How a daemon listens for clients on the network.
#[derive(Debug, Clone, PartialEq)]
pub enum Listens<'a> {
    /// On 2376 with TLS, its certificates in a folder; none where that is not known.
    Tls(Option<String>, &'a Value),
    /// On 2375 without TLS; the value says it, where something does.
    Plain(Option<&'a Value>),
    /// Not known.
    Unknown,
}

impl<'a> Service<'a> {
    /// Whether it starts a Docker daemon that needs a privileged container.
    pub fn is_docker_daemon(self) -> bool {
        let rootless = ["rootless", "sysbox"].iter().any(|word| self.image.contains(word));
        self.starts_docker() && !rootless
    }

    /// Whether it starts a Docker daemon, with or without rights.
    pub fn starts_docker(self) -> bool {
        let (name, tag) = split_image(self.image);
        let is_docker = name.rsplit('/').next() == Some("docker");
        let is_dind = tag == "dind" || tag.ends_with("-dind") || tag.contains("-dind-") || tag.starts_with("dind-");
        let starts = |key: &str| Some(words(self.value.get(key)?).iter().any(|word| word.contains("dockerd")));
        let daemon = match (starts("entrypoint"), starts("command")) {
            (Some(daemon), _) => daemon,
            (None, Some(true)) => true,
            (None, _) => is_dind,
        };
        is_docker && daemon
    }

    /// Whether a job reaches it under a host name. In a pod, services share the job's own address.
    pub fn answers_to(self, host: &str) -> bool {
        let (name, _) = split_image(self.image);
        let aliases = self.value.get("alias").and_then(Value::as_str).unwrap_or_default();
        let is_alias = aliases.split([',', ' ']).any(|alias| alias == host);
        let is_own = [name.replace('/', "__"), name.replace('/', "-")].iter().any(|name| name == host);
        is_alias || is_own || matches!(host, "localhost" | "127.0.0.1")
    }

    /// Whether it leaves it to the image how the daemon listens.
    fn listens_by_default(self) -> bool {
        let command = self.value.get("command").map(words).unwrap_or_default();
        let is_option =
            |word: &&str| word.starts_with("--") && !["--tls", "--host"].iter().any(|it| word.starts_with(it));
        self.value.get("entrypoint").is_none()
            && command.first().is_none_or(is_option)
            && command.iter().all(|word| is_option(word) || !word.starts_with('-') && !word.contains("tcp://"))
    }
}

impl<'a> Job<'a> {
    /// The host and port of the daemon that the job's variables lead to.
    pub fn docker_host(self) -> Field<'a, (String, u16)> {
        self.expanded("DOCKER_HOST").and_then(|text| {
            let (host, port) = text.strip_prefix("tcp://")?.trim_end_matches('/').rsplit_once(':')?;
            Some((host.to_owned(), port.parse().ok()?))
        })
    }

    /// How a Docker daemon among its services listens.
    pub fn listens(self, service: Service<'a>) -> Listens<'a> {
        if !service.listens_by_default() {
            return Listens::Unknown;
        }
        let (folder, value) = match self.service_variable(service, "DOCKER_TLS_CERTDIR") {
            Field::Present(folder, value) if folder.is_empty() => return Listens::Plain(Some(value)),
            Field::Present(folder, value) => (Some(folder), value),
            // Whatever `$CI_PROJECT_DIR/certs` is, it is not empty.
            Field::Unknown(Some(value)) if value.as_str().is_some_and(|text| text.contains('/')) => (None, value),
            _ => return Listens::Unknown,
        };
        match self.expand(service.image).as_deref().and_then(Image::parse) {
            Some(image) if version(&image).is_some_and(|version| version < TLS_SINCE) => Listens::Plain(None),
            Some(_) => Listens::Tls(folder, value),
            None => Listens::Unknown,
        }
    }
}

/// Major and minor version of the Docker that an image's tag names.
fn version(image: &Image<'_>) -> Option<(u64, u64)> {
    let mut numbers = image.tag?.split(['.', '-']).map_while(|part| part.parse::<u64>().ok());
    let major = numbers.next()?;
    Some((major, numbers.next().unwrap_or(u64::MAX)))
}

/// The words of a command: a list, or in short a text.
fn words(command: &Value) -> Vec<&str> {
    command.as_str().into_iter().chain(command.items().filter_map(Value::as_str)).collect()
}

/// Name and tag of an image, without its digest.
fn split_image(image: &str) -> (&str, &str) {
    let image = image.split('@').next().unwrap_or(image);
    match image.rsplit_once(':') {
        Some((name, tag)) if !tag.contains('/') => (name, tag),
        _ => (image, ""),
    }
}
