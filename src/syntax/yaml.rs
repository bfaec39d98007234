//! YAML as go-yaml v2 reads it, the reader under Helm and kubectl: the same streams are accepted and
//! refused, at the same place.

mod block;
mod characters;
mod comments;
mod compose;
mod cursor;
mod parser;
mod plain;
mod property;
mod quoted;
mod scanner;
#[cfg(test)]
mod tests;
mod token;

use std::sync::Arc;

use super::{Builder, Language, SyntaxError, Tree};
use crate::text::{SourceId, Span};

/// Reads a stream of YAML documents. After an error in one document the reader goes on at the next
/// line that begins with `---`.
#[expect(clippy::needless_pass_by_value, reason = "the tree keeps it")]
pub fn parse(text: Arc<str>, source: SourceId) -> Tree {
    let mut builder = Builder::new(Language::Yaml, Arc::clone(&text), source);
    if u32::try_from(text.len()).is_err() {
        let message = "a text of 4 GiB or more".to_owned();
        let span = Span::default();
        builder.tree().errors.push(SyntaxError {
            span,
            message,
            context: None,
            document: 0,
            duplicate: false,
            certain: false,
        });
        return builder.finish();
    }
    let start = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let mut cursor = cursor::Cursor::new(&text, start, text.len());
    if text.get(start..).is_some_and(|rest| start > 0 && rest.starts_with('\u{feff}')) {
        // go-yaml passes over a second one, which then takes up a column.
        cursor.skip();
    }
    let mut scanner = scanner::Scanner::new(cursor);
    limit(&mut scanner, 0);
    compose::Composer::new(&text, parser::Parser::new(scanner), builder).run().finish()
}

/// Offset of a character that YAML does not allow, in the block of bytes that go-yaml decoded when it
/// had scanned up to `reach`: such a one is an error even behind the document that was asked for.
pub(crate) fn unseen_bad_character(text: &str, reach: usize) -> Option<usize> {
    let bad = characters::first_bad(text, reach)?;
    (characters::block_start(text, 0, bad) < reach).then_some(bad)
}

/// Lets the scanner read from `from` up to where go-yaml would meet the next bad character, but never
/// stop before the `---` of the document that holds it.
fn limit(scanner: &mut scanner::Scanner<'_>, from: usize) {
    let text = scanner.cursor.text;
    if scanner.bad.is_some_and(|bad| bad >= from) || (from > 0 && scanner.bad.is_none()) {
        return;
    }
    scanner.bad = characters::first_bad(text, from);
    let end = match scanner.bad {
        None => text.len(),
        Some(bad) => {
            let before = text.get(from..bad).unwrap_or_default();
            let document = before.rfind("\n---").map_or(from, |at| (from + at + "\n--- ".len()).min(bad));
            scanner.block = characters::block_start(text, scanner.block, bad);
            scanner.block.max(document)
        }
    };
    scanner.cursor.set_end(end);
}
