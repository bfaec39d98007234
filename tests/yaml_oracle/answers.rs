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

/// The places that a file gave, as text for the message of a miss.
#[derive(Debug, PartialEq)]
enum Answer {
    Values(String),
    Refused(Option<(usize, usize)>),
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

/// Line and column as go-yaml counts them.
fn position(text: &str, span: Span) -> (usize, usize) {
    let before = text.get(..span.start as usize).unwrap_or(text);
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
        Err(error) => Answer::Refused(Some(position(&text, error.span))),
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

fn judge(score: &mut Score, name: &str, version: &str, result: &Json, got: &Answer) {
    let place = result["true_line"].as_u64().zip(result["true_col"].as_u64());
    match got {
        Answer::Values(values) if result["ok"] == true && result["values_json"] == **values => {}
        Answer::Refused(at) if result["ok"] == false => {
            let Some((line, column)) = place else { return };
            score.places += 1;
            if *at != Some((line as usize, column as usize)) {
                let stage = &result["stage"];
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

#[test]
fn cases_are_read_as_helm_reads_them() {
    let score = run(include_str!("../../testdata/syntax/cases.jsonl"));
    println!(
        "{} rows, {} misses, {} places, {} misplaced",
        score.rows,
        score.misses.len(),
        score.places,
        score.misplaced.len()
    );
    println!("{}", score.misses.join("\n"));
    println!("{}", score.misplaced.join("\n"));
}

#[test]
fn suite_is_read_as_helm_reads_it() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/yaml-oracle/suite.jsonl");
    let Ok(rows) = std::fs::read_to_string(path) else { return };
    let score = run(&rows);
    println!(
        "{} rows, {} misses, {} places, {} misplaced",
        score.rows,
        score.misses.len(),
        score.places,
        score.misplaced.len()
    );
    println!("{}", score.misses.join("\n"));
    println!("{}", score.misplaced.join("\n"));
}
