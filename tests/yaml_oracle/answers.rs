//! What Helm answers to a values file: yes or no, the values, the place of the fault.

use std::path::Path;

use runnerlint::syntax::{Trees, yaml};
use runnerlint::text::decode::decode;
use runnerlint::text::{SourceId, Span};
use runnerlint::values::read::{Numbers, documents, refused_bytes};
use runnerlint::values::{Data, HelmVersion, LayerId, Value, to_json};
use serde_json::Value as Json;

const VERSIONS: [(&str, HelmVersion); 2] =
    [("v3.19.0", HelmVersion::new(3, 19, 0)), ("v4.3.1", HelmVersion::new(4, 3, 1))];

/// What is answered to a file.
#[derive(Debug, PartialEq)]
enum Answer {
    Values(String),
    /// Start and end of the fault.
    Refused(Option<[(usize, usize); 2]>),
}

/// A later file over an earlier one.
fn lay_over(below: &mut Value, above: Value) {
    match (&mut below.data, above.data) {
        (Data::Map(below), Data::Map(above)) => {
            for (key, value) in above.entries {
                match below.entries.get_mut(&key) {
                    Some(old) => lay_over(old, value),
                    None => {
                        below.entries.insert(key, value);
                    }
                }
            }
        }
        (data, above) => *data = above,
    }
}

/// Start and end as go-yaml counts lines and columns; the end of a text without a last break is a line of its own.
fn places(text: &str, span: Span) -> [(usize, usize); 2] {
    [span.start, span.end].map(|at| {
        let (line, column) = position(text, at as usize);
        if at as usize == text.len() && column > 1 { (line + 1, 1) } else { (line, column) }
    })
}

fn position(text: &str, at: usize) -> (usize, usize) {
    let before = text.get(..at).unwrap_or(text);
    let before = before.strip_prefix('\u{feff}').unwrap_or(before);
    let (mut line, mut column) = (1, 1);
    let mut chars = before.chars().peekable();
    while let Some(char) = chars.next() {
        column += 1;
        if matches!(char, '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}') {
            if char == '\r' && chars.peek() == Some(&'\n') {
                chars.next();
            }
            (line, column) = (line + 1, 1);
        }
    }
    (line, column)
}

/// The text of the bytes; where they are none, U+FFFF stands for the first that is no character.
fn text_of(bytes: &[u8]) -> Option<String> {
    match String::from_utf8(bytes.to_vec()) {
        Ok(text) => Some(text),
        Err(_) if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") => {
            decode(bytes.to_vec()).ok().map(|text| text.text)
        }
        Err(error) => {
            let valid = error.utf8_error().valid_up_to();
            Some(format!("{}\u{ffff}", std::str::from_utf8(&bytes[..valid]).unwrap()))
        }
    }
}

fn answer(bytes: &[u8], helm: HelmVersion) -> Answer {
    if refused_bytes(bytes, helm).is_some() {
        return Answer::Refused(None);
    }
    let Some(text) = text_of(bytes) else {
        return Answer::Refused(None);
    };
    let mut trees = Trees::default();
    let tree = trees.add(yaml::parse(text.as_str().into(), SourceId(0)));
    match documents(&trees, tree, helm, LayerId(0), Numbers::Float) {
        Err(error) => Answer::Refused(Some(places(&text, error.span))),
        Ok(reads) => {
            let merged = reads.into_iter().map(|read| read.value).reduce(|mut below, above| {
                lay_over(&mut below, above);
                below
            });
            Answer::Values(merged.map_or("{}".to_owned(), |value| to_json(&value)))
        }
    }
}

#[derive(Default)]
struct Score {
    rows: usize,
    misses: Vec<String>,
    places: usize,
    misplaced: Vec<String>,
}

fn run(rows: &str) -> Score {
    let mut score = Score::default();
    for line in rows.lines() {
        let row: Json = serde_json::from_str(line).unwrap();
        let name = row["name"].as_str().unwrap();
        let bytes = match row["text"].as_str() {
            Some(text) => text.as_bytes().to_vec(),
            None => base64(row["b64"].as_str().unwrap()),
        };
        for (version, helm) in VERSIONS {
            let result = row["results"].as_array().unwrap().iter();
            let Some(result) =
                result.clone().find(|result| result["helm"].as_array().unwrap().iter().any(|name| name == version))
            else {
                continue;
            };
            score.rows += 1;
            judge(&mut score, name, version, result, &answer(&bytes, helm));
        }
    }
    score
}

/// One answer against Helm's.
fn judge(score: &mut Score, name: &str, version: &str, result: &Json, got: &Answer) {
    let place = result["true_line"].as_u64().zip(result["true_col"].as_u64());
    match got {
        Answer::Values(values) if result["ok"] == true && result["values_json"] == **values => {}
        Answer::Refused(at) if result["ok"] == false => {
            let Some((line, column)) = place else { return };
            score.places += 1;
            let stage = &result["stage"];
            let want = (line as usize, column as usize);
            // Go's place of a bad key is the last node in it.
            let inside = *stage == "decode" || *stage == "json-key";
            if !at.is_some_and(|[start, end]| start == want || (inside && start <= want && want <= end)) {
                score
                    .misplaced
                    .push(format!("{name} {version} {stage} want {line}:{column} got {at:?} {}", result["error"]));
            }
        }
        _ => score.misses.push(format!("{name} {version}")),
    }
}

fn base64(text: &str) -> Vec<u8> {
    const ALPHABET: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = Vec::new();
    let mut bits = (0u32, 0);
    for byte in text.bytes().filter(|&byte| byte != b'=') {
        let value = ALPHABET.iter().position(|&letter| letter == byte).unwrap() as u32;
        bits = ((bits.0 << 6) | value, bits.1 + 6);
        if bits.1 >= 8 {
            bits.1 -= 8;
            out.push((bits.0 >> bits.1) as u8);
        }
    }
    out
}

/// Rows that are read otherwise than by Helm, by kind: `docs/decisions/0001-reader.md` says why.
const KNOWN_MISSES: [&str; 16] = [
    // CR CR LF, of which Helm 4 makes one break.
    "break/crcrlf-double v4.3.1",
    "break/crcrlf-doubleesc v4.3.1",
    "break/crcrlf-folded v4.3.1",
    "break/crcrlf-plain v4.3.1",
    "break/crcrlf-plainblank v4.3.1",
    "break/crcrlf-single v4.3.1",
    "break/crcrlf-singleblank v4.3.1",
    // Deeper than values may nest here.
    "depth/compact-seq-9998 v3.19.0",
    "depth/compact-seq-9998 v4.3.1",
    "depth/compact-seq-9999 v3.19.0",
    "depth/compact-seq-9999 v4.3.1",
    "depth/flow-seq-5000 v3.19.0",
    "depth/flow-seq-5000 v4.3.1",
    // A BOM, or a space that only Unicode knows, behind a later `---` of Helm 4.
    "document/87 v4.3.1",
    "document/94 v4.3.1",
    // An odd number of bytes in UTF-16, made even by the break that Helm 4 adds.
    "encoding/utf16le-bom-odd v4.3.1",
];

/// At least this many of 100 places are the very place that go-yaml means.
const PLACES: usize = 96;

fn assert_score(score: &Score, known: &[&str]) {
    assert!(score.misses == known, "missed of {} answers: {:#?}", score.rows, score.misses);
    let right = score.places - score.misplaced.len();
    let list = score.misplaced.join("\n");
    assert!(right * 100 >= score.places * PLACES, "{right} of {} places are right:\n{list}", score.places);
}

#[test]
fn cases_are_read_as_helm_reads_them() {
    assert_score(&run(include_str!("../../testdata/syntax/cases.jsonl")), &KNOWN_MISSES);
}

#[test]
fn suite_is_read_as_helm_reads_it() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/yaml-oracle/suite.jsonl");
    if let Ok(rows) = std::fs::read_to_string(path) {
        assert_score(&run(&rows), &[]);
    }
}
