//! What pods ask for, in units that pools are measured in.

use crate::values::{Data, Value};
use crate::view::Quantity;

/// Thousandths of a quantity's unit (millicores; bytes times 1000); none where it cannot be read.
pub(crate) fn milli(value: &Value) -> Option<i128> {
    match &value.data {
        Data::Int(number) => Some(i128::from(*number) * 1000),
        Data::Float(number) if number.is_finite() => Some((number * 1000.0) as i128),
        Data::String(text) => Quantity::parse(text).map(Quantity::milli),
        _ => None,
    }
}

/// The least that the containers of a pod ask for together, in thousandths.
pub(crate) fn request(spec: &Value, resource: &str) -> i128 {
    // Charts' values and legacy runner specs have the resources of their one container at the top.
    let containers: Vec<&Value> = match spec.get("containers").and_then(Value::as_list) {
        Some(items) => items.iter().collect(),
        None => vec![spec],
    };
    let asked = |container: &Value| {
        let of = |kind: &str| container.at(&["resources", kind, resource]).and_then(milli);
        // A limit without a request is the request too.
        of("requests").or_else(|| of("limits").filter(|_| container.at(&["resources", "requests", resource]).is_none()))
    };
    containers.into_iter().filter_map(asked).sum()
}

#[cfg(test)]
mod tests {
    use super::super::taint::tests::{list, map, text, value};
    use super::*;

    #[test]
    fn quantities() {
        assert_eq!(milli(&text("500m")), Some(500));
        assert_eq!(milli(&text("2")), Some(2000));
        assert_eq!(milli(&text("1.5")), Some(1500));
        assert_eq!(milli(&text("1Ki")), Some(1_024_000));
        assert_eq!(milli(&value(Data::Int(4))), Some(4000));
        assert_eq!(milli(&text("{{ cpu }}")), None);
        assert_eq!(milli(&text("lots")), None);
    }

    #[test]
    fn a_pod_asks_for_the_sum_of_its_containers() {
        let container = |kind: &str, cpu: &str| map(&[("resources", map(&[(kind, map(&[("cpu", text(cpu))]))]))]);
        let containers = list(vec![container("requests", "2"), container("limits", "500m"), map(&[])]);
        assert_eq!(request(&map(&[("containers", containers)]), "cpu"), 2500);
        assert_eq!(request(&container("requests", "2"), "cpu"), 2000);
    }
}
