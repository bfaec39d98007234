//! Kubernetes objects.

use semver::Version;

use crate::knowledge::{Chart, ChartRef};
use crate::values::Value;

/// A Kubernetes object, from a manifest or from rendered output.
#[derive(Debug, Clone)]
pub struct Object<'a> {
    /// `apiVersion`.
    pub api_version: &'a str,
    /// `kind`.
    pub kind: &'a str,
    /// `metadata.name`; empty where there is none.
    pub name: &'a str,
    /// `metadata.namespace`.
    pub namespace: Option<&'a str>,
    /// The whole object.
    pub value: &'a Value,
}

impl<'a> Object<'a> {
    /// The objects of a document: itself, or the items of a `List`.
    pub fn all(value: &'a Value) -> Vec<Self> {
        match Self::read(value) {
            Some(object) if object.kind == "List" => {
                value.get("items").into_iter().flat_map(Value::items).filter_map(Self::read).collect()
            }
            object => object.into_iter().collect(),
        }
    }

    fn read(value: &'a Value) -> Option<Self> {
        let text = |path: &[&str]| value.at(path).and_then(Value::as_str);
        Some(Self {
            api_version: text(&["apiVersion"])?,
            kind: text(&["kind"])?,
            name: text(&["metadata", "name"]).unwrap_or_default(),
            namespace: text(&["metadata", "namespace"]),
            value,
        })
    }

    /// The group of `apiVersion`; empty for the core group.
    pub fn group(&self) -> &'a str {
        self.api_version.split_once('/').map_or("", |(group, _)| group)
    }

    /// A label of the object.
    pub fn label(&self, key: &str) -> Option<&'a str> {
        self.value.at(&["metadata", "labels", key]).and_then(Value::as_str)
    }

    /// The version that its chart wrote on it, and where: the one that controllers compare, else the chart's name.
    pub fn chart_version(&self) -> Option<(Version, &'a Value)> {
        let label = |key: &str| self.value.at(&["metadata", "labels", key]);
        let of_chart = || Some((self.chart()?.version?, label("helm.sh/chart")?));
        match label("app.kubernetes.io/version") {
            Some(label) => Some((Version::parse(label.as_str()?).ok()?, label)),
            None => of_chart(),
        }
    }

    /// The known chart that rendered it, read from its labels.
    pub fn chart(&self) -> Option<ChartRef> {
        let label = self.label("helm.sh/chart").or_else(|| self.label("chart"))?;
        let digit = |at: &usize| label.as_bytes().get(at + 1).is_some_and(u8::is_ascii_digit);
        let dash = label.match_indices('-').map(|(at, _)| at).find(digit)?;
        let (name, version) = (label.get(..dash)?, label.get(dash + 1..)?);
        let chart = match name {
            "gha-rs" => Chart::GhaRunnerScaleSet,
            "gha-rs-controller" => Chart::GhaRunnerScaleSetController,
            name => Chart::from_name(name)?,
        };
        // Labels cannot hold the `+` of build metadata: charts write `_`.
        Some(ChartRef { chart, version: Version::parse(&version.replace('_', "+")).ok() })
    }
}
