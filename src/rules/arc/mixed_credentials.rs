//! A token and an app at once: the controller refuses both.

use crate::knowledge::Chart;
use crate::rule::{Checker, Finding};
use crate::values::{Data, Value};
use crate::view::{Fleet, Home, Object, ScaleSet, may_be_same_namespace};

const TOKEN: &str = "github_token";
const APP: [&str; 3] = ["github_app_id", "github_app_installation_id", "github_app_private_key"];

pub(crate) fn check(fleet: &Fleet<'_>, checker: &mut Checker<'_>) {
    let sets = fleet.scale_sets();
    let mut named = Vec::new();
    for set in &sets {
        let Some(given) = set.at(&["githubConfigSecret"]) else { continue };
        let secret = given.as_str().and_then(|name| secret(fleet, set, name));
        named.extend(secret.map(|secret| secret.value));
        let blocks = secret.map_or_else(|| vec![given], |secret| data(secret));
        if let Some(mut finding) = report(&blocks, checker) {
            finding.fault_in_set(set, "githubConfigSecret");
        }
    }
    let is_made = |secret: &Object<'_>| secret.chart().is_some_and(|chart| chart.chart == Chart::GhaRunnerScaleSet);
    for secret in fleet.objects.iter().filter(|object| object.kind == "Secret" && is_made(object)) {
        if !named.iter().any(|other| std::ptr::eq(*other, secret.value)) {
            report(&data(secret), checker);
        }
    }
}

fn report<'f, 'c>(blocks: &[&Value], checker: &'f mut Checker<'c>) -> Option<Finding<'f, 'c>> {
    let (token, app_key, app) = both(blocks)?;
    let (later, key, other) =
        if app.origin.layer > token.origin.layer { (app, TOKEN, token) } else { (token, app_key, app) };
    // The whole block says it, unless a layer below its own gave the later of the two.
    let block = blocks.iter().copied().filter(|block| block.origin.layer == later.origin.layer);
    let message = format!(
        "the credentials hold `{TOKEN}` and `{app_key}` at once: the controller refuses them and makes no listener"
    );
    let mut finding = checker.report_first(block.chain(later.history()), message);
    finding
        .related(other.origin.node, format!("`{key}` is set here"))
        .help(format!("keep one kind; in an overlay take the other away with `{key}: null`"));
    Some(finding)
}

/// The Secret that a scale set names, where just one in view may be it.
fn secret<'f, 'a>(fleet: &'f Fleet<'a>, set: &ScaleSet<'_>, name: &str) -> Option<&'f Object<'a>> {
    let namespace = match &set.home {
        Home::Values(stack, _) => stack.namespace,
        Home::Object(object) => object.namespace,
        Home::File => None,
    };
    let is_it = |object: &&Object<'_>| {
        object.kind == "Secret" && object.name == name && may_be_same_namespace(object.namespace, namespace)
    };
    let mut found = fleet.objects.iter().filter(is_it);
    found.next().filter(|_| found.next().is_none())
}

fn data<'a>(secret: &Object<'a>) -> Vec<&'a Value> {
    ["data", "stringData"].iter().filter_map(|key| secret.value.get(key)).collect()
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
