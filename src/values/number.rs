//! Numbers as Go prints them.

/// Go's `%v` of a float64, which is what `{{ . }}` prints: `1e+06`, `0.5`.
pub fn go_float(value: f64) -> String {
    match special(value) {
        Some(text) => text.to_owned(),
        None => shortest(&format!("{value:e}"), &format!("{value}")),
    }
}

/// encoding/json's text of a float64: plain digits between 1e-6 and 1e21. Infinities and NaN have none there.
pub fn json_float(value: f64) -> String {
    let size = value.abs();
    if size != 0.0 && !(1e-6..1e21).contains(&size) {
        return with_exponent(&format!("{value:e}"), 1);
    }
    format!("{value}")
}

/// The text that a float64 key gets on its way through JSON: that of the float32 nearest to it.
pub fn key_float(value: f64) -> String {
    let narrow = value as f32;
    match special(f64::from(narrow)) {
        Some("+Inf") => ".inf".to_owned(),
        Some("-Inf") => "-.inf".to_owned(),
        Some(_) => ".nan".to_owned(),
        None => shortest(&format!("{narrow:e}"), &format!("{narrow}")),
    }
}

fn special(value: f64) -> Option<&'static str> {
    if value.is_nan() {
        Some("NaN")
    } else if value == f64::INFINITY {
        Some("+Inf")
    } else if value == f64::NEG_INFINITY {
        Some("-Inf")
    } else {
        None
    }
}

/// Go's `%g` with the shortest digits: with an exponent below -4 and from 6 on.
fn shortest(scientific: &str, plain: &str) -> String {
    let exponent: i32 = scientific.rsplit('e').next().and_then(|text| text.parse().ok()).unwrap_or(0);
    if (-4..6).contains(&exponent) {
        return plain.to_owned();
    }
    with_exponent(scientific, 2)
}

/// Rust's `1.5e-7` with Go's sign and at least `width` digits of exponent.
fn with_exponent(scientific: &str, width: usize) -> String {
    let (digits, exponent) = scientific.split_once('e').unwrap_or((scientific, "0"));
    let (sign, exponent) = match exponent.strip_prefix('-') {
        Some(exponent) => ('-', exponent),
        None => ('+', exponent),
    };
    format!("{digits}e{sign}{exponent:0>width$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printed_as_go_does() {
        let shown = [
            (999999.0, "999999"),
            (123456.789, "123456.789"),
            (0.0001, "0.0001"),
            (1000000.0, "1e+06"),
            (1234567.0, "1.234567e+06"),
            (0.00001, "1e-05"),
            (-0.0, "-0"),
            (1e100, "1e+100"),
        ];
        for (value, text) in shown {
            assert_eq!(go_float(value), text);
        }
        let json =
            [(1e21, "1e+21"), (1e20, "100000000000000000000"), (1e-7, "1e-7"), (0.000001, "0.000001"), (5.0, "5")];
        for (value, text) in json {
            assert_eq!(json_float(value), text);
        }
        let keys = [(123456.789, "123456.79"), (1e3, "1000"), (1.79e308, ".inf"), (f64::NAN, ".nan"), (1e6, "1e+06")];
        for (value, text) in keys {
            assert_eq!(key_float(value), text);
        }
    }
}
