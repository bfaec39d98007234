//! What the runner's own decoder makes of a TOML document, where that is not what was written: it drops
//! keys that it does not know without a word, and refuses the whole file for a wrong type.

mod swallowed;
mod unsure;
mod walk;

use std::fmt;

use crate::knowledge::gitlab_version::Minor;
use crate::knowledge::runner_schema::{Key, Type, newest};
use crate::syntax::{NodeRef, Trees};
use crate::values::{Data, Value};

use super::{Home, RunnerConfig};

pub use unsure::forget_misread;

/// Something that becomes of an entry or an item.
#[derive(Debug, Clone)]
pub struct Decoded {
    /// Its value.
    pub at: NodeRef,
    /// The setting that it is or is part of; of an unknown one the table that it stands in.
    pub of: &'static Key,
    /// What becomes of it.
    pub outcome: Outcome,
}

impl Decoded {
    /// Whether it is a setting in another place than its own.
    pub fn is_misplaced(&self) -> bool {
        matches!(self.outcome, Outcome::Swallowed { is_sure: true, .. } | Outcome::Elsewhere(_))
    }

    /// The key as it is written; of an item that of its list.
    pub fn name<'t>(&self, trees: &'t Trees) -> &'t str {
        trees.node(self.at).and_then(|node| node.key()).map_or(self.of.name, |key| key.text())
    }

    /// The table that it stands in: where its header is.
    pub fn table(&self, trees: &Trees) -> Option<NodeRef> {
        let table = trees.node(self.at)?.parent()?;
        Some(NodeRef { node: table.id, ..self.at })
    }

    /// Whether its value is what goes without saying: the runner itself writes out such keys.
    pub fn is_zero(&self, trees: &Trees) -> bool {
        let Some(node) = trees.node(self.at).filter(|node| !node.is_masked()) else { return false };
        match node.kind().is_scalar() {
            true => matches!(node.text(), "" | "0" | "false" | "0001-01-01T00:00:00Z"),
            false => node.kind().is_seq() && node.children().next().is_none(),
        }
    }
}

/// What becomes of an entry or an item. Each has one outcome, the one that says most.
#[derive(Debug, Clone)]
pub enum Outcome {
    /// Dropped: no such key is known; which key of the table is nearest to it.
    Unknown(Option<&'static str>),
    /// Dropped: the key came with a later version than the one in force.
    TooNew(Minor),
    /// Dropped: the key is known in other tables, all of the same nearness.
    Elsewhere(Vec<&'static Key>),
    /// Dropped: since a version the key is no longer heeded; what took its place.
    Gone(Minor, &'static str),
    /// Taken for an entry of the map that it stands in, though it is a setting of a table around that map.
    Swallowed {
        /// The setting.
        setting: &'static Key,
        /// Whether it can hardly be meant as an entry.
        is_sure: bool,
    },
    /// The setting of an entry before it, in other letter case: chance decides which of the two counts.
    Twice(NodeRef),
    /// Dropped: a map is due, and this is no table.
    NoMap(Found),
    /// Refused: one table, where `[[…]]` is due.
    TableForTables,
    /// Refused: `[[…]]`, where one table is due.
    TablesForTable,
    /// Of another type than is due.
    WrongType {
        /// What is due.
        due: Type,
        /// What it is.
        found: Found,
        /// Whether the whole file is refused; else it is dropped.
        refused: bool,
    },
    /// Taken as so many nanoseconds.
    Nanoseconds(i64),
    /// Refused: no duration; how to write what it seems to mean.
    NoDuration(Option<String>),
}

/// What a node is to the decoder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Found {
    /// A string.
    String,
    /// `true` or `false`.
    Bool,
    /// A whole number.
    Int,
    /// Another number.
    Float,
    /// A date or a time.
    Datetime,
    /// `[…]`.
    List,
    /// A table.
    Table,
    /// A table that a dotted key made: the key may have needed quotes.
    DottedTable,
    /// `[[…]]`.
    Tables,
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::String => "a string",
            Self::Bool => "a boolean",
            Self::Int => "a whole number",
            Self::Float => "a number with a fraction",
            Self::Datetime => "a date",
            Self::List => "a list",
            Self::Table | Self::DottedTable => "a table",
            Self::Tables => "an array of tables",
        })
    }
}

/// The version of GitLab Runner that reads the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InForce {
    /// The version.
    pub version: Minor,
    /// Whether no other one can run.
    pub is_certain: bool,
}

impl<'a> RunnerConfig<'a> {
    /// Everything that does not become what was written, in the order of the tree.
    pub fn decoded(&self, trees: &Trees) -> &[Decoded] {
        self.decoded.get_or_init(|| walk::walk(self, trees))
    }

    /// Whether an entry of a map is surely a setting that the map took for its own: what it says there is not meant.
    pub fn is_swallowed(&self, entry: &Value, trees: &Trees) -> bool {
        let is_it = |found: &Decoded| Some(found.at) == entry.origin.node;
        self.decoded(trees)
            .iter()
            .any(|found| is_it(found) && matches!(found.outcome, Outcome::Swallowed { is_sure: true, .. }))
    }

    /// The version of the runner, where it can be known: what the user says, else the image's tag, else what the
    /// chart brings.
    pub fn version(&self) -> Option<InForce> {
        if let Some(version) = self.said_version {
            return Some(InForce { version, is_certain: true });
        }
        match &self.home {
            Home::Values(_, part) => {
                let of_chart = part.chart.version.as_ref().and_then(Minor::of_chart);
                let image = part.values.get("image");
                let tag = match image.map(|image| &image.data) {
                    Some(Data::String(text)) => super::Image::parse(text).and_then(|image| image.tag),
                    Some(Data::Map(_)) => match image.and_then(|image| image.get("tag")) {
                        Some(tag) if tag.is_unknown() => return None,
                        tag => tag.and_then(|tag| tag.as_str()).filter(|tag| !tag.is_empty()),
                    },
                    _ => None,
                };
                let version = tag.map_or(of_chart, Minor::of_tag)?;
                Some(InForce { version, is_certain: true })
            }
            // Whether the Deployment beside it runs the chart's own image is not seen from here.
            Home::Object(object) => {
                let version = Minor::of_chart(object.chart()?.version.as_ref()?)?;
                Some(InForce { version, is_certain: false })
            }
            Home::File => None,
        }
    }

    /// Whether the runner is said to be newer than all that are known, so that it may know more keys and flags.
    pub fn is_ahead(&self) -> bool {
        match (self.version(), &self.home) {
            (Some(in_force), _) => in_force.is_certain && in_force.version > newest(),
            (None, Home::Values(_, part)) => {
                part.may_have_more_keys() && part.chart.version.as_ref().and_then(Minor::of_chart).is_none()
            }
            (None, _) => false,
        }
    }
}
