//! Inputs for the benches, made up from a few shapes and a counter: the same bytes on every run.

use std::fmt::Write as _;

/// About `size` bytes of `helm template` output: services, deployments, config maps and a scale set
/// in every ten documents.
pub(crate) fn rendered(size: usize) -> String {
    let mut text = String::with_capacity(size + 4096);
    let mut n = 0;
    while text.len() < size {
        match n % 10 {
            0 => scale_set(&mut text, n),
            1 | 4 | 7 => service(&mut text, n),
            2 | 5 | 8 => config_map(&mut text, n),
            _ => deployment(&mut text, n),
        }
        n += 1;
    }
    text
}

/// About `size` bytes of a `config.toml`: runners with a cache, volumes and limits, one in ten with a slip.
pub(crate) fn runner_config(size: usize) -> String {
    let mut text = String::with_capacity(size + 4096);
    text.push_str("concurrent = 10000\n");
    let mut n = 0;
    while text.len() < size {
        let limit = if n % 10 == 0 { "memroy_limit" } else { "memory_limit" };
        let _ = write!(
            text,
            "\n[[runners]]\n  name = \"runner-{n}\"\n  url = \"https://git.acme.test\"\n  token = \"glrt-{n}\"\n  executor = \"kubernetes\"\n  \
             request_concurrency = 2\n  environment = [\"A=1\", \"B=2\"]\n  [runners.cache]\n    Type = \"s3\"\n    Shared = true\n    \
             [runners.cache.s3]\n      BucketName = \"cache-{n}\"\n      AuthenticationType = \"iam\"\n  [runners.kubernetes]\n    \
             namespace = \"ci-{n}\"\n    image = \"alpine:3.20\"\n    cpu_limit = \"2\"\n    {limit} = \"4Gi\"\n    \
             helper_memory_limit = \"256Mi\"\n    service_memory_limit = \"1Gi\"\n    [runners.kubernetes.node_selector]\n      \
             \"pool\" = \"ci\"\n    [runners.kubernetes.node_tolerations]\n      \"dedicated=ci\" = \"NoSchedule\"\n    \
             [[runners.kubernetes.volumes.empty_dir]]\n      name = \"certs\"\n      mount_path = \"/certs/client\"\n      medium = \"Memory\"\n"
        );
        n += 1;
    }
    text
}

/// A base and an overlay over it, as a pair of values files of a scale set.
pub(crate) fn overlay_pair(n: usize) -> (String, String) {
    let base = format!(
        "githubConfigUrl: https://github.com/acme-{n}\ngithubConfigSecret: acme-gha-app\nminRunners: 1\nmaxRunners: {max}\n\
         template:\n  spec:\n    containers:\n      - name: runner\n        image: ghcr.io/actions/actions-runner:latest\n        \
         command: [\"/home/runner/run.sh\"]\n        env:\n          - name: HTTP_CACHE\n            value: http://cache-{n}:8080\n        \
         resources:\n          requests: {{cpu: \"1\", memory: 2Gi}}\n          limits: {{memory: 4Gi}}\n",
        max = n % 40
    );
    let overlay = format!(
        "maxRunners: {max}\ntemplate:\n  metadata:\n    annotations:\n      team: \"{n}\"\n  spec:\n    nodeSelector:\n      pool: ci\n",
        max = n % 60
    );
    (base, overlay)
}

fn service(text: &mut String, n: usize) {
    let _ = write!(
        text,
        "---\n# Source: app/templates/service.yaml\napiVersion: v1\nkind: Service\nmetadata:\n  name: app-{n}\n  labels:\n    \
         app.kubernetes.io/name: app\n    app.kubernetes.io/instance: rel-{n}\nspec:\n  type: ClusterIP\n  ports:\n    - port: 8080\n      \
         targetPort: http\n      protocol: TCP\n      name: http\n  selector:\n    app.kubernetes.io/name: app\n"
    );
}

fn config_map(text: &mut String, n: usize) {
    let _ = write!(
        text,
        "---\n# Source: app/templates/configmap.yaml\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: app-{n}\ndata:\n  app.conf: |\n"
    );
    for line in 0..20 {
        let _ = writeln!(text, "    setting_{line} = \"value {n} of a line that is as long as lines are\"");
    }
}

fn deployment(text: &mut String, n: usize) {
    let _ = write!(
        text,
        "---\n# Source: app/templates/deployment.yaml\napiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: app-{n}\n  namespace: apps\nspec:\n  \
         replicas: 2\n  selector:\n    matchLabels:\n      app.kubernetes.io/name: app\n  template:\n    metadata:\n      labels:\n        \
         app.kubernetes.io/name: app\n    spec:\n      serviceAccountName: app\n      containers:\n        - name: app\n          \
         image: \"registry.acme.example/app:{n}\"\n          imagePullPolicy: IfNotPresent\n          ports:\n            - name: http\n              \
         containerPort: 8080\n          env:\n"
    );
    for variable in 0..12 {
        let _ = writeln!(text, "            - name: VARIABLE_{variable}\n              value: \"{n}\"");
    }
    text.push_str(
        "          livenessProbe:\n            httpGet:\n              path: /healthz\n              port: http\n          resources:\n            \
         limits:\n              memory: 512Mi\n            requests:\n              cpu: 100m\n              memory: 256Mi\n",
    );
}

fn scale_set(text: &mut String, n: usize) {
    let _ = write!(
        text,
        "---\n# Source: gha-runner-scale-set/templates/autoscalingrunnerset.yaml\napiVersion: actions.github.com/v1alpha1\nkind: \
         AutoscalingRunnerSet\nmetadata:\n  name: linux-{n}\n  namespace: arc-runners\n  labels:\n    helm.sh/chart: \
         gha-rs-0.14.2\n    app.kubernetes.io/instance: linux-{n}\nspec:\n  githubConfigUrl: https://github.com/acme\n  githubConfigSecret: acme-gha-app\n  \
         maxRunners: 20\n  minRunners: 1\n  template:\n    spec:\n      restartPolicy: Never\n      serviceAccountName: linux-{n}-gha-rs-no-permission\n      \
         containers:\n        - name: runner\n          image: ghcr.io/actions/actions-runner:latest\n          command:\n            - \
         /home/runner/run.sh\n          resources:\n            limits:\n              memory: 4Gi\n            requests:\n              cpu: \"1\"\n              memory: 2Gi\n"
    );
}
