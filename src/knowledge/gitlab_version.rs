//! Versions of GitLab Runner, as far as settings come and go with them.

use std::fmt;

use semver::Version;

/// The minor release of GitLab Runner with which a chart's numbers began to go up in step with the runner's.
/// Each has raised the chart's minor version by one since, as its CHANGELOG says: 0.16 brought 12.10,
/// 0.65 brought 17.0.
const MAJORS: [(u64, Minor, u32); 8] = [
    (6, Minor { major: 12, minor: 0 }, 11),
    (17, Minor { major: 13, minor: 0 }, 13),
    (30, Minor { major: 14, minor: 0 }, 11),
    (41, Minor { major: 15, minor: 0 }, 12),
    (53, Minor { major: 16, minor: 0 }, 12),
    (65, Minor { major: 17, minor: 0 }, 12),
    (77, Minor { major: 18, minor: 0 }, 12),
    (89, Minor { major: 19, minor: 0 }, 12),
];

/// A minor release.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Minor {
    /// The first number.
    pub major: u32,
    /// The second one.
    pub minor: u32,
}

impl Minor {
    /// Reads `18.9`, `v18.9.1`, `18.9.0-rc1`.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.strip_prefix('v').unwrap_or(text);
        let numbers = text.split(['-', '+']).next()?;
        let mut parts = numbers.split('.').map(|part| part.parse::<u32>().ok());
        let (major, minor) = (parts.next()??, parts.next()??);
        let patch = parts.next().is_none_or(|patch| patch.is_some());
        (patch && parts.next().is_none()).then_some(Self { major, minor })
    }

    /// The version that an image's tag says: `alpine-v18.9.0`, `v18.9.0`, `ubuntu-v18.9.0`.
    pub fn of_tag(tag: &str) -> Option<Self> {
        let version = tag.split_once("-v").map_or(tag, |(_, version)| version);
        // `bleeding`, `latest` and a bare `18` are no version.
        Self::parse(version).filter(|_| version.matches('.').count() >= 2)
    }

    /// The version that a release of the chart `gitlab-runner` brings.
    pub fn of_chart(chart: &Version) -> Option<Self> {
        if chart.major != 0 {
            return None;
        }
        let (first, version, count) = MAJORS.iter().rev().find(|(first, ..)| *first <= chart.minor)?;
        let minor = u32::try_from(chart.minor - first).ok()?;
        (minor < *count).then_some(Self { minor, ..*version })
    }
}

impl From<(u32, u32)> for Minor {
    fn from((major, minor): (u32, u32)) -> Self {
        Self { major, minor }
    }
}

impl fmt::Display for Minor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_chart(text: &str) -> Option<String> {
        Minor::of_chart(&Version::parse(text).unwrap()).map(|version| version.to_string())
    }

    #[test]
    fn charts_bring_runners() {
        for (chart, runner) in [
            ("0.12.0", "12.6"),
            ("0.16.1", "12.10"),
            ("0.53.0", "16.0"),
            ("0.64.1", "16.11"),
            ("0.65.0", "17.0"),
            ("0.86.0", "18.9"),
            ("0.88.0", "18.11"),
            ("0.91.0", "19.2"),
        ] {
            assert_eq!(of_chart(chart).as_deref(), Some(runner), "{chart}");
        }
        assert_eq!(of_chart("0.5.0"), None);
        assert_eq!(of_chart("1.0.0"), None);
        assert_eq!(of_chart("0.150.0"), None);
    }

    #[test]
    fn words_are_read() {
        let version = |major, minor| Some(Minor { major, minor });
        assert_eq!(Minor::parse("18.9"), version(18, 9));
        assert_eq!(Minor::parse("v17.11.2-rc1"), version(17, 11));
        for text in ["18", "18.x", "18.9.1.2", "18.9.x", "", "new"] {
            assert_eq!(Minor::parse(text), None, "{text}");
        }
        assert_eq!(Minor::of_tag("alpine-v16.10.0"), version(16, 10));
        assert_eq!(Minor::of_tag("v16.10.0"), version(16, 10));
        assert_eq!(Minor::of_tag("alpine3.19-bleeding"), None);
        assert_eq!(Minor::of_tag("latest"), None);
        assert!(Minor { major: 9, minor: 4 } < Minor { major: 10, minor: 0 });
    }
}
