//! The runner charts that we know.

/// A chart whose meaning we know.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Chart {
    /// ARC: one scale set.
    GhaRunnerScaleSet,
    /// ARC: the controller.
    GhaRunnerScaleSetController,
    /// ARC, the experimental schema of a scale set.
    GhaRunnerScaleSetExperimental,
    /// ARC, the experimental schema of the controller.
    GhaRunnerScaleSetControllerExperimental,
    /// Legacy ARC.
    ActionsRunnerController,
    /// GitLab Runner.
    GitlabRunner,
}

impl Chart {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::GhaRunnerScaleSet,
        Self::GhaRunnerScaleSetController,
        Self::GhaRunnerScaleSetExperimental,
        Self::GhaRunnerScaleSetControllerExperimental,
        Self::ActionsRunnerController,
        Self::GitlabRunner,
    ];

    /// The name in `Chart.yaml`.
    pub fn name(self) -> &'static str {
        match self {
            Self::GhaRunnerScaleSet => "gha-runner-scale-set",
            Self::GhaRunnerScaleSetController => "gha-runner-scale-set-controller",
            Self::GhaRunnerScaleSetExperimental => "gha-runner-scale-set-experimental",
            Self::GhaRunnerScaleSetControllerExperimental => "gha-runner-scale-set-controller-experimental",
            Self::ActionsRunnerController => "actions-runner-controller",
            Self::GitlabRunner => "gitlab-runner",
        }
    }

    /// Whether it makes a scale set.
    pub fn is_scale_set(self) -> bool {
        matches!(self, Self::GhaRunnerScaleSet | Self::GhaRunnerScaleSetExperimental)
    }

    /// The chart that the labels of its objects name: the experimental ones label them as the others do.
    pub fn as_labelled(self) -> Self {
        match self {
            Self::GhaRunnerScaleSetExperimental => Self::GhaRunnerScaleSet,
            Self::GhaRunnerScaleSetControllerExperimental => Self::GhaRunnerScaleSetController,
            other => other,
        }
    }

    /// The chart of a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|chart| chart.name() == name)
    }
}

/// A known chart, with its version where that is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChartRef {
    /// The chart.
    pub chart: Chart,
    /// Its version; none: not said.
    pub version: Option<semver::Version>,
}
