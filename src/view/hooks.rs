//! Hooks of the runner that start jobs in pods of their own.

use super::{Field, Pod, PodContainer};
use crate::values::Value;

/// The script.
pub const SCRIPT: &str = "ACTIONS_RUNNER_CONTAINER_HOOKS";
/// Path of the template that job pods are made with.
pub const TEMPLATE: &str = "ACTIONS_RUNNER_CONTAINER_HOOK_TEMPLATE";
/// Whether jobs without a container are refused.
pub const REQUIRE_JOB_CONTAINER: &str = "ACTIONS_RUNNER_REQUIRE_JOB_CONTAINER";
/// Name of the runner's own pod.
pub const POD_NAME: &str = "ACTIONS_RUNNER_POD_NAME";
/// Name of a claim that job pods use instead of the one of the runner's work volume.
pub const CLAIM_NAME: &str = "ACTIONS_RUNNER_CLAIM_NAME";
/// Whether the scheduler may put the job on another node than the runner.
pub const USE_KUBE_SCHEDULER: &str = "ACTIONS_RUNNER_USE_KUBE_SCHEDULER";

impl<'a> PodContainer<'a> {
    /// Whether hooks surely start its jobs in pods that share the work volume; ask the rendered pod.
    pub fn shares_work_volume(&self) -> bool {
        let is_with_volume = |script: &str| script.contains("k8s") && !script.contains("novolume");
        self.env(CLAIM_NAME).is_none() && self.env_value(SCRIPT).known().is_some_and(is_with_volume)
    }
}

impl<'a> Pod<'a> {
    /// The claim that a work volume is made from for each pod; ask the rendered pod.
    pub fn work_claim(&self) -> Option<&'a Value> {
        let claim = self.volume("work")?.at(&["ephemeral", "volumeClaimTemplate", "spec"])?;
        claim.as_map().map(|_| claim)
    }

    /// The ConfigMaps that a file of a volume may come from, each with the key.
    pub fn config_map_keys(&self, volume: &str, path: &str) -> Vec<(&'a str, String)> {
        let Some(volume) = self.volume(volume) else { return Vec::new() };
        let projected = volume.at(&["projected", "sources"]).into_iter().flat_map(Value::items);
        let sources = [volume].into_iter().chain(projected).filter_map(|source| source.get("configMap"));
        sources.filter_map(|source| Some((source.get("name")?.as_str()?, key_of(source, path)?))).collect()
    }
}

/// Access modes of a claim, where all of them are known.
pub fn access_modes(claim: &Value) -> Field<'_, Vec<&str>> {
    Field::of(claim.get("accessModes"), |modes| {
        modes.as_list()?.iter().map(|mode| mode.as_str().filter(|_| !mode.is_unknown())).collect()
    })
}

/// The key that is the file at a path; none where `items` leave it out.
fn key_of(source: &Value, path: &str) -> Option<String> {
    let Some(items) = source.get("items").filter(|items| !items.is_empty()) else { return Some(path.to_owned()) };
    let item = items.items().find(|item| item.get("path").and_then(Value::as_str) == Some(path))?;
    item.get("key").and_then(Value::as_str).map(str::to_owned)
}
