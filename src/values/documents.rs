//! A values file's documents into one value.

use super::read::{Numbers, documents};
use super::{Data, HelmError, HelmVersion, LayerId, Map, Origin, Value};
use crate::syntax::{TreeId, Trees};

/// The values of a file as this version of Helm reads them.
pub(super) fn read(
    trees: &Trees,
    tree: TreeId,
    layer: LayerId,
    helm: HelmVersion,
    of_chart: bool,
) -> Result<Value, HelmError> {
    let numbers = if of_chart && helm.keeps_chart_numbers() { Numbers::Text } else { Numbers::Float };
    let reads = documents(trees, tree, helm, layer, numbers).map_err(|error| HelmError::new(error.message))?;
    let mut all = Value::new(Data::Map(Map::default()), Origin { layer, node: None });
    for read in reads {
        super::overlay::merge_files(&mut all, read.value);
    }
    Ok(all)
}
