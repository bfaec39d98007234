//! Values that stand in the object by which a GitOps controller installs a chart: stacks of one layer.

use super::chart::Charts;
use super::documents;
use super::{ConfigId, Part, Project, Request, Stack, says_something};
use crate::knowledge::ChartRef;
use crate::syntax::{Language, NodeRef, TreeId, embedded};
use crate::text::SourceId;
use crate::values::{HelmVersion, StackInput, ValuesFile, merge};
use crate::view::{Object, Release};

/// Adds a stack for each release of a known chart that says all its values itself. Of patched objects nobody
/// knows what is said.
pub(super) fn add(request: &Request, project: &mut Project, charts: &mut Charts) {
    if project.is_patched || request.only_stack.is_some() {
        return;
    }
    let first = project.stacks.len();
    for inline in found(project) {
        let Some(tree) = tree(project, &inline) else { continue };
        let chart = charts.defaults_of(&inline.chart, &mut project.sources, &mut project.trees);
        let input = StackInput {
            chart: chart.as_ref(),
            files: &[ValuesFile { name: inline.file, tree }],
            // There is one document, whatever stands around it.
            helm: HelmVersion::NEWEST_3,
            skip_schema_validation: true,
            ..StackInput::default()
        };
        match merge(&input, &project.trees) {
            Ok(merged) => project.stacks.push(Stack {
                name: inline.name,
                parts: vec![Part::new(inline.chart, Vec::new(), &merged)],
                merged,
                release: inline.release,
                namespace: inline.namespace,
                siblings: Vec::new(),
                sources: vec![inline.source],
                helm: None,
                is_marked: inline.is_guessed,
                schema: None,
                templates: String::new(),
                inlined: Some(inline.at),
                config: inline.config,
            }),
            Err(error) => project.notes.push(format!("{}: Helm refuses these values: {error}", inline.name)),
        }
    }
    documents::read_in_stacks(project, first);
    project.counts.stacks = project.stacks.len();
}

/// Values in an object, with what the object says of their release.
struct Inline {
    at: NodeRef,
    is_text: bool,
    name: String,
    file: String,
    source: SourceId,
    config: Option<ConfigId>,
    chart: ChartRef,
    is_guessed: bool,
    release: Option<String>,
    namespace: Option<String>,
}

fn found(project: &Project) -> Vec<Inline> {
    let objects: Vec<_> = project.objects.iter().flat_map(|document| Object::all(&document.value)).collect();
    Release::of_objects(&objects).iter().filter_map(|release| read(release, project)).collect()
}

fn read(release: &Release<'_>, project: &Project) -> Option<Inline> {
    let is_alone = release.parameters.is_empty() && release.files.is_empty() && release.path.is_none();
    let is_whole = release.is_whole && is_alone;
    let chart = release.chart_ref().filter(|_| is_whole)?;
    let at = release.values.or(release.text)?.origin.node?;
    let source = project.trees.get(at.tree)?.source;
    let file = project.sources.get(source)?.name.clone();
    let name = release.name.as_ref().map_or_else(|| file.clone(), |name| format!("{file}: {name}"));
    Some(Inline {
        at,
        is_text: release.values.is_none(),
        name,
        file,
        source,
        config: project.file(source).and_then(|file| file.config),
        chart,
        is_guessed: release.version_at.is_none(),
        release: release.name.clone(),
        namespace: release.namespace.map(str::to_owned),
    })
}

/// A tree whose only document are the values; positions are those of the file.
fn tree(project: &mut Project, inline: &Inline) -> Option<TreeId> {
    let host = project.trees.get(inline.at.tree)?;
    let tree = if inline.is_text {
        // A text without a word is as good as none: whatever there is to say of the release stands elsewhere.
        embedded::parse(&project.trees, inline.at, Language::Yaml).filter(says_something)?
    } else {
        host.narrowed(host.node(inline.at.node).follow().id)?
    };
    Some(project.trees.add(tree))
}
