//! Each step of the decision.

use super::super::taint::tests::{list, map, value};
use super::*;
use crate::values::{Data, Value};
use crate::view::Object;

/// A document, as YAML would have it.
pub(in crate::view::scheduling) fn read(yaml: &str) -> &'static Value {
    fn convert(json: &serde_json::Value) -> Value {
        match json {
            serde_json::Value::Null => value(Data::Null),
            serde_json::Value::Bool(flag) => value(Data::Bool(*flag)),
            serde_json::Value::Number(number) => value(Data::Int(number.as_i64().unwrap())),
            serde_json::Value::String(text) => value(Data::String(text.clone())),
            serde_json::Value::Array(items) => list(items.iter().map(convert).collect()),
            serde_json::Value::Object(entries) => {
                map(&entries.iter().map(|(key, value)| (key.as_str(), convert(value))).collect::<Vec<_>>())
            }
        }
    }
    Box::leak(Box::new(convert(&serde_yaml::from_str(yaml).unwrap())))
}

const CLASS: &str = "nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}";

pub(in crate::view::scheduling) fn pools(node: &str, labels: &str, others: &[&str]) -> Vec<NodePool<'static>> {
    let pool = format!(
        "{{apiVersion: karpenter.sh/v1, kind: NodePool, metadata: {{name: ci, labels: {{own: ci}}}}, spec: {{limits: {{cpu: 8}}, template: {{metadata: {{labels: {{{labels}}}}}, spec: {{{CLASS}, {node}}}}}}}}}"
    );
    let texts = std::iter::once(pool.as_str()).chain(others.iter().copied());
    let objects: Vec<Object<'static>> = texts.flat_map(|text| Object::all(read(text))).collect();
    NodePool::all(Box::leak(objects.into_boxed_slice()))
}

/// `yes`, `unknown`, or the names of what is missed.
fn fit(pod: &str, pools: &[NodePool<'_>]) -> String {
    let placement = Placement::of_spec(read(pod));
    match Fit::of(&placement, &pools[0]) {
        Fit::Yes => "yes".to_owned(),
        Fit::Unknown => "unknown".to_owned(),
        Fit::No(misses) => {
            let name = |miss: &Miss<'_, '_>| match miss {
                Miss::Unusable(unusable) => unusable.why.clone(),
                Miss::Taint(taint) => taint.display(),
                Miss::Label(asked, _) => asked.key.to_owned(),
                Miss::Restricted(asked) => format!("restricted {}", asked.key),
                Miss::Fields(_) => "fields".to_owned(),
                Miss::EmptyTerm(_) => "empty".to_owned(),
                Miss::TooLarge(what, _) => format!("size {what}"),
            };
            misses.iter().map(name).collect::<Vec<_>>().join(" + ")
        }
    }
}

fn with_requirement(requirement: &str) -> Vec<NodePool<'static>> {
    pools(&format!("requirements: [{{{requirement}}}]"), "pool: runners", &[])
}

fn plain() -> Vec<NodePool<'static>> {
    with_requirement("key: karpenter.sh/capacity-type, operator: In, values: [on-demand]")
}

#[test]
fn labels_of_the_template_and_requirements_are_one() {
    let pools = plain();
    assert_eq!(fit("{}", &pools), "yes");
    assert_eq!(fit("nodeSelector: {pool: runners}", &pools), "yes");
    assert_eq!(fit("nodeSelector: {pool: other}", &pools), "pool");
    assert_eq!(fit("nodeSelector: {karpenter.sh/nodepool: ci}", &pools), "yes");
    assert_eq!(fit("nodeSelector: {karpenter.sh/nodepool: cd}", &pools), "karpenter.sh/nodepool");
    assert_eq!(fit("nodeSelector: {karpenter.k8s.aws/ec2nodeclass: default}", &pools), "yes");
}

#[test]
fn absent_labels() {
    let pools = plain();
    assert_eq!(fit("nodeSelector: {workload: ci}", &pools), "workload");
    assert_eq!(fit("nodeSelector: {own: ci}", &pools), "own");
    assert_eq!(fit("nodeSelector: {kubernetes.io/arch: arm64}", &pools), "yes");
    assert_eq!(fit("nodeSelector: {beta.kubernetes.io/arch: arm64}", &pools), "yes");
    assert_eq!(
        fit("nodeSelector: {node.kubernetes.io/instance-family: m5}", &pools),
        "node.kubernetes.io/instance-family"
    );
    let term = |expression: &str| {
        format!(
            "affinity: {{nodeAffinity: {{requiredDuringSchedulingIgnoredDuringExecution: {{nodeSelectorTerms: [{{matchExpressions: [{expression}]}}]}}}}}}"
        )
    };
    assert_eq!(fit(&term("{key: workload, operator: NotIn, values: [ci]}"), &pools), "yes");
    assert_eq!(fit(&term("{key: workload, operator: DoesNotExist}"), &pools), "yes");
    assert_eq!(fit(&term("{key: workload, operator: Exists}"), &pools), "workload");
    assert_eq!(fit(&term("{key: karpenter.sh/nodepool, operator: DoesNotExist}"), &pools), "karpenter.sh/nodepool");
}

#[test]
fn an_alias_is_its_successor() {
    let pools = with_requirement("key: beta.kubernetes.io/arch, operator: In, values: [amd64]");
    assert_eq!(fit("nodeSelector: {kubernetes.io/arch: amd64}", &pools), "yes");
    assert_eq!(fit("nodeSelector: {kubernetes.io/arch: arm64}", &pools), "kubernetes.io/arch");
}

#[test]
fn an_existing_custom_key_accepts_any_value() {
    let pools = with_requirement("key: team, operator: Exists");
    assert_eq!(fit("nodeSelector: {team: a}", &pools), "yes");
}

#[test]
fn capacity_type_is_closed() {
    assert_eq!(fit("nodeSelector: {karpenter.sh/capacity-type: spot}", &plain()), "karpenter.sh/capacity-type");
    let open = with_requirement("key: kubernetes.io/arch, operator: In, values: [amd64]");
    assert_eq!(fit("nodeSelector: {karpenter.sh/capacity-type: spot}", &open), "yes");
    assert_eq!(fit("nodeSelector: {karpenter.sh/capacity-type: ondemand}", &open), "karpenter.sh/capacity-type");
    let reserved = with_requirement("key: karpenter.sh/capacity-type, operator: In, values: [reserved]");
    assert_eq!(fit("nodeSelector: {karpenter.sh/capacity-type: on-demand}", &reserved), "karpenter.sh/capacity-type");
}

#[test]
fn intervals() {
    let pools = with_requirement("key: karpenter.k8s.aws/instance-cpu, operator: Gt, values: ['4']");
    assert_eq!(fit("nodeSelector: {karpenter.k8s.aws/instance-cpu: '2'}", &pools), "karpenter.k8s.aws/instance-cpu");
    assert_eq!(fit("nodeSelector: {karpenter.k8s.aws/instance-cpu: '8'}", &pools), "yes");
    // Needs a table of instances: nothing is sure.
    assert_eq!(fit("nodeSelector: {node.kubernetes.io/instance-type: t3.nano}", &pools), "yes");
}

#[test]
fn size() {
    let pools = with_requirement("key: karpenter.k8s.aws/instance-cpu, operator: In, values: ['2', '4']");
    assert_eq!(fit("containers: [{resources: {requests: {cpu: 3}}}]", &pools), "yes");
    assert_eq!(fit("containers: [{resources: {requests: {cpu: 5}}}]", &pools), "size CPU");
    let unreachable = with_requirement("key: karpenter.k8s.aws/instance-cpu, operator: Gt, values: ['15']");
    assert_eq!(fit("{}", &unreachable), "its limit is below its smallest node, which has 16 CPUs");
    let memory = with_requirement("key: karpenter.k8s.aws/instance-memory, operator: Lt, values: ['4097']");
    assert_eq!(fit("containers: [{resources: {limits: {memory: 4Gi}}}]", &memory), "yes");
    assert_eq!(fit("containers: [{resources: {limits: {memory: 5Gi}}}]", &memory), "size memory");
}

#[test]
fn taints() {
    let tainted = |taint: &str| {
        pools(&format!("taints: [{{{taint}}}], startupTaints: [{{key: x, effect: NoSchedule}}]"), "", &[])
    };
    let hard = tainted("key: ci, value: a, effect: NoSchedule");
    assert_eq!(fit("{}", &hard), "ci=a:NoSchedule");
    assert_eq!(fit("tolerations: [{operator: Exists}]", &hard), "yes");
    assert_eq!(fit("tolerations: [{key: ci, value: a}]", &hard), "yes");
    assert_eq!(fit("tolerations: [{key: ci, value: b}]", &hard), "ci=a:NoSchedule");
    assert_eq!(fit("tolerations: '{{ .Values.t }}'", &hard), "unknown");
    assert_eq!(fit("{}", &tainted("key: ci, effect: PreferNoSchedule")), "yes");
    assert_eq!(fit("{}", &tainted("key: ci")), "ci");
    assert_eq!(fit("tolerations: [{key: ci, value: a}]", &tainted("key: ci, value: '${v}'")), "unknown");
}

#[test]
fn terms_are_alternatives() {
    let pools = plain();
    let terms = |terms: &str| {
        format!(
            "affinity: {{nodeAffinity: {{requiredDuringSchedulingIgnoredDuringExecution: {{nodeSelectorTerms: [{terms}]}}}}}}"
        )
    };
    let asks = |value: &str| format!("{{matchExpressions: [{{key: pool, operator: In, values: [{value}]}}]}}");
    assert_eq!(fit(&terms(&format!("{}, {}", asks("legacy"), asks("runners"))), &pools), "yes");
    assert_eq!(fit(&terms(&asks("legacy")), &pools), "pool");
    assert_eq!(fit(&terms("{}"), &pools), "empty");
    assert_eq!(fit(&terms("{matchFields: [{key: metadata.name, operator: In, values: [a]}]}"), &pools), "fields");
    assert_eq!(fit(&terms(&asks("'${POOL}'")), &pools), "unknown");
    assert_eq!(fit(&terms("{matchExpressions: [{key: '{{ k }}', operator: Exists}]}"), &pools), "unknown");
    let refused = "{matchExpressions: [{key: karpenter.sh/provisioner-name, operator: Exists}]}";
    assert_eq!(
        fit(&terms(&format!("{}, {refused}", asks("runners"))), &pools),
        "restricted karpenter.sh/provisioner-name"
    );
}

#[test]
fn a_contradiction_in_the_pod() {
    let pod = |selector: &str, values: &str| {
        let text = format!(
            "nodeSelector: {{pool: {selector}}}\naffinity: {{nodeAffinity: {{requiredDuringSchedulingIgnoredDuringExecution: {{nodeSelectorTerms: [{{matchExpressions: [{{key: pool, operator: In, values: [{values}]}}]}}]}}}}}}"
        );
        Placement::of_spec(read(&text)).contradiction().map(|asked| asked.key)
    };
    assert_eq!(pod("a", "b"), Some("pool"));
    assert_eq!(pod("a", "a, b"), None);
    assert_eq!(pod("a", "'${b}'"), None);
}

#[test]
fn pools_that_make_no_nodes() {
    let old =
        read("{apiVersion: karpenter.sh/v1beta1, kind: NodePool, metadata: {name: a}, spec: {template: {spec: {}}}}");
    let why =
        |pools: &[NodePool<'_>]| pools[0].unusable.as_ref().map(|unusable| unusable.why.clone()).unwrap_or_default();
    let objects = Object::all(old).leak();
    assert!(why(&NodePool::all(objects)).contains("v1beta1"));
    assert!(
        why(&pools("requirements: [{key: karpenter.sh/capacity-type, operator: In, values: [ondemand]}]", "", &[]))
            .contains("on-demand")
    );
    assert!(why(&pools("requirements: []", "karpenter.sh/team: ci", &[])).contains("karpenter.sh/team"));
    let class =
        |name: &str| format!("{{apiVersion: karpenter.k8s.aws/v1, kind: EC2NodeClass, metadata: {{name: {name}}}}}");
    assert!(why(&pools("requirements: []", "", &[&class("other")])).contains("EC2NodeClass `default`"));
    assert_eq!(why(&pools("requirements: []", "", &[&class("default")])), "");
    assert_eq!(why(&pools("requirements: []", "", &[])), "");
}

#[test]
fn nothing_is_sure_of_a_patched_pool() {
    let patch =
        "{apiVersion: karpenter.sh/v1, kind: NodePool, metadata: {name: ci}, spec: {template: {spec: {taints: []}}}}";
    assert_eq!(fit("nodeSelector: {pool: other}", &pools("requirements: []", "", &[patch])), "unknown");
    assert_eq!(fit("nodeSelector: {pool: other}", &pools("requirements: []", "", &[])), "pool");
}

#[test]
fn labels_of_another_provider_are_its_own() {
    let pool = "{apiVersion: karpenter.sh/v1, kind: NodePool, metadata: {name: a}, spec: {template: {spec: {nodeClassRef: {group: karpenter.azure.com, kind: AKSNodeClass, name: d}}}}}";
    let objects = Object::all(read(pool)).leak();
    assert_eq!(fit("nodeSelector: {karpenter.azure.com/sku-family: D}", &NodePool::all(objects)), "yes");
}
