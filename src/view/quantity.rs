//! Amounts, by the grammars of those that read them: Kubernetes' quantities and Docker's sizes.

/// An amount in billionths of its unit, which is as fine as Kubernetes counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Quantity(i128);

/// What the suffix of a quantity multiplies by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Suffix {
    /// Nothing, or an exponent: `2`, `1e3`.
    None,
    /// A fraction: `n`, `u`, `m`.
    Fraction,
    /// A power of 1000: `k` to `E`.
    Decimal,
    /// A power of 1024: `Ki` to `Ei`.
    Binary,
}

const NANO: i32 = 9;

impl Quantity {
    /// Reads what `resource.ParseQuantity` reads: `500m`, `1.5Gi`, `1e3`.
    pub fn parse(text: &str) -> Option<Self> {
        Self::parse_with_suffix(text).map(|(quantity, _)| quantity)
    }

    /// [`Quantity::parse`], and what the suffix was.
    pub fn parse_with_suffix(text: &str) -> Option<(Self, Suffix)> {
        let (sign, rest) = match text.strip_prefix('-') {
            Some(rest) => (-1, rest),
            None => (1, text.strip_prefix('+').unwrap_or(text)),
        };
        let suffix = rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
        let number = rest.strip_suffix(suffix)?;
        let (whole, part) = number.split_once('.').unwrap_or((number, ""));
        let digits = format!("{whole}{part}");
        if digits.is_empty() || part.contains('.') {
            return None;
        }
        let (kind, twos, tens) = scale(suffix)?;
        let amount = digits.parse::<i128>().unwrap_or(i128::MAX).saturating_mul(1_i128.checked_shl(twos)?);
        let tens = tens.saturating_add(NANO).saturating_sub(i32::try_from(part.len()).ok()?);
        let power = 10_i128.checked_pow(tens.unsigned_abs()).unwrap_or(i128::MAX);
        // What is finer than a billionth is rounded away from zero.
        let amount =
            if tens < 0 { amount / power + i128::from(amount % power != 0) } else { amount.saturating_mul(power) };
        Some((Self(sign * amount), kind))
    }

    /// Reads what Docker's `units.RAMInBytes` reads, in bytes: `512m`, `2 GB`, `1.5GiB`.
    pub fn parse_docker(text: &str) -> Option<Self> {
        let end = text.rfind(|c: char| c.is_ascii_digit() || c == '.' || c == ' ')?;
        let (number, suffix) = text.split_at_checked(end + 1)?;
        let number: f64 = number.strip_suffix(' ').unwrap_or(number).parse().ok()?;
        let suffix = suffix.to_ascii_lowercase();
        let factor = match suffix.chars().next() {
            None => 1_i128,
            Some('b') if suffix == "b" => 1,
            Some(unit) => {
                let power = "kmgtp".find(unit)? + 1;
                matches!(suffix.get(1..), Some("" | "b" | "ib")).then_some(())?;
                1024_i128.checked_pow(u32::try_from(power).ok()?)?
            }
        };
        (number.is_finite() && number >= 0.0).then(|| Self::of_units((number * factor as f64) as i128))
    }

    /// So many cores or bytes.
    pub const fn of_units(units: i128) -> Self {
        Self(units.saturating_mul(1_000_000_000))
    }

    /// Thousandths: millicores; bytes times 1000.
    pub fn milli(self) -> i128 {
        self.0 / 1_000_000
    }

    /// Whole cores or bytes.
    pub fn units(self) -> i128 {
        self.0 / 1_000_000_000
    }

    /// Whether it is nothing at all.
    pub fn is_zero(self) -> bool {
        self.0 == 0
    }

    /// Whether it is below nothing, which the grammar allows and the API server refuses.
    pub fn is_negative(self) -> bool {
        self.0 < 0
    }
}

/// The kind of a suffix, and the powers of two and ten that it stands for.
fn scale(suffix: &str) -> Option<(Suffix, u32, i32)> {
    Some(match suffix {
        "" => (Suffix::None, 0, 0),
        "n" => (Suffix::Fraction, 0, -9),
        "u" => (Suffix::Fraction, 0, -6),
        "m" => (Suffix::Fraction, 0, -3),
        "k" => (Suffix::Decimal, 0, 3),
        "M" => (Suffix::Decimal, 0, 6),
        "G" => (Suffix::Decimal, 0, 9),
        "T" => (Suffix::Decimal, 0, 12),
        "P" => (Suffix::Decimal, 0, 15),
        "E" => (Suffix::Decimal, 0, 18),
        "Ki" => (Suffix::Binary, 10, 0),
        "Mi" => (Suffix::Binary, 20, 0),
        "Gi" => (Suffix::Binary, 30, 0),
        "Ti" => (Suffix::Binary, 40, 0),
        "Pi" => (Suffix::Binary, 50, 0),
        "Ei" => (Suffix::Binary, 60, 0),
        _ => (Suffix::None, 0, suffix.strip_prefix(['e', 'E'])?.parse().ok()?),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantities_of_kubernetes() {
        for (text, milli) in [
            ("500m", 500),
            ("2", 2000),
            ("1.5", 1500),
            (".5", 500),
            ("1.", 1000),
            ("+1", 1000),
            ("-1", -1000),
            ("1Ki", 1_024_000),
            ("1.5Ki", 1_536_000),
            ("1e3", 1_000_000),
            ("1E3", 1_000_000),
            ("12e-1", 1200),
            ("1500u", 1),
            ("8589934592", 8_589_934_592_000),
            ("8Gi", 8_589_934_592_000),
        ] {
            assert_eq!(Quantity::parse(text).map(Quantity::milli), Some(milli), "{text}");
        }
        for text in ["", "512MB", "0,5", "1 Gi", "lots", "1.2.3", "m", "1e", "1GiB", "1g", "1K", "{{ cpu }}"] {
            assert_eq!(Quantity::parse(text), None, "{text}");
        }
        assert!(Quantity::parse("0.1n") > Quantity::parse("0"), "rounded up");
        assert!(Quantity::parse("9999999999999999999999999999999999999999Ei") > Quantity::parse("1Ei"));
        assert_eq!(Quantity::parse_with_suffix("1E").map(|(_, suffix)| suffix), Some(Suffix::Decimal));
    }

    #[test]
    fn sizes_of_docker() {
        for (text, bytes) in [
            ("512", 512),
            ("512b", 512),
            ("1k", 1024),
            ("512m", 512 << 20),
            ("512M", 512 << 20),
            ("512MB", 512 << 20),
            ("512MiB", 512 << 20),
            ("1.5g", 3 << 29),
            ("2 GB", 2 << 30),
        ] {
            assert_eq!(Quantity::parse_docker(text).map(Quantity::units), Some(bytes), "{text}");
        }
        for text in ["", "m", "512Mi", "-1", "1x", "512bb", "1,5g", "512mbb", "1 2m"] {
            assert_eq!(Quantity::parse_docker(text), None, "{text}");
        }
    }
}
