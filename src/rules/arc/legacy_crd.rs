//! An object of ARC's legacy mode.

use crate::knowledge::legacy_resource;
use crate::rule::Checker;
use crate::view::Object;

pub(crate) fn check(object: &Object<'_>, checker: &mut Checker<'_>) {
    let Some(version) = object.value.get("apiVersion").filter(|_| object.group() == legacy_resource::GROUP) else {
        return;
    };
    let message = format!("`{}` is a resource of the legacy mode, which gets no new features", object.kind);
    checker
        .report_value(version, message)
        .help("plan the move to runner scale sets (the chart `gha-runner-scale-set`); both modes can run side by side");
}
