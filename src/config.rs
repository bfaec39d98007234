//! `runnerlint.toml`, levels, and suppressions: what the user decided. No rule is known here but by its id.

mod file;
mod levels;
mod lock;
mod reader;
mod schema;
pub mod suppress;
mod template;

pub use file::{Config, Override, SetArgument, StackConfig};
pub use levels::{Level, Levels, is_known_selector, selectors};
pub use lock::Lock;
pub use reader::{nearest, parse_minor_version};
pub use schema::schema;
pub use template::{FoundStack, template};
