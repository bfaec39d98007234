//! Generates `src/rules/catalog.rs`, the families' module lists and `docs/rules.md` from the pages.
//!
//! Stale files are rewritten, and the test then fails so that nobody forgets to commit them.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "a test")]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;

use runnerlint::rule::page::{Page, PageCategory, PageSeverity, Subject, Switch};

const NOTICE: &str = "GENERATED from `rules/` by `cargo test --test catalog`: do not edit.";
const LISTS: [&str; 2] = ["// <families>\n", "// </families>"];

#[test]
fn generated_files_are_fresh() {
    let pages = pages();
    let mut files = BTreeMap::from([
        ("src/rules/catalog.rs".to_owned(), catalog(&pages)),
        ("docs/rules.md".to_owned(), table(&pages)),
        ("src/rules.rs".to_owned(), room(&pages)),
    ]);
    files.extend(families(&pages).into_iter().map(|name| (format!("src/rules/{name}.rs"), family(&pages, name))));
    let stale: Vec<_> = files.iter().filter(|(path, text)| !is_fresh(path, text)).map(|(path, _)| path).collect();
    for path in &stale {
        std::fs::create_dir_all(Path::new(path).parent().unwrap()).unwrap();
        std::fs::write(path, &files[*path]).unwrap();
    }
    assert!(stale.is_empty(), "stale, rewritten just now, to be committed: {stale:?}. Run the test again.");
}

fn is_fresh(path: &str, text: &str) -> bool {
    std::fs::read_to_string(path).is_ok_and(|found| found == *text)
}

fn pages() -> Vec<Page> {
    let mut pages = Vec::new();
    let mut wrong = Vec::new();
    for entry in walkdir::WalkDir::new("rules").min_depth(2).sort_by_file_name() {
        let path = entry.unwrap().into_path();
        if path.extension().is_none_or(|found| found != "md") {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        match Page::parse(&path.to_string_lossy(), &text) {
            Ok(page) => pages.push(page),
            Err(error) => wrong.push(error.to_string()),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    pages.sort_by(|a, b| a.front.id.cmp(&b.front.id));
    pages
}

/// Families with functions.
fn families(pages: &[Page]) -> BTreeSet<&str> {
    pages.iter().filter(|page| page.front.subject != Subject::Engine).map(|page| split(page).0).collect()
}

fn split(page: &Page) -> (&str, &str) {
    page.front.id.split_once('/').unwrap()
}

fn catalog(pages: &[Page]) -> String {
    let mut code = format!("// {NOTICE}\n//! Every rule: its page as constants, and its function.\n\n");
    code += "use crate::diagnostic::Severity;\nuse crate::rule::{Category, Check, Meta, Rule};\n\n";
    code += "/// Sorted by id.\npub(super) static RULES: &[Rule] = &[\n";
    for page in pages {
        let front = &page.front;
        let (family, name) = split(page);
        let options: Vec<_> = front.options.iter().map(|(name, value)| format!("({name:?}, {value})")).collect();
        let inputs: Vec<_> = front.inputs.iter().map(|input| input.as_str()).collect();
        let path = format!("super::{family}::{}::check", name.replace('-', "_"));
        let check = match front.subject {
            Subject::Engine => "Check::Engine".to_owned(),
            subject => format!("Check::{subject:?}({path})"),
        };
        write!(
            code,
            "    Rule {{\n        meta: Meta {{\n            id: {id:?},\n            severity: Severity::{severity:?},\n            \
             category: Category::{category:?},\n            summary: {summary:?},\n            inputs: &{inputs:?},\n            \
             since: {since:?},\n            on_by_default: {on},\n            options: &[{options}],\n            \
             page: include_str!(\"../../rules/{id}.md\"),\n        }},\n        check: {check},\n    }},\n",
            id = front.id,
            severity = front.severity,
            category = front.category,
            summary = front.summary,
            since = front.since,
            on = front.default == Switch::On,
            options = options.join(", "),
        )
        .unwrap();
    }
    code + "];\n"
}

fn family(pages: &[Page], family: &str) -> String {
    let mut code = format!("// {NOTICE}\n//! The rules of the family `{family}`.\n\n");
    for page in pages {
        let (found, name) = split(page);
        if found == family && page.front.subject != Subject::Engine {
            writeln!(code, "pub(super) mod {};", name.replace('-', "_")).unwrap();
        }
    }
    code
}

/// `src/rules.rs` with its list of families.
fn room(pages: &[Page]) -> String {
    let text = std::fs::read_to_string("src/rules.rs").unwrap();
    let (before, rest) = text.split_once(LISTS[0]).expect("src/rules.rs has the list of families");
    let (_, after) = rest.split_once(LISTS[1]).expect("src/rules.rs has the end of the list");
    let list: String = families(pages).into_iter().map(|name| format!("mod {name};\n")).collect();
    format!("{before}{}{list}{}{after}", LISTS[0], LISTS[1])
}

fn table(pages: &[Page]) -> String {
    let mut text = format!("<!-- {NOTICE} -->\n\n# Rules\n");
    let mut last = "";
    for page in pages {
        let (family, name) = split(page);
        if family != last {
            write!(
                text,
                "\n## {family}\n\n| rule | level | category | reads | finds |\n| --- | --- | --- | --- | --- |\n"
            )
            .unwrap();
            last = family;
        }
        let front = &page.front;
        let inputs: Vec<_> = front.inputs.iter().map(|input| input.as_str()).collect();
        let off = if front.default == Switch::Off { ", off by default" } else { "" };
        writeln!(
            text,
            "| [`{name}`](../rules/{id}.md) | {severity}{off} | {category} | {inputs} | {summary} |",
            id = front.id,
            severity = severity(front.severity),
            category = category(front.category),
            inputs = inputs.join(", "),
            summary = front.summary.replace('|', "\\|"),
        )
        .unwrap();
    }
    text
}

fn severity(severity: PageSeverity) -> String {
    format!("{severity:?}").to_lowercase()
}

fn category(category: PageCategory) -> String {
    format!("{category:?}").to_lowercase()
}
