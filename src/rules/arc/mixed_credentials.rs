//! A token and an app at once: the controller refuses both.

use crate::rule::Checker;
use crate::values::{Data, Value};
use crate::view::{Fleet, Home, Object, ScaleSet};

const TOKEN: &str = "github_token";
const APP: [&str; 3] = ["github_app_id", "github_app_installation_id", "github_app_private_key"];

pub(crate) fn check(fleet: &Fleet<'_>, checker: &mut Checker<'_>) {
    for set in &fleet.scale_sets() {
        let Some(given) = set.at(&["githubConfigSecret"]) else { continue };
        let secret = given.as_str().and_then(|name| secret(fleet, set, name));
        let blocks = match secret {
            None => vec![given],
            Some(secret) => ["data", "stringData"].iter().filter_map(|key| secret.value.get(key)).collect(),
        };
        let Some((token, app_key, app)) = both(&blocks) else { continue };
        let (later, key, other) =
            if app.origin.layer > token.origin.layer { (app, TOKEN, token) } else { (token, app_key, app) };
        // The whole block says it, unless a layer above it gave one of the two.
        let block = blocks.iter().copied().filter(|block| block.origin.layer == later.origin.layer);
        let message = format!(
            "the credentials hold `{TOKEN}` and `{app_key}` at once: the controller refuses them and makes no listener"
        );
        checker
            .report_first(block.chain(later.history()), message)
            .related(other.origin.node, format!("`{key}` is set here"))
            .fault_in_set(set, "githubConfigSecret")
            .help(format!("keep one kind; in an overlay take the other away with `{key}: null`"));
    }
}

/// The Secret that a scale set names, where it is in view.
fn secret<'f, 'a>(fleet: &'f Fleet<'a>, set: &ScaleSet<'_>, name: &str) -> Option<&'f Object<'a>> {
    let namespace = match &set.home {
        Home::Values(stack, _) => Some(stack.namespace?),
        Home::Object(object) => object.namespace,
        Home::File => return None,
    };
    let is_it = |object: &&Object<'_>| object.kind == "Secret" && object.name == name && object.namespace == namespace;
    fleet.objects.iter().find(is_it)
}

/// The token and the first part of an app, where both are given.
fn both<'a>(blocks: &[&'a Value]) -> Option<(&'a Value, &'static str, &'a Value)> {
    let given = |key: &str| blocks.iter().find_map(|block| block.get(key)).filter(|value| is_given(value));
    Some((given(TOKEN)?, APP.into_iter().find(|key| given(key).is_some())?, APP.into_iter().find_map(given)?))
}

/// Empty texts, the chart's own default among them, are no credentials; what is templated may be empty.
fn is_given(value: &Value) -> bool {
    match &value.data {
        Data::String(text) => !text.is_empty() && !value.is_unknown(),
        Data::Int(_) | Data::Float(_) | Data::Number(_) => true,
        _ => false,
    }
}
