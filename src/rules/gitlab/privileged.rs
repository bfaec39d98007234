//! A runner whose jobs can take over their node.

use crate::rule::Checker;
use crate::view::{Executor, Field, Runner, RunnerConfig};

pub(crate) fn check(config: &RunnerConfig<'_>, checker: &mut Checker<'_>) {
    for runner in config.runners(checker.trees()) {
        if let Field::Present(true, value) = privileged(&runner) {
            checker
                .report_value(value, "every container of every job runs privileged: a job can take over its node")
                .fault_in_config(config)
                .help("build images without a daemon (BuildKit rootless, buildah), or give such jobs a runner and nodes of their own");
        }
        if let Some(socket) = runner.host_socket() {
            checker
                .report_value(socket, "jobs get the node's Docker socket: with it a job can take over its node")
                .fault_in_config(config)
                .help("build images without the node's daemon (BuildKit rootless, buildah, a dind service)");
        }
    }
}

fn privileged<'a>(runner: &Runner<'a>) -> Field<'a, bool> {
    match runner.executor {
        Executor::Kubernetes => runner.flag(&["kubernetes", "privileged"]),
        Executor::Docker => runner.flag(&["docker", "privileged"]),
        Executor::Other | Executor::Unknown => Field::Unknown(None),
    }
}
