//! What Helm would hand to the templates: layers merged exactly as Helm does it, with the origin
//! and the history of every value.

mod merged;
mod value;

pub use merged::Merged;
pub use value::{Data, Deleted, Layer, LayerId, Map, Origin, Past, Role, Value};
