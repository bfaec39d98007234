//! A chart's files into a [`Chart`].

use std::collections::BTreeMap;

use rustc_hash::FxHashSet;

use super::{Chart, Dependency, Import};
use crate::syntax::scalar::{Dialect, Scalar, resolve};
use crate::syntax::{Node, NodeRef, TreeId, Trees, yaml};
use crate::text::decode::decode;
use crate::text::{Encoding, Sources};
use crate::values::{Data, HelmError, LayerId, Origin, Value};

/// Charts in charts in charts: deeper ones are not read.
const MAX_NESTING: usize = 20;

type Files = BTreeMap<String, Vec<u8>>;

impl Chart {
    /// Reads a chart from its files (paths relative to the chart's folder, with `/`), with nested
    /// charts as folders and `.tgz` in `charts/`. `folder` prefixes the names of sources (empty: none).
    pub fn load(files: &Files, folder: &str, sources: &mut Sources, trees: &mut Trees) -> Result<Self, HelmError> {
        Self::load_with(files, folder, true, &|_| None, sources, trees)
    }

    /// [`Chart::load`] for a folder (`is_file`: findings may stand in its files) or an archive; `known`
    /// gives trees that were read before, by the name of the source.
    pub fn load_with(
        files: &Files,
        folder: &str,
        is_file: bool,
        known: &dyn Fn(&str) -> Option<TreeId>,
        sources: &mut Sources,
        trees: &mut Trees,
    ) -> Result<Self, HelmError> {
        Loader { known, sources, trees }.chart(files, folder, is_file, 0)
    }
}

struct Loader<'a> {
    known: &'a dyn Fn(&str) -> Option<TreeId>,
    sources: &'a mut Sources,
    trees: &'a mut Trees,
}

impl Loader<'_> {
    fn chart(&mut self, files: &Files, folder: &str, is_file: bool, nesting: usize) -> Result<Chart, HelmError> {
        let Some(metadata) = files.get("Chart.yaml") else {
            return Err(HelmError::new("Chart.yaml file is missing"));
        };
        let metadata = self.tree(metadata, &join(folder, "Chart.yaml"), is_file)?;
        let requirements = match files.get("requirements.yaml") {
            Some(bytes) => Some(self.tree(bytes, &join(folder, "requirements.yaml"), is_file)?),
            None => None,
        };
        let values = match files.get("values.yaml") {
            Some(bytes) => Some(self.tree(bytes, &join(folder, "values.yaml"), is_file)?),
            None => None,
        };
        let mut chart = self.metadata(metadata, requirements)?;
        chart.values = values;
        chart.schema = files.get("values.schema.json").map(|bytes| String::from_utf8_lossy(bytes).into_owned());
        if nesting < MAX_NESTING {
            self.nested(&mut chart, files, folder, is_file, nesting)?;
        }
        Ok(chart)
    }

    fn tree(&mut self, bytes: &[u8], name: &str, is_file: bool) -> Result<TreeId, HelmError> {
        if let Some(tree) = (self.known)(name) {
            return Ok(tree);
        }
        let base = name.rsplit('/').next().unwrap_or(name);
        let decoded = decode(bytes.to_vec()).map_err(|error| HelmError::new(format!("cannot load {base}: {error}")))?;
        let (text, encoding): (std::sync::Arc<str>, Encoding) = (decoded.text.into(), decoded.encoding);
        let source = self.sources.add(name, text.clone(), encoding, is_file);
        Ok(self.trees.add(yaml::parse(text, source)))
    }

    fn metadata(&self, metadata: TreeId, requirements: Option<TreeId>) -> Result<Chart, HelmError> {
        let Some(tree) = self.trees.get(metadata) else {
            return Ok(Chart::default());
        };
        if let Some(error) = tree.errors.iter().find(|error| !error.duplicate) {
            return Err(HelmError::new(format!("cannot load Chart.yaml: {}", error.message)));
        }
        let root = tree.root();
        let text = |key: &str| root.and_then(|root| scalar(root, key)).unwrap_or_default();
        let kind = text("type");
        if text("name").is_empty() {
            return Err(HelmError::new("validation: chart.metadata.name is required"));
        }
        let listed = |tree: TreeId| {
            let node = self.trees.get(tree)?.root()?.get("dependencies")?;
            node.kind().is_seq().then(|| node.items().map(|item| self.dependency(tree, item.follow())).collect())
        };
        let dependencies: Option<Vec<Dependency>> = requirements.and_then(listed).or_else(|| listed(metadata));
        if let Some(twice) = twice(dependencies.as_deref().unwrap_or_default()) {
            return Err(HelmError::new(format!("validation: more than one dependency with name or alias {twice:?}")));
        }
        let mut chart = Chart {
            name: text("name"),
            version: text("version"),
            library: kind == "library",
            dependencies,
            ..Chart::default()
        };
        let node_of = |tree: TreeId| self.trees.get(tree)?.root()?.get("dependencies");
        chart.refused = chart.validate(&kind, requirements.and_then(node_of).or_else(|| node_of(metadata)));
        Ok(chart)
    }

    fn dependency(&self, tree: TreeId, node: Node<'_>) -> Dependency {
        let text = |key: &str| scalar(node, key).unwrap_or_default();
        let list = |key: &str| node.get(key).into_iter().flat_map(Node::items).map(Node::follow);
        Dependency {
            name: text("name"),
            version: text("version"),
            alias: text("alias"),
            condition: text("condition"),
            tags: list("tags").map(|tag| tag.text().to_owned()).collect(),
            imports: list("import-values").filter_map(|item| import(tree, item)).collect(),
        }
    }

    fn nested(
        &mut self,
        chart: &mut Chart,
        files: &Files,
        folder: &str,
        is_file: bool,
        nesting: usize,
    ) -> Result<(), HelmError> {
        let mut folders: BTreeMap<&str, Files> = BTreeMap::new();
        for (path, bytes) in files {
            let Some(path) = path.strip_prefix("charts/").filter(|path| !path.ends_with(".prov")) else {
                continue;
            };
            let (name, rest) = path.split_once('/').unwrap_or((path, ""));
            folders.entry(name).or_default().insert(rest.to_owned(), bytes.clone());
        }
        for (name, mut files) in folders {
            if name.starts_with(['_', '.']) {
                continue;
            }
            let folder = join(folder, &format!("charts/{name}"));
            let mut is_file = is_file;
            if name.ends_with(".tgz") {
                files = Chart::unpack(files.get("").map(Vec::as_slice).unwrap_or_default())?;
                is_file = false;
            } else {
                files.remove("");
                if files.is_empty() {
                    let stray = || format!("error unpacking subchart {name}: Chart.yaml file is missing");
                    chart.refused.get_or_insert_with(stray);
                    continue;
                }
            }
            let below = self.chart(&files, &folder, is_file, nesting + 1);
            chart.charts.push(below.map_err(|error| HelmError {
                message: format!("error unpacking subchart {name}: {}", error.message),
                at: error.at,
            })?);
        }
        Ok(())
    }
}

fn join(folder: &str, name: &str) -> String {
    if folder.is_empty() { name.to_owned() } else { format!("{}/{name}", folder.trim_end_matches('/')) }
}

/// A name or alias that two entries go by.
fn twice(dependencies: &[Dependency]) -> Option<&str> {
    let mut seen = FxHashSet::default();
    let names = dependencies.iter().map(|entry| if entry.alias.is_empty() { &entry.name } else { &entry.alias });
    names.map(String::as_str).find(|name| !seen.insert(*name))
}

/// A scalar under a key that is not null.
fn scalar(node: Node<'_>, key: &str) -> Option<String> {
    let value = node.get(key).filter(|value| value.kind().is_scalar())?;
    match resolve(value, Dialect::Helm) {
        Ok(Scalar::Null) | Err(_) => None,
        Ok(_) => Some(value.text().to_owned()),
    }
}

pub(super) fn is_null(node: Node<'_>) -> bool {
    matches!(resolve(node, Dialect::Helm), Ok(Scalar::Null))
}

fn import(tree: TreeId, node: Node<'_>) -> Option<Import> {
    if node.kind().is_map() {
        let part = |key: &str| Box::new(node.get(key).map_or_else(null, |value| plain(tree, value)));
        return Some(Import::Table { child: part("child"), parent: part("parent") });
    }
    match plain(tree, node).data {
        Data::String(name) => Some(Import::Export(name)),
        _ => None,
    }
}

fn null() -> Value {
    Value::new(Data::Null, Origin { layer: LayerId(0), node: None })
}

fn plain(tree: TreeId, node: Node<'_>) -> Value {
    let data = match resolve(node, Dialect::Helm) {
        Ok(Scalar::Bool(value)) => Data::Bool(value),
        Ok(Scalar::Int(value)) => Data::Float(value as f64),
        Ok(Scalar::Float(value)) => Data::Float(value),
        Ok(Scalar::String(text)) => Data::String(text),
        Ok(Scalar::Null) | Err(_) => Data::Null,
    };
    Value::new(data, Origin { layer: LayerId(0), node: Some(NodeRef { tree, node: node.id }) })
}
