//! The tables of facts: each says where it is from, and the charts' defaults are those of the charts.

use std::path::Path;

use runnerlint::knowledge::{self, Chart, ChartRef};

#[test]
fn every_table_says_its_source_and_date() {
    for entry in walkdir::WalkDir::new(Path::new(env!("CARGO_MANIFEST_DIR")).join("rules/data")) {
        let entry = entry.unwrap();
        if entry.file_type().is_file() {
            let text = std::fs::read_to_string(entry.path()).unwrap();
            let head = |name: &str| text.lines().find_map(|line| line.strip_prefix(name));
            let path = entry.path().display();
            assert!(head("# source: ").is_some(), "{path}: source");
            assert!(head("# date: ").is_some_and(|date| date.parse::<jiff::civil::Date>().is_ok()), "{path}: date");
        }
    }
}

/// The charts themselves, where they are at hand.
#[test]
fn defaults_are_those_of_the_charts() {
    let charts = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/helm-oracle/real-charts");
    for chart in Chart::ALL {
        let Ok(real) = std::fs::read_to_string(charts.join(chart.name()).join("values.yaml")) else { continue };
        let real: serde_json::Value = serde_yaml::from_str(&real).unwrap();
        let (_, ours) = knowledge::defaults(&ChartRef { chart, version: None }).unwrap();
        let mut ours: serde_json::Value = serde_yaml::from_str(ours).unwrap();
        // The copy at hand is of a later day than 0.14.2, which had the key.
        if chart == Chart::GhaRunnerScaleSetController {
            ours["flags"].as_object_mut().unwrap().shift_remove("updateStrategy");
        }
        assert_eq!(ours, real, "{}", chart.name());
    }
}
