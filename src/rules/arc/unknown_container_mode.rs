//! A container mode that the chart does not know is the same to it as none.

use semver::Version;

use crate::diagnostic::Severity;
use crate::rule::Checker;
use crate::view::{Field, ScaleSet};

pub(crate) fn check(set: &ScaleSet<'_>, checker: &mut Checker<'_>) {
    if !set.is_values() {
        return;
    }
    let mode = Field::of(set.at(&["containerMode"]), |mode| mode.as_map());
    let Field::Present(..) = mode else { return check_shape(set, mode.value(), checker) };
    let path = ["containerMode", "type"];
    let called = set.home.called("containerMode.type");
    // The experimental chart has no third mode.
    let words: &[&str] = if set.home.is_experimental() { &["dind", "kubernetes"] } else { &WORDS };
    let all = format!("write {}, or leave the mode out", listed(words));
    let (message, help, sure) = match Field::of(set.at(&path), |word| word.as_str()) {
        Field::Absent | Field::Unknown(_) | Field::Present("", _) => return,
        Field::Present("kubernetes-novolume", _) if !set.home.is_experimental() => {
            let Some(version) = set.chart().and_then(|chart| chart.version).filter(|it| *it < NO_VOLUME_SINCE) else {
                return;
            };
            let message = format!("`kubernetes-novolume` comes with chart 0.13.0: {version} takes it for no mode");
            (message, "upgrade the chart, or set `kubernetes` with a claim for the work volume".to_owned(), true)
        }
        Field::Present(word, _) if words.contains(&word) => return,
        Field::Present(word, _) => {
            let meant = meant(word).filter(|meant| words.contains(meant));
            let help = meant.map_or(all, |meant| format!("write `{meant}`"));
            let message = format!("`{called}` is `{word}`, which the chart takes for no mode");
            (message, help, meant.is_some())
        }
        Field::WrongShape(_) => (format!("`{called}` is no text"), all, true),
    };
    let is_none = set.at(&path).and_then(|word| word.as_str()).is_some_and(|word| NONE.contains(&word));
    let mut finding = checker.report_first(set.places(&path), message);
    finding.help(if is_none { "leave it out: no mode is what an empty one means".to_owned() } else { help });
    if is_none {
        finding.diagnostic.lower_to(Severity::Info);
    }
    // A chart that came later may know more words.
    if !sure && set.runner_pod().is_some_and(|pod| pod.chart_is_newer_than_known()) {
        finding.diagnostic.lower_to(Severity::Warning);
    }
}

/// The mode itself, where it should be a map.
fn check_shape(set: &ScaleSet<'_>, mode: Option<&crate::values::Value>, checker: &mut Checker<'_>) {
    let Some(mode) = mode.filter(|mode| !mode.is_unknown() && !mode.is_empty()) else { return };
    let word = mode.as_str().map_or("dind", |word| meant(word).unwrap_or("dind"));
    let what = mode.as_str().map_or("something else".to_owned(), |word| format!("the text `{word}`"));
    checker
        .report_first(set.places(&["containerMode"]), format!("`containerMode` is {what}, but the chart reads a map"))
        .help(format!("write `containerMode: {{type: {word}}}`"));
}

const WORDS: [&str; 3] = ["dind", "kubernetes", "kubernetes-novolume"];

/// Words that say what the chart makes of them.
const NONE: [&str; 8] = ["none", "None", "null", "unset", "off", "disabled", "false", "no"];

const NO_VOLUME_SINCE: Version = Version::new(0, 13, 0);

/// As in "`a`, `b` or `c`".
fn listed(words: &[&str]) -> String {
    let words: Vec<_> = words.iter().map(|word| format!("`{word}`")).collect();
    words.split_last().map_or_else(String::new, |(last, first)| format!("{} or {last}", first.join(", ")))
}

/// The word that was meant, where that is plain.
fn meant(word: &str) -> Option<&'static str> {
    let letters: String = word.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect();
    match letters.as_str() {
        "docker" | "dockerindocker" | "dockerdind" => return Some("dind"),
        "k8s" | "kube" => return Some("kubernetes"),
        "k8snovolume" | "kubernetesnovolume" | "kubernetesnovolumes" => return Some("kubernetes-novolume"),
        _ => {}
    }
    let near = |meant: &&'static str| {
        let bare: String = meant.chars().filter(char::is_ascii_alphanumeric).collect();
        strsim::osa_distance(&letters, &bare) <= bare.len() / 4
    };
    WORDS.into_iter().find(near)
}

#[cfg(test)]
mod tests {
    use super::meant;

    #[test]
    fn the_word_that_was_meant() {
        for word in ["DinD", "dind ", "dnid", "docker", "Docker-in-Docker", "d-in-d"] {
            assert_eq!(meant(word), Some("dind"), "{word}");
        }
        for word in ["Kubernetes", "k8s", "kubernets"] {
            assert_eq!(meant(word), Some("kubernetes"), "{word}");
        }
        for word in ["kubernetesNoVolume", "kubernetes_novolume", "kubernetes-no-volume", "kubernetes-novolumes"] {
            assert_eq!(meant(word), Some("kubernetes-novolume"), "{word}");
        }
        for word in ["custom", "none", "sysbox", "podman"] {
            assert_eq!(meant(word), None, "{word}");
        }
    }
}
