//! A baseline: findings that are known and not to be shown again. Matches by fingerprint, as often as it stands there.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Finding, Report};

/// The format that is written, and the only one that is read.
const VERSION: u64 = 1;

/// Findings as they were known once.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
pub struct Baseline {
    version: u64,
    findings: Vec<Known>,
}

/// One known finding. All but the fingerprint is for people and for what is said of it once it is gone.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
pub struct Known {
    /// The file, relative to the working directory, with `/`; none for what stands in no file.
    pub file: Option<String>,
    /// Rule id.
    pub rule: String,
    /// Path of the node in the file.
    pub path: String,
    /// See [`Finding::fingerprint`].
    pub fingerprint: String,
}

impl From<&Finding> for Known {
    fn from(finding: &Finding) -> Self {
        let place = finding.place.as_ref();
        Self {
            file: place.map(|place| place.file.clone()),
            rule: finding.rule.to_owned(),
            path: place.map(|place| place.path.clone()).unwrap_or_default(),
            fingerprint: finding.fingerprint.clone(),
        }
    }
}

impl Baseline {
    /// All findings of a report, sorted: the same findings give the same bytes.
    pub fn of(report: &Report) -> Self {
        let mut findings: Vec<_> = report.findings.iter().map(Known::from).collect();
        findings.sort();
        Self { version: VERSION, findings }
    }

    /// Reads what [`Self::to_json`] wrote; errors say what is wrong with it.
    pub fn parse(text: &str) -> Result<Self, String> {
        #[derive(Deserialize)]
        struct Version {
            version: u64,
        }
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        // The version first: of another one nothing else need be as it is here.
        let Version { version } = serde_json::from_str(text).map_err(|error| error.to_string())?;
        if version != VERSION {
            return Err(format!("its version is {version}, and this runnerlint reads version {VERSION}"));
        }
        serde_json::from_str(text).map_err(|error| error.to_string())
    }

    /// Pretty JSON with a line break at its end.
    pub fn to_json(&self) -> String {
        // Only maps with keys that are no strings could fail, and there are none.
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }

    /// How many findings it holds.
    pub fn len(&self) -> usize {
        self.findings.len()
    }

    /// Whether it holds none.
    pub fn is_empty(&self) -> bool {
        self.findings.is_empty()
    }

    /// Takes known findings out of a report. Returns those that were not found any more.
    pub fn apply(&self, report: &mut Report) -> Vec<&Known> {
        let mut left: BTreeMap<&str, Vec<&Known>> = BTreeMap::new();
        for known in self.findings.iter().rev() {
            left.entry(&known.fingerprint).or_default().push(known);
        }
        report.retain(|finding| left.get_mut(finding.fingerprint.as_str()).and_then(Vec::pop).is_none());
        let mut gone: Vec<_> = left.into_values().flatten().collect();
        gone.sort();
        gone
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Severity;
    use crate::lint::{Place, Point};

    fn finding(file: Option<&str>, fingerprint: &str) -> Finding {
        let point = Point { line: 1, column: 1, byte: 0 };
        let place = |file: &str| Place { file: file.into(), path: "a.b".into(), start: point, end: point, span: 0..0 };
        Finding {
            rule: "arc/a",
            severity: Severity::Warning,
            message: String::new(),
            place: file.map(place),
            related: Vec::new(),
            help: None,
            url: String::new(),
            fingerprint: fingerprint.to_owned(),
        }
    }

    fn report(findings: &[Finding]) -> Report {
        let mut report = Report { findings: findings.to_vec(), ..Report::default() };
        report.retain(|_| true);
        report
    }

    #[test]
    fn what_was_written_is_read_and_hides_itself() {
        let mut found = report(&[finding(Some("b.yaml"), "2"), finding(Some("a.yaml"), "1"), finding(None, "0")]);
        let baseline = Baseline::of(&found);
        assert_eq!(Baseline::parse(&baseline.to_json()), Ok(baseline.clone()));
        assert_eq!(baseline.apply(&mut found), Vec::<&Known>::new());
        assert_eq!((found.findings.len(), found.summary.findings()), (0, 0));
    }

    #[test]
    fn the_order_of_findings_is_no_difference() {
        let one = Baseline::of(&report(&[finding(Some("b"), "2"), finding(Some("a"), "1")]));
        let other = Baseline::of(&report(&[finding(Some("a"), "1"), finding(Some("b"), "2")]));
        assert_eq!(one.to_json(), other.to_json());
    }

    #[test]
    fn matches_as_often_as_it_stands_there() {
        let old =
            Baseline::of(&report(&[finding(Some("a"), "1"), finding(Some("a"), "1"), finding(Some("a"), "gone")]));
        let mut now = report(&[finding(Some("a"), "1"), finding(Some("a"), "1"), finding(Some("a"), "1")]);
        let gone: Vec<_> = old.apply(&mut now).into_iter().map(|known| known.fingerprint.as_str()).collect();
        assert_eq!(gone, ["gone"]);
        assert_eq!((now.findings.len(), now.summary.warnings), (1, 1));
    }

    #[test]
    fn says_what_is_wrong_with_a_broken_one() {
        for (text, word) in [
            ("", "EOF"),
            ("[]", "struct Version"),
            ("{\"version\": 2, \"findings\": 7}", "version is 2"),
            ("{\"version\": 1}", "findings"),
            ("{\"version\": 1, \"findings\": [{\"rule\": \"a\"}]}", "missing field"),
        ] {
            let error = Baseline::parse(text).unwrap_err();
            assert!(error.contains(word), "{text}: {error}");
        }
    }
}
