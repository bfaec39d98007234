//! Which fault a finding about a pod or a runner's TOML is, so that values and their rendered output count once.

use super::Finding;
use crate::diagnostic::Fault;
use crate::knowledge::Chart;
use crate::values::Value;
use crate::view::scheduling::Demand;
use crate::view::{Field, GitlabChart, Home, Object, Pod, Release, RunnerConfig, ScaleSet};

impl Finding<'_, '_> {
    /// Says that the fault is in `container` of `pod`; nothing where no known chart is behind it.
    pub fn fault_in(&mut self, pod: &Pod<'_>, container: &str) -> &mut Self {
        self.diagnostic.fault = pod.chart().and_then(|chart| fault(&pod.home, chart.chart, container));
        self
    }

    /// Says that the fault is in a setting of a scale set; nothing where no known chart is behind it.
    pub fn fault_in_set(&mut self, set: &ScaleSet<'_>, setting: &str) -> &mut Self {
        self.diagnostic.fault = set.chart().and_then(|chart| fault(&set.home, chart.chart, setting));
        self
    }

    /// Says that the fault is in a setting of a GitLab Runner chart.
    pub fn fault_in_chart(&mut self, chart: &GitlabChart<'_>, setting: &str) -> &mut Self {
        self.diagnostic.fault = fault(&chart.home, Chart::GitlabRunner, setting);
        self
    }

    /// Says that the fault is in what a setting of a chart's values became in an object beside its pods.
    pub fn fault_in_object(&mut self, object: &Object<'_>, setting: &str) -> &mut Self {
        let fault = |chart: Chart| Fault {
            in_object: true,
            chart: chart.name().to_owned(),
            release: object.label("app.kubernetes.io/instance").or(object.label("release")).map(str::to_owned),
            kind: kind_of(chart).to_owned(),
            container: setting.to_owned(),
        };
        self.diagnostic.fault = object.chart().map(|chart| fault(chart.chart));
        self
    }

    /// Says that the fault is in a release of a known chart, which renders what is judged beside it.
    pub fn fault_in_release(&mut self, release: &Release<'_>, setting: &str) -> &mut Self {
        let Some(chart) = release.chart else { return self };
        let named = match release.setting(&["runnerScaleSetName"], Value::as_str) {
            Field::Absent | Field::Present("", _) => release.name.as_deref(),
            field => field.known(),
        };
        self.diagnostic.fault = Some(Fault {
            in_object: false,
            chart: chart.as_labelled().name().to_owned(),
            release: named.map(|name| name.replace('_', "-")),
            kind: kind_of(chart).to_owned(),
            container: setting.to_owned(),
        });
        self
    }

    /// Says that the fault is in a runner's TOML, at the place where the finding points; nothing where no chart wrote it.
    pub fn fault_in_config(&mut self, config: &RunnerConfig<'_>) -> &mut Self {
        let release = match &config.home {
            Home::Values(stack, _) => stack.release,
            Home::Object(object) if object.chart().is_some_and(|chart| chart.chart == Chart::GitlabRunner) => {
                object.label("release").or(object.label("app.kubernetes.io/instance"))
            }
            Home::Object(_) | Home::File => return self,
        };
        let path = self.diagnostic.primary.as_ref().map_or("", |label| label.path.as_str());
        let inner = path.rsplit_once(" > ").map_or(path, |(_, inner)| inner);
        self.diagnostic.fault = Some(Fault {
            in_object: matches!(config.home, Home::Object(_)),
            chart: Chart::GitlabRunner.name().to_owned(),
            release: release.map(str::to_owned),
            kind: "ConfigMap".to_owned(),
            container: format!("{inner}: {}", self.diagnostic.message),
        });
        self
    }

    /// Says that the fault is in what pods ask of nodes; `name` tells apart what they ask for.
    pub fn fault_in_demand(&mut self, demand: &Demand<'_>, name: &str) -> &mut Self {
        match demand.config {
            Some(config) => self.fault_in_config(config),
            None => self.fault_in(&demand.pod, name),
        }
    }
}

fn fault(home: &Home<'_>, chart: Chart, place: &str) -> Option<Fault> {
    let (kind, release) = match home {
        Home::Values(stack, part) => {
            // A scale set's objects are labelled with its own name, which is the release's without one.
            let named = part.values.get("runnerScaleSetName").filter(|_| chart.is_scale_set());
            let release = match Field::of(named, Value::as_str) {
                Field::Absent | Field::Present("", _) => stack.release,
                field => field.known(),
            };
            (kind_of(chart), release)
        }
        Home::Object(object) => (object.kind, object.label("app.kubernetes.io/instance").or(object.label("release"))),
        Home::File => return None,
    };
    Some(Fault {
        in_object: matches!(home, Home::Object(_)),
        chart: chart.as_labelled().name().to_owned(),
        // As the chart writes it into the label.
        release: release.map(|release| release.replace('_', "-")),
        kind: kind.to_owned(),
        container: place.to_owned(),
    })
}

/// The kind of object that a chart writes its pods into.
fn kind_of(chart: Chart) -> &'static str {
    match chart {
        Chart::GhaRunnerScaleSet | Chart::GhaRunnerScaleSetExperimental => "AutoscalingRunnerSet",
        Chart::GhaRunnerScaleSetController
        | Chart::GhaRunnerScaleSetControllerExperimental
        | Chart::ActionsRunnerController
        | Chart::GitlabRunner => "Deployment",
    }
}
