//! Whose merge to simulate.

/// How nulls are treated; the letters are those of `docs/merge.md`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Family {
    /// ≤ 3.12: coalescing writes into the charts' own defaults.
    A,
    /// 3.13–3.17.0.
    B,
    /// 3.17.1–3.19.4.
    C,
    /// 3.19.5–3.20.0, 4.0.0–4.1.2.
    D,
    /// 3.20.1–3.x, 4.1.3–4.1.x.
    E,
    /// 4.2.0 on.
    F,
}

/// A version of Helm.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HelmVersion {
    /// Major version: 3 or 4.
    pub major: u32,
    /// Minor version.
    pub minor: u32,
    /// Patch version.
    pub patch: u32,
}

impl Default for HelmVersion {
    fn default() -> Self {
        Self::NEWEST_4
    }
}

impl HelmVersion {
    /// The newest 3 that we know.
    pub const NEWEST_3: Self = Self::new(3, 22, 0);
    /// The newest 4 that we know.
    pub const NEWEST_4: Self = Self::new(4, 3, 1);

    /// An exact version.
    pub const fn new(major: u32, minor: u32, patch: u32) -> Self {
        Self { major, minor, patch }
    }

    /// Reads `3`, `4`, `3.19`, `v3.19.0`; none for what is no Helm 3 or 4.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let text = text.strip_prefix('v').unwrap_or(text);
        let numbers: Vec<u32> = text.split('.').map(|part| part.parse().ok()).collect::<Option<_>>()?;
        match *numbers.as_slice() {
            [3] => Some(Self::NEWEST_3),
            [4] => Some(Self::NEWEST_4),
            [major @ (3 | 4), minor] => Some(Self::new(major, minor, 0)),
            [major @ (3 | 4), minor, patch] => Some(Self::new(major, minor, patch)),
            _ => None,
        }
    }

    /// How this version treats nulls.
    pub fn family(self) -> Family {
        match (self.major, self.minor, self.patch) {
            (..=3, ..=12, _) => Family::A,
            (..=3, ..=16, _) | (3, 17, 0) => Family::B,
            (..=3, ..=18, _) | (3, 19, ..=4) => Family::C,
            (..=3, 19, _) | (3, 20, 0) | (4, 0, _) | (4, 1, ..=2) => Family::D,
            (..=3, _, _) | (4, 1, _) => Family::E,
            _ => Family::F,
        }
    }

    /// Whether it is at least this one.
    pub(crate) fn at_least(self, major: u32, minor: u32, patch: u32) -> bool {
        self >= Self::new(major, minor, patch)
    }

    /// Whether a values file's documents are merged; Helm 3 reads the first only.
    pub fn merges_documents(self) -> bool {
        self.major >= 4
    }

    /// Whether numbers of charts' own values keep their text (`json.Number`).
    pub fn keeps_chart_numbers(self) -> bool {
        self == Self::new(3, 18, 0)
    }
}

impl std::fmt::Display for HelmVersion {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.patch)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_by_version() {
        let of = |text: &str| HelmVersion::parse(text).unwrap().family();
        let expected = [
            ("3.8.1", Family::A),
            ("3.12.3", Family::A),
            ("3.13.0", Family::B),
            ("3.17.0", Family::B),
            ("v3.17.1", Family::C),
            ("3.19.4", Family::C),
            ("3.19.5", Family::D),
            ("3.20.0", Family::D),
            ("3.20.1", Family::E),
            ("3", Family::E),
            ("4.0.0", Family::D),
            ("4.1.2", Family::D),
            ("4.1.3", Family::E),
            ("4.2.0", Family::F),
            ("4", Family::F),
        ];
        for (version, family) in expected {
            assert_eq!(of(version), family, "{version}");
        }
        assert_eq!(HelmVersion::parse("2.17.0"), None);
        assert_eq!(HelmVersion::parse("3.x"), None);
    }
}
