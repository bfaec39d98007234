//! A values file's documents into one value.

use super::overlay::merge_files;
use super::read::{Collision, Numbers, documents};
use super::{Data, HelmError, HelmVersion, LayerId, Map, Origin, Value};
use crate::syntax::{TreeId, Trees};

/// The values of a file as this version of Helm reads them, and keys whose winner is chance.
pub(super) fn read(
    trees: &Trees,
    tree: TreeId,
    layer: LayerId,
    helm: HelmVersion,
    of_chart: bool,
) -> Result<(Value, Vec<Collision>), HelmError> {
    let numbers = if of_chart && helm.keeps_chart_numbers() { Numbers::Text } else { Numbers::Float };
    let reads = documents(trees, tree, helm, layer, numbers).map_err(|error| {
        let at = trees.get(tree).map(|tree| tree.location(error.span));
        HelmError { message: error.message, at }
    })?;
    let mut all = Value::new(Data::Map(Map::default()), Origin { layer, node: None });
    let mut collisions = Vec::new();
    for mut read in reads {
        merge_files(&mut all, read.value);
        collisions.append(&mut read.collisions);
    }
    Ok((all, collisions))
}
