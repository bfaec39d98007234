//! Whom containers run as.

use super::{Field, Pod, PodContainer};
use crate::values::Value;

impl<'a> Pod<'a> {
    /// The user id that a container is told to run as: its own, else the pod's.
    pub fn run_as_user(&self, container: &PodContainer<'a>) -> Field<'a, f64> {
        let of = |context: Option<&'a Value>| match context {
            Some(context) if context.is_unknown() => Field::Unknown(Some(context)),
            context => Field::of(context.and_then(|context| context.get("runAsUser")), Value::as_f64),
        };
        match of(container.get("securityContext")) {
            Field::Absent => of(self.spec.get("securityContext")),
            field => field,
        }
    }
}
