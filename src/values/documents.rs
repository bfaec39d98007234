//! A values file's documents into one value.

use super::{Data, HelmError, HelmVersion, LayerId, Map, Origin, Value};
use crate::syntax::{Kind, Node, NodeRef, TreeId, Trees};

/// The values of a file as this version of Helm reads them.
pub(super) fn read(
    trees: &Trees,
    tree: TreeId,
    layer: LayerId,
    helm: HelmVersion,
    _of_chart: bool,
) -> Result<Value, HelmError> {
    let Some(t) = trees.get(tree) else {
        return Ok(Value::default());
    };
    if let Some(e) = t.errors.iter().find(|e| !e.duplicate) {
        return Err(HelmError::new(e.message.clone()));
    }
    let mut out = Value::new(Data::Map(Map::default()), Origin { layer, node: None });
    for (i, root) in t.roots().enumerate() {
        if i > 0 && !helm.merges_documents() {
            break;
        }
        let v = tmp(root, tree, layer);
        if v.is_null() {
            continue;
        }
        if v.as_map().is_none() {
            return Err(HelmError::new("error unmarshaling JSON"));
        }
        super::overlay::merge_files(&mut out, v);
    }
    Ok(out)
}

fn tmp(node: Node<'_>, tree: TreeId, layer: LayerId) -> Value {
    let node = node.follow();
    let data = if node.kind().is_map() {
        let mut map = Map::default();
        for (k, v) in node.entries() {
            let v = tmp(v, tree, layer);
            if k.text() == "<<" {
                if let Data::Map(m) = v.data {
                    map.entries.extend(m.entries);
                }
                continue;
            }
            map.entries.insert(k.text().to_owned(), v);
        }
        Data::Map(map)
    } else if node.kind().is_seq() {
        Data::List(node.items().map(|n| tmp(n, tree, layer)).collect())
    } else if node.kind() == Kind::Plain {
        match node.text() {
            "null" | "~" => Data::Null,
            "true" | "yes" | "on" => Data::Bool(true),
            "false" | "no" | "off" => Data::Bool(false),
            text => match text.parse::<f64>() {
                Ok(f) if text.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c)) => Data::Float(f),
                _ => Data::String(text.to_owned()),
            },
        }
    } else if node.kind() == Kind::Empty {
        Data::Null
    } else {
        Data::String(node.text().to_owned())
    };
    Value::new(data, Origin { layer, node: Some(NodeRef { tree, node: node.id }) })
}
