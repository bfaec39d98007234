//! Bytes, spans, lines and source ids: everything that later rooms point with.

pub mod decode;
mod line_index;
mod source;
mod span;

pub use line_index::{LineIndex, Position};
pub use source::{Encoding, Source, SourceId, Sources};
pub use span::{Location, Span};
