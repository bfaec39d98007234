//! A field of pods in the security context of the manager's container.

use semver::Version;

use crate::rule::Checker;
use crate::view::Stack;

pub(crate) fn check(stack: &Stack<'_>, checker: &mut Checker<'_>) {
    for part in stack.gitlab_charts().filter(|part| !part.is_older_than(&Version::new(0, 42, 0))) {
        let Some(group) = part.values.at(&["securityContext", "fsGroup"]).filter(|group| !group.is_empty()) else {
            continue;
        };
        let other = part.values.at(&["podSecurityContext", "fsGroup"]);
        let message = format!(
            "`{}` is no field of a container, whose context `securityContext` is since chart 0.42.0",
            part.shown("securityContext.fsGroup")
        );
        checker
            .report_first_key(group.history(), message)
            .related(other.and_then(|other| other.origin.node), "the pod's own is set here")
            .help(match other {
                Some(other) if other.says_the_same_as(group) => "remove it: the pod's context says the same".to_owned(),
                _ => format!("move it to `{}`", part.shown("podSecurityContext.fsGroup")),
            });
    }
}
