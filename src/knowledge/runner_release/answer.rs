//! What GitHub's API answers when it is asked for the releases of the runner, as `gh api` saves it.

use std::collections::BTreeMap;

use jiff::civil::Date;
use jiff::tz::TimeZone;
use semver::Version;
use serde::Deserialize;
use serde_json::error::Category;

/// The releases in one list, in several one after another (`--paginate`), or in a list of lists
/// (`--paginate --slurp`). Drafts, prereleases and tags that are no versions are left out.
pub fn read(text: &str) -> Result<BTreeMap<Version, Date>, String> {
    let (mut pages, mut listed, mut found) = (0, 0, BTreeMap::new());
    for page in serde_json::Deserializer::from_str(text).into_iter::<Vec<Entry>>() {
        pages += 1;
        for release in page.map_err(|error| why(&error))?.into_iter().flat_map(Entry::releases) {
            listed += usize::from(release.is_out());
            found.extend(release.dated()?);
        }
    }
    match (pages, listed) {
        (0, _) => Err("it is empty".to_owned()),
        (_, 1..) if found.is_empty() => Err("no tag in it is a version".to_owned()),
        _ => Ok(found),
    }
}

fn why(error: &serde_json::Error) -> String {
    match error.classify() {
        Category::Data => {
            "it is no list of releases with `tag_name` and `published_at`, as GitHub's API answers one".to_owned()
        }
        Category::Io | Category::Syntax | Category::Eof => format!("it is no JSON: {error}"),
    }
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Entry {
    Release(Release),
    Page(Vec<Release>),
}

impl Entry {
    fn releases(self) -> Vec<Release> {
        match self {
            Self::Release(release) => vec![release],
            Self::Page(releases) => releases,
        }
    }
}

#[derive(Deserialize)]
struct Release {
    tag_name: String,
    published_at: Option<String>,
    #[serde(default)]
    draft: bool,
    #[serde(default)]
    prerelease: bool,
    html_url: Option<String>,
}

impl Release {
    fn is_out(&self) -> bool {
        !self.draft && !self.prerelease
    }

    fn dated(&self) -> Result<Option<(Version, Date)>, String> {
        if let Some(url) = self.html_url.as_deref().filter(|url| !url.contains("/actions/runner/")) {
            return Err(format!("`{url}` is no release of actions/runner"));
        }
        let version =
            Version::parse(self.tag_name.trim_start_matches('v')).ok().filter(|version| version.pre.is_empty());
        let Some(version) = version.filter(|_| self.is_out()) else { return Ok(None) };
        let time: Option<jiff::Timestamp> = self.published_at.as_deref().and_then(|time| time.parse().ok());
        let time = time.ok_or_else(|| format!("`published_at` of `{}` is no time", self.tag_name))?;
        Ok(Some((version, TimeZone::UTC.to_datetime(time).date())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OLD: &str = r#"{"tag_name": "v2.336.0", "published_at": "2026-07-20T15:43:12Z", "assets": [{"size": 1}],
        "draft": false, "prerelease": false, "html_url": "https://github.com/actions/runner/releases/tag/v2.336.0"}"#;
    const NEW: &str = r#"{"tag_name": "v2.338.0", "published_at": "2026-10-05T23:59:59Z"}"#;

    fn versions(text: &str) -> Vec<String> {
        read(text).unwrap().into_iter().map(|(version, date)| format!("{version} {date}")).collect()
    }

    #[test]
    fn lists_in_every_form_that_gh_writes() {
        let both = ["2.336.0 2026-07-20", "2.338.0 2026-10-05"];
        assert_eq!(versions(&format!("[{NEW}, {OLD}]")), both);
        assert_eq!(versions(&format!("[{NEW}][{OLD}]\n[]")), both);
        assert_eq!(versions(&format!("[[{NEW}], [{OLD}], []]\n")), both);
        assert!(versions("[]").is_empty());
    }

    #[test]
    fn what_is_not_out_is_left_out() {
        let draft = r#"{"tag_name": "v2.339.0", "published_at": null, "draft": true}"#;
        let early = r#"{"tag_name": "v2.339.0", "published_at": "2026-10-05T00:00:00Z", "prerelease": true}"#;
        let beta = r#"{"tag_name": "v2.339.0-beta", "published_at": "2026-10-05T00:00:00Z"}"#;
        let odd = r#"{"tag_name": "nightly", "published_at": "2026-10-05T00:00:00Z"}"#;
        assert_eq!(versions(&format!("[{draft}, {early}, {beta}, {odd}, {OLD}]")), ["2.336.0 2026-07-20"]);
        assert!(versions(&format!("[{draft}]")).is_empty());
    }

    #[test]
    fn anything_else_is_refused_in_one_sentence() {
        let other = r#"[{"tag_name": "v9.0.0", "published_at": "2026-10-05T00:00:00Z",
            "html_url": "https://github.com/acme/tool/releases/tag/v9.0.0"}]"#;
        let undated = r#"[{"tag_name": "v2.339.0"}]"#;
        let nightly = r#"[{"tag_name": "nightly", "published_at": "2026-10-05T00:00:00Z"}]"#;
        let deep = "[".repeat(100_000);
        for (text, word) in [
            ("", "empty"),
            ("  \n", "empty"),
            ("gh: Not Found (HTTP 404)", "no JSON"),
            ("[", "no JSON"),
            (deep.as_str(), "no"),
            (&format!("[{NEW}] x"), "no JSON"),
            (r#"{"message": "Not Found", "status": "404"}"#, "no list"),
            ("[1]", "no list"),
            ("[[[]]]", "no list"),
            (r#"[{"name": "v2.338.0"}]"#, "no list"),
            (other, "acme/tool"),
            (undated, "v2.339.0"),
            (nightly, "no tag"),
        ] {
            let why = read(text).unwrap_err();
            assert!(why.contains(word) && !why.contains('\n'), "{text:.40}: {why}");
        }
    }

    proptest::proptest! {
        #[test]
        fn no_text_is_too_odd(start in "[\\[{]{0,3}", text in ".{0,60}", at in 0..400_usize) {
            let _ = read(&format!("{start}{text}"));
            let mut answer = format!("[{NEW}, {OLD}]");
            let cut = (0..=at.min(answer.len())).rev().find(|at| answer.is_char_boundary(*at)).unwrap();
            answer.insert_str(cut, &text);
            let _ = read(&answer);
        }
    }
}
