//! A values file as Helm takes it apart: which documents count, and what it refuses before YAML is read.

use super::{Read, ReadError, Reader, Style};
use crate::syntax::yaml;
use crate::syntax::{Dialect, Tree, TreeId, Trees};
use crate::text::Span;
use crate::values::{Data, HelmVersion, LayerId, Map, Origin, Value};

/// What becomes of numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Numbers {
    /// Every number is a float64.
    #[default]
    Float,
    /// Numbers keep their JSON text (`json.Number`: charts' own values in Helm 3.18.0).
    Text,
}

/// The documents of a values file that Helm merges, in order; each value is a map.
///
/// The tree is that of the whole file. Helm 3 reads the first document alone; Helm 4 cuts the text at
/// lines that begin with `---` and reads the first document of each part.
pub fn documents(
    trees: &Trees,
    tree: TreeId,
    helm: HelmVersion,
    layer: LayerId,
    numbers: Numbers,
) -> Result<Vec<Read>, ReadError> {
    let Some(text) = trees.get(tree) else {
        return Ok(Vec::new());
    };
    let file = File { tree: text, id: tree, layer, numbers };
    if helm.merges_documents() { file.parts() } else { file.first() }
}

struct File<'t> {
    tree: &'t Tree,
    id: TreeId,
    layer: LayerId,
    numbers: Numbers,
}

impl File<'_> {
    /// Helm 3.
    fn first(&self) -> Result<Vec<Read>, ReadError> {
        let read = self.document(0, true)?;
        if let Some(document) = self.tree.documents.first()
            && let Some(at) = yaml::unseen_bad_character(&self.tree.text, document.reach as usize)
        {
            let message = "a control character behind the document, so near that Helm still reads it".to_owned();
            return Err(ReadError { span: Span::new(at, at + 1), message });
        }
        Ok(vec![read])
    }

    /// Helm 4.
    fn parts(&self) -> Result<Vec<Read>, ReadError> {
        let mut reads = Vec::new();
        let mut start = 0;
        let ends_in_break = self.tree.text.is_empty() || self.tree.text.ends_with('\n');
        loop {
            let end = self.part_end(start)?;
            let documents = &self.tree.documents;
            let found = documents.iter().position(|document| {
                (document.span.end as usize) > start || document.span.end as usize == self.tree.text.len()
            });
            if let Some((index, document)) = found.and_then(|index| Some((index, documents.get(index)?)))
                && (document.span.start as usize) < end
            {
                self.check_head(index, start, document.span.start as usize)?;
                reads.push(self.document(index, ends_in_break)?);
            }
            if end >= self.tree.text.len() {
                break;
            }
            start = end;
        }
        Ok(reads)
    }

    /// Refuses a part that begins with a directive or with `...`: the `---` that would go with it is cut off.
    fn check_head(&self, index: usize, start: usize, from: usize) -> Result<(), ReadError> {
        let part = self.tree.text.get(start..).unwrap_or_default();
        // Of the `---` line itself nothing is left but in the first part.
        let cut = if start > 0 { part.find('\n').map_or(part.len(), |at| at + 1) } else { 0 };
        let mut at = start + cut;
        for line in part.get(cut..).unwrap_or_default().split_inclusive('\n') {
            let blank = line.trim_start();
            if blank.is_empty() || blank.starts_with('#') {
                at += line.len();
                continue;
            }
            let ends_at_once =
                start > 0 && line.starts_with("...") && line.get(3..).is_some_and(|rest| rest.trim().is_empty());
            if line.starts_with('%') && (from >= start) || ends_at_once {
                if let Some(error) = self.tree.errors.iter().find(|error| error.document == index) {
                    return Err(ReadError { span: error.span, message: error.message.clone() });
                }
                let message = "Helm 4 cuts this off from the document that it belongs to".to_owned();
                return Err(ReadError { span: Span::new(at, at + 1), message });
            }
            break;
        }
        Ok(())
    }

    /// Start of the next line from `start` on that begins with `---`.
    fn part_end(&self, start: usize) -> Result<usize, ReadError> {
        let text = &self.tree.text;
        // The marker that begins this part is not the one that ends it.
        let first = if start == 0 && text.starts_with("---") { Some(0) } else { None };
        let found = text.get(start..).and_then(|rest| rest.find("\n---")).map(|at| start + at + 1);
        for line in first.into_iter().chain(found) {
            let rest = text.get(line + 3..).unwrap_or_default();
            let rest = rest.split('\n').next().unwrap_or_default().trim();
            if !rest.is_empty() && !rest.starts_with('#') {
                let message = "Helm 4 allows nothing but a comment behind `---`".to_owned();
                return Err(ReadError { span: Span::new(line, line + 3), message });
            }
        }
        Ok(found.unwrap_or(text.len()))
    }

    /// One document of the tree as a map.
    fn document(&self, index: usize, ends_in_break: bool) -> Result<Read, ReadError> {
        if let Some(error) = self.tree.errors.iter().find(|error| error.document == index) {
            return Err(ReadError { span: error.span, message: error.message.clone() });
        }
        let origin = Origin { layer: self.layer, node: None };
        let nothing = || Value::new(Data::Map(Map::default()), origin);
        let Some(root) = self.tree.documents.get(index).and_then(|document| document.root) else {
            return Ok(Read { value: nothing(), collisions: Vec::new() });
        };
        let keep_numbers = self.numbers == Numbers::Text;
        let style = Style { dialect: Dialect::Helm, keep_numbers, ends_in_break };
        let mut read = Reader::new(self.tree, self.id, self.layer, style).run(self.tree.node(root))?;
        match read.value.data {
            Data::Map(_) => {}
            Data::Null => read.value = nothing(),
            _ => {
                let message = "the top of a values file must be a mapping";
                return Err(super::fault(self.tree.node(root), message));
            }
        }
        Ok(read)
    }
}

/// What Helm says against the bytes of a values file before their text matters: UTF-16 under Helm 4,
/// whose cutting into lines breaks it.
pub fn refused_bytes(bytes: &[u8], helm: HelmVersion) -> Option<&'static str> {
    if !helm.merges_documents() {
        return None;
    }
    match bytes {
        [0xFF, 0xFE, ..] => Some("Helm 4 cannot read little-endian UTF-16"),
        [0xFE, 0xFF, ..] if !bytes.ends_with(&[0, b'\n']) => {
            Some("Helm 4 cannot read UTF-16 without a line break at its end")
        }
        _ => None,
    }
}
