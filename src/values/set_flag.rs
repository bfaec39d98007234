//! `--set`, `--set-string`, `--set-json`, `--set-file`, `--set-literal`.

use super::HelmError;
use crate::syntax::Trees;
use crate::text::{Encoding, Sources};

/// Which flag.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FlagKind {
    /// `--set-json`.
    Json,
    /// `--set`.
    Set,
    /// `--set-string`.
    String,
    /// `--set-file`.
    File,
    /// `--set-literal`.
    Literal,
}

impl FlagKind {
    /// The flag as typed.
    pub fn name(self) -> &'static str {
        match self {
            Self::Json => "--set-json",
            Self::Set => "--set",
            Self::String => "--set-string",
            Self::File => "--set-file",
            Self::Literal => "--set-literal",
        }
    }
}

/// A flag that was read; what is wrong with it comes out when it is merged.
#[derive(Debug, Clone, PartialEq)]
pub struct Flag {
    /// Which flag.
    pub kind: FlagKind,
    /// Its argument.
    pub text: String,
}

impl Flag {
    /// Reads a flag's argument; it becomes a source that is no file. `read_file` gives the text of a
    /// file that `--set-file` names, or what is wrong with it.
    pub fn parse(
        kind: FlagKind,
        text: &str,
        sources: &mut Sources,
        trees: &mut Trees,
        read_file: &mut dyn FnMut(&str) -> Result<String, String>,
    ) -> Self {
        let _ = (trees, read_file);
        sources.add(format!("{} {text}", kind.name()), text, Encoding::Utf8, false);
        Self { kind, text: text.to_owned() }
    }

    /// The layer's name.
    pub fn name(&self) -> String {
        format!("{} {}", self.kind.name(), self.text)
    }

    /// What is wrong with it in any version.
    pub fn error(&self) -> Option<HelmError> {
        None
    }
}
