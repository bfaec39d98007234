//! The GitHub that runners serve, and what it asks of them.

use super::{Field, Home, Pod, is_templated};

/// Whose rules for old runners hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Github {
    /// github.com; so it is where nothing is said.
    Com,
    /// github.com with data residency: a host under `ghe.com`.
    DataResidency,
    /// A server of one's own, with rules of its own.
    Server,
    /// Templated.
    Unknown,
}

impl Github {
    /// Reads `githubConfigUrl`, as the controller tells hosts apart.
    fn of_url(text: &str) -> Self {
        let rest = text.split_once("://").map_or(text, |(_, rest)| rest);
        let host = rest.split(['/', ':']).next().unwrap_or(rest).to_ascii_lowercase();
        match host.as_str() {
            "" if rest.is_empty() => Self::Com,
            "" => Self::Unknown,
            // The rest of the address may hold placeholders.
            host if is_templated(host) || is_templated(text) && !rest.contains('/') => Self::Unknown,
            "github.com" | "www.github.com" => Self::Com,
            host if host.ends_with(".ghe.com") => Self::DataResidency,
            _ => Self::Server,
        }
    }
}

impl Pod<'_> {
    /// The GitHub that its runners serve.
    pub fn github(&self) -> Github {
        let url = match &self.home {
            Home::Values(_, part) => part.settings.get("githubConfigUrl"),
            Home::Object(object) => {
                let nested = || object.value.at(&["spec", "ephemeralRunnerSpec", "githubConfigUrl"]);
                object.value.at(&["spec", "githubConfigUrl"]).or_else(nested)
            }
            Home::File => None,
        };
        url.and_then(|url| url.as_str()).map_or(Github::Com, Github::of_url)
    }

    /// Whether the runner replaces itself by newer versions; none where that cannot be known.
    pub fn updates_itself(&self) -> Option<bool> {
        if self.legacy().is_none() {
            // Scale sets are registered with updates switched off.
            return Some(false);
        }
        match self.runner()?.env_value("DISABLE_RUNNER_UPDATE") {
            Field::Absent => Some(true),
            Field::Present(value, _) => Some(value != "true"),
            Field::WrongShape(_) | Field::Unknown(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Github;

    #[test]
    fn hosts_are_told_apart_as_the_controller_does() {
        for (url, github) in [
            ("https://github.com/acme", Github::Com),
            ("https://GitHub.com/acme", Github::Com),
            ("https://www.github.com/acme", Github::Com),
            ("https://github.com/${ORG}", Github::Com),
            ("", Github::Com),
            ("https://acme.ghe.com/acme", Github::DataResidency),
            ("https://github.acme.example:8443/acme", Github::Server),
            ("https://ghe.com.acme.example/acme", Github::Server),
            ("https://${HOST}/acme", Github::Unknown),
            ("${URL}", Github::Unknown),
            ("https:///acme", Github::Unknown),
        ] {
            assert_eq!(Github::of_url(url), github, "{url}");
        }
    }
}
