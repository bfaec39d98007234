//! The linter for CI runner fleets on Kubernetes.
//!
//! The rooms, in reading order: [`text`] (bytes and spans) → [`syntax`] (one tree for YAML and
//! TOML) → [`values`] (Helm's merge with the origin of every value) → [`knowledge`] (tables of
//! facts) → [`view`] (typed lenses) → [`rule`] and [`rules`] (judging) → [`config`], [`project`]
//! (files into stacks) → [`lint`] (the driver) → [`report`] (one format a file) → [`cli`].

pub mod cli;
pub mod config;
pub mod diagnostic;
pub mod knowledge;
pub mod lint;
pub mod project;
pub mod report;
pub mod rule;
pub mod rules;
pub mod syntax;
pub mod text;
pub mod values;
pub mod view;
