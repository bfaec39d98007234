//! YAML (JSON is YAML) and TOML into one span-carrying arena tree. Never fails: what could not be
//! read is an error beside the tree.

pub mod embedded;
mod mask;
pub mod recognise;
pub mod scalar;
pub mod toml;
mod tree;
pub mod yaml;

pub use scalar::{Dialect, Scalar};
pub use tree::{
    Builder, Comment, Document, Host, Kind, Language, Node, NodeId, NodeRef, Place, Segment, SyntaxError, Tree, TreeId,
    Trees,
};
