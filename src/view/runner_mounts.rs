//! Folders that all containers of a job share.

use super::runner_config::lookup;
use super::{Executor, Field, Runner};
use crate::values::Value;

/// Folders that the executors share by themselves: sources and caches.
const SHARED: [&str; 2] = ["/builds", "/cache"];

impl<'a> Runner<'a> {
    /// The paths under which volumes are mounted into all containers of a job; none where they are not known.
    pub fn mounts(&self) -> Option<Vec<&'a str>> {
        match self.executor {
            Executor::Kubernetes if !self.field(&["kubernetes", "pod_spec"]).is_absent() => None,
            Executor::Kubernetes => match self.field(&["kubernetes", "volumes"]) {
                Field::Absent => Some(Vec::new()),
                Field::Present(kinds, _) => {
                    kinds.entries().flat_map(|(_, volumes)| volumes.items()).map(mount_path).collect()
                }
                Field::WrongShape(_) | Field::Unknown(_) => None,
            },
            Executor::Docker if !self.field(&["docker", "volumes_from"]).is_absent() => None,
            Executor::Docker => match self.field(&["docker", "volumes"]) {
                Field::Absent => Some(Vec::new()),
                Field::Present(volumes, _) => volumes.items().map(target).collect(),
                Field::WrongShape(_) | Field::Unknown(_) => None,
            },
            Executor::Other | Executor::Unknown => None,
        }
    }

    /// Whether all containers of a job see the same files in a folder; none where that is not known.
    pub fn shares(&self, folder: &str) -> Option<bool> {
        let mounts = self.mounts()?;
        Some(SHARED.iter().chain(&mounts).any(|mount| is_below(folder, mount)))
    }
}

fn mount_path(volume: &Value) -> Option<&str> {
    let path = lookup(volume, "mount_path")?.ok()?;
    path.as_str().filter(|_| !path.is_unknown())
}

/// Where Docker mounts a volume: `/in/the/container`, `name:/in/the/container:ro`.
fn target(volume: &Value) -> Option<&str> {
    let text = volume.as_str().filter(|text| !volume.is_unknown() && !text.contains('$'))?;
    let mut parts = text.split(':');
    let first = parts.next()?;
    Some(parts.next().unwrap_or(first))
}

fn is_below(folder: &str, mount: &str) -> bool {
    let rest = folder.strip_prefix(mount.trim_end_matches('/'));
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}
