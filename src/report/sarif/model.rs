//! The part of SARIF's object model that is written.

use std::borrow::Cow;

use serde::Serialize;

#[derive(Serialize)]
pub(super) struct Log<'a> {
    #[serde(rename = "$schema")]
    pub(super) schema: &'static str,
    pub(super) version: &'static str,
    pub(super) runs: [Run<'a>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Run<'a> {
    pub(super) tool: Tool<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) automation_details: Option<AutomationDetails>,
    pub(super) invocations: [Invocation<'a>; 1],
    pub(super) original_uri_base_ids: BaseIds<'a>,
    pub(super) column_kind: &'static str,
    pub(super) results: Vec<SarifResult<'a>>,
}

#[derive(Serialize)]
pub(super) struct Tool<'a> {
    pub(super) driver: Driver<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Driver<'a> {
    pub(super) name: &'static str,
    pub(super) semantic_version: &'static str,
    pub(super) version: &'static str,
    pub(super) information_uri: &'static str,
    pub(super) rules: Vec<ReportingDescriptor<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ReportingDescriptor<'a> {
    pub(super) id: &'a str,
    pub(super) name: String,
    pub(super) short_description: Message<'a>,
    pub(super) full_description: Message<'a>,
    pub(super) help: Help,
    pub(super) help_uri: String,
    pub(super) default_configuration: Configuration,
    pub(super) properties: Properties<'a>,
}

#[derive(Serialize)]
pub(super) struct Help {
    pub(super) text: String,
    pub(super) markdown: String,
}

#[derive(Serialize)]
pub(super) struct Configuration {
    pub(super) enabled: bool,
    pub(super) level: &'static str,
}

#[derive(Serialize)]
pub(super) struct Properties<'a> {
    pub(super) tags: Vec<&'a str>,
    pub(super) precision: &'static str,
    #[serde(rename = "problem.severity", skip_serializing_if = "Option::is_none")]
    pub(super) problem_severity: Option<&'static str>,
    #[serde(rename = "security-severity", skip_serializing_if = "Option::is_none")]
    pub(super) security_severity: Option<&'static str>,
}

#[derive(Serialize)]
pub(super) struct AutomationDetails {
    pub(super) id: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Invocation<'a> {
    pub(super) execution_successful: bool,
    #[serde(rename = "toolExecutionNotifications", skip_serializing_if = "Vec::is_empty")]
    pub(super) notifications: Vec<Notification<'a>>,
}

#[derive(Serialize)]
pub(super) struct Notification<'a> {
    pub(super) level: &'static str,
    pub(super) message: Message<'a>,
}

#[derive(Serialize)]
pub(super) struct BaseIds<'a> {
    #[serde(rename = "%SRCROOT%")]
    pub(super) root: BaseId<'a>,
}

#[derive(Serialize)]
pub(super) struct BaseId<'a> {
    pub(super) description: Message<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SarifResult<'a> {
    pub(super) rule_id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) rule_index: Option<usize>,
    pub(super) level: &'static str,
    pub(super) message: Message<'a>,
    pub(super) locations: [Location; 1],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) related_locations: Vec<RelatedLocation<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) code_flows: Vec<CodeFlow<'a>>,
    pub(super) partial_fingerprints: Fingerprints<'a>,
}

/// The line's hash is left to the uploader, which warns of one that differs from its own.
#[derive(Serialize)]
pub(super) struct Fingerprints<'a> {
    #[serde(rename = "runnerlint/v1")]
    pub(super) own: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Location {
    pub(super) physical_location: PhysicalLocation,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct RelatedLocation<'a> {
    /// From 1; what links in the message point to.
    pub(super) id: usize,
    pub(super) physical_location: PhysicalLocation,
    pub(super) message: Message<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PhysicalLocation {
    pub(super) artifact_location: ArtifactLocation,
    pub(super) region: Region,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ArtifactLocation {
    pub(super) uri: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) uri_base_id: Option<&'static str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Region {
    pub(super) start_line: usize,
    pub(super) start_column: usize,
    pub(super) end_line: usize,
    pub(super) end_column: usize,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CodeFlow<'a> {
    pub(super) thread_flows: [ThreadFlow<'a>; 1],
}

#[derive(Serialize)]
pub(super) struct ThreadFlow<'a> {
    pub(super) locations: Vec<Step<'a>>,
}

#[derive(Serialize)]
pub(super) struct Step<'a> {
    location: StepLocation<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct StepLocation<'a> {
    physical_location: PhysicalLocation,
    message: Message<'a>,
}

impl<'a> Step<'a> {
    pub(super) fn new(physical_location: PhysicalLocation, message: Message<'a>) -> Self {
        Self { location: StepLocation { physical_location, message } }
    }
}

#[derive(Serialize)]
pub(super) struct Message<'a> {
    text: Cow<'a, str>,
}

impl<'a> Message<'a> {
    pub(super) fn new(text: impl Into<Cow<'a, str>>) -> Self {
        Self { text: text.into() }
    }
}
