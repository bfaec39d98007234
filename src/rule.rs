//! The contract between a rule and the rest: its page, its metadata, its window on the project.

mod checker;
mod fault;
mod meta;
pub mod page;

pub use checker::{Checker, Facts, Finding};
pub use meta::{Category, Check, Meta, Rule};
