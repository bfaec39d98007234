//! The contract between a rule and the rest: its page, its metadata, its window on the project.

mod checker;
mod meta;

pub use checker::{Checker, Facts};
pub use meta::{Category, Check, Meta, Rule};
