//! Image references: `[registry/]repository[:tag][@digest]`.

use semver::Version;

use super::is_templated;

/// An image reference, cut into its parts as the container runtimes cut it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Image<'a> {
    /// Host, with a port if there is one; none: the runtime's default.
    pub registry: Option<&'a str>,
    /// Path under the registry, without the tag.
    pub repository: &'a str,
    /// Tag.
    pub tag: Option<&'a str>,
    /// `algorithm:hex`.
    pub digest: Option<&'a str>,
}

impl<'a> Image<'a> {
    /// Reads a reference; none for what is no reference or cannot be known.
    pub fn parse(text: &'a str) -> Option<Self> {
        if text.is_empty() || is_templated(text) || text.contains(char::is_whitespace) {
            return None;
        }
        let (rest, digest) = match text.split_once('@') {
            Some((rest, digest)) => (rest, Some(digest)),
            None => (text, None),
        };
        // A colon before the last slash belongs to the registry's port.
        let (path, tag) = match rest.rsplit_once(':') {
            Some((path, tag)) if !tag.contains('/') => (path, Some(tag)),
            _ => (rest, None),
        };
        let (registry, repository) = match path.split_once('/') {
            Some((first, repository)) if is_registry(first) => (Some(first), repository),
            _ => (None, path),
        };
        let whole = [Some(repository), tag, digest].into_iter().flatten().all(|part| !part.is_empty());
        whole.then_some(Self { registry, repository, tag, digest })
    }

    /// The last word of the repository.
    pub fn name(&self) -> &'a str {
        self.repository.rsplit('/').next().unwrap_or(self.repository)
    }

    /// The version of the Actions runner in it, where name and tag say so (`2.336.0`,
    /// `v2.325.0-ubuntu-22.04`). Whether there is such a release is for the caller to find out.
    pub fn runner_version(&self) -> Option<Version> {
        self.tag_version().filter(|_| self.name().starts_with("actions-runner"))
    }

    /// The version that the tag starts with, after an optional `v`: `1.2.3` of `v1.2.3-alpine`.
    pub fn tag_version(&self) -> Option<Version> {
        let tag = self.tag?;
        Version::parse(tag.strip_prefix('v').unwrap_or(tag).split('-').next()?).ok()
    }

    /// Whether nodes may hold different images under the same reference.
    pub fn is_latest(&self) -> bool {
        self.digest.is_none() && self.tag.is_none_or(|tag| tag == "latest")
    }

    /// Whether it can only have been built on the nodes: no registry offers it under this name.
    pub fn is_local(&self) -> bool {
        self.registry == Some("localhost") || (self.registry.is_none() && !self.repository.contains('/'))
    }

    /// Whether it comes from Docker Hub.
    pub fn is_of_docker_hub(&self) -> bool {
        self.registry.is_none_or(|host| ["docker.io", "index.docker.io", "registry-1.docker.io"].contains(&host))
    }
}

/// The first word of a path is a host only if it looks like one.
fn is_registry(word: &str) -> bool {
    word == "localhost" || word.contains(['.', ':'])
}

#[cfg(test)]
mod tests {
    use super::Image;

    /// Registry, repository, tag and digest, a dash for what is not there.
    fn parts(text: &str) -> Option<[&str; 4]> {
        Image::parse(text).map(|image| {
            let or_dash = |part: Option<_>| part.unwrap_or("-");
            [or_dash(image.registry), image.repository, or_dash(image.tag), or_dash(image.digest)]
        })
    }

    #[test]
    fn references_are_cut_as_runtimes_cut_them() {
        assert_eq!(parts("docker"), Some(["-", "docker", "-", "-"]));
        assert_eq!(parts("docker:27-dind"), Some(["-", "docker", "27-dind", "-"]));
        assert_eq!(parts("acme/runner"), Some(["-", "acme/runner", "-", "-"]));
        let pinned = "ghcr.io/actions/actions-runner:2.336.0@sha256:ab";
        assert_eq!(parts(pinned), Some(["ghcr.io", "actions/actions-runner", "2.336.0", "sha256:ab"]));
        assert_eq!(parts("reg:5000/a/b"), Some(["reg:5000", "a/b", "-", "-"]));
        assert_eq!(parts("localhost/a:1"), Some(["localhost", "a", "1", "-"]));
    }

    #[test]
    fn tags_of_runner_images_hold_the_version() {
        let version = |text| Image::parse(text).unwrap().runner_version().map(|version| version.to_string());
        assert_eq!(version("ghcr.io/actions/actions-runner:2.336.0@sha256:ab").as_deref(), Some("2.336.0"));
        assert_eq!(version("summerwind/actions-runner-dind:v2.325.0-ubuntu-22.04-1ab2").as_deref(), Some("2.325.0"));
        for text in ["actions-runner", "actions-runner:latest", "actions-runner:ubuntu-22.04", "acme/runner:2.336.0"] {
            assert_eq!(version(text), None, "{text}");
        }
    }

    #[test]
    fn floating_and_local_images() {
        let of = |text| Image::parse(text).unwrap();
        assert!(of("acme/runner").is_latest() && of("acme/runner:latest").is_latest());
        assert!(!of("acme/runner:1").is_latest() && !of("acme/runner@sha256:ab").is_latest());
        assert!(of("runner:latest").is_local() && of("localhost/acme/runner").is_local());
        assert!(!of("acme/runner").is_local() && !of("localhost:5000/runner").is_local());
        assert!(of("docker.io/acme/runner").is_of_docker_hub() && !of("ghcr.io/acme/runner").is_of_docker_hub());
    }

    #[test]
    fn what_cannot_be_known_is_no_reference() {
        for text in ["", "a:", "a@", ":1", "${IMAGE}", "{{ .Values.image }}", "a b", "reg:5000/"] {
            assert_eq!(parts(text), None, "{text}");
        }
    }
}
