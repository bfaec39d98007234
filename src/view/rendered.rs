//! Runner pods as the chart renders them: what is written, with what the container mode adds and leaves out.

use super::Pod;
use crate::values::Value;

/// A pod as it comes out of the chart. What the chart adds has the origin of the value that causes it.
#[derive(Debug)]
pub struct Rendered<'a> {
    pod: Pod<'a>,
    spec: Value,
}

impl<'a> Pod<'a> {
    /// What the chart renders of it; an object, which was rendered already, stays as it is.
    pub fn rendered(&self) -> Rendered<'a> {
        Rendered { pod: self.clone(), spec: self.spec.clone() }
    }
}

impl Rendered<'_> {
    /// The same pod, with the rendered spec.
    pub fn pod(&self) -> Pod<'_> {
        Pod { spec: &self.spec, ..self.pod.clone() }
    }
}
