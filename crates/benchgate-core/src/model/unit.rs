//! Units of values: how values are shown and how a budget is written.

/// The unit of a metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Time: `84.57 µs`; a budget is `2us`.
    Nanoseconds,
    /// Memory that scatters: `1.5 MiB`; a budget is `20MiB`.
    Bytes,
    /// A plain number of something.
    Count(&'static str),
    /// A number of something that scatters: `288.2 units`; a budget is `300`.
    Number(&'static str),
}

impl Unit {
    /// The unit as files have it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Nanoseconds => "ns",
            Self::Bytes => "bytes",
            Self::Count(of) | Self::Number(of) => of,
        }
    }

    /// A value as reports show it.
    pub fn show(self, value: f64) -> String {
        match self {
            Self::Nanoseconds => time(value),
            Self::Bytes => bytes(value),
            Self::Count(of) => format!("{value} {of}"),
            Self::Number(of) => Self::number(value, of),
        }
    }

    /// A number of something that scatters, with four digits.
    pub fn number(value: f64, of: &str) -> String {
        scaled(value, &[(1.0, of)])
    }

    /// A budget as policies write it.
    ///
    /// # Errors
    /// Says what is expected.
    pub fn parse(self, text: &str) -> Result<f64, String> {
        match self {
            Self::Nanoseconds => match humantime::parse_duration(text) {
                Ok(duration) if !duration.is_zero() => Ok(duration.as_secs_f64() * 1e9),
                Ok(_) => Err(format!("invalid duration `{text}`: must be > 0")),
                Err(error) => Err(format!(
                    "invalid duration `{text}` ({error}): expected such as \"2us\", \"30ms\" or \"2s\""
                )),
            },
            Self::Bytes => parse_bytes(text),
            Self::Count(of) | Self::Number(of) => Self::parse_count(text, of),
        }
    }

    /// A number of something: `3` or `3 blocks`.
    ///
    /// # Errors
    /// Says what is expected.
    pub fn parse_count(text: &str, of: &str) -> Result<f64, String> {
        let number = text.trim().strip_suffix(of).unwrap_or(text).trim();
        match number.parse::<f64>() {
            Ok(count) if count >= 0.0 && count.is_finite() => Ok(count),
            _ => Err(format!("invalid count `{text}`: expected a number from 0 on")),
        }
    }
}

/// A time with four digits and the unit that suits it.
pub fn time(ns: f64) -> String {
    scaled(ns, &[(1.0, "ns"), (1e3, "µs"), (1e6, "ms"), (1e9, "s")])
}

fn bytes(value: f64) -> String {
    const KIB: f64 = 1024.0;
    scaled(value, &[(1.0, "B"), (KIB, "KiB"), (KIB * KIB, "MiB"), (KIB * KIB * KIB, "GiB")])
}

fn scaled(value: f64, scales: &[(f64, &str)]) -> String {
    let fits = |(scale, _): &&(f64, &str)| value >= *scale;
    let Some((scale, unit)) = scales.iter().rev().find(fits).or(scales.first()) else {
        return format!("{value}");
    };
    let shown = value / scale;
    let decimals = match shown {
        shown if shown >= 1000.0 => 0,
        shown if shown >= 100.0 => 1,
        shown if shown >= 10.0 => 2,
        _ => 3,
    };
    format!("{shown:.decimals$} {unit}")
}

fn parse_bytes(text: &str) -> Result<f64, String> {
    let text = text.trim();
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let scale = match unit.trim() {
        "" | "B" | "bytes" => 1.0,
        "kB" | "KB" => 1e3,
        "MB" => 1e6,
        "GB" => 1e9,
        "KiB" => 1024.0,
        "MiB" => 1024.0 * 1024.0,
        "GiB" => 1024.0 * 1024.0 * 1024.0,
        _ => 0.0,
    };
    match number.parse::<f64>() {
        Ok(amount) if amount > 0.0 && scale > 0.0 => Ok(amount * scale),
        _ => Err(format!("invalid size `{text}`: expected such as \"20MiB\" or \"500kB\"")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_shown_with_four_digits_in_a_unit_that_suits_them() {
        for (value, shown) in [
            (0.26, "0.260 ns"),
            (3.456, "3.456 ns"),
            (84.57, "84.57 ns"),
            (84_570.0, "84.57 µs"),
            (231_200_000.0, "231.2 ms"),
            (5e12, "5000 s"),
        ] {
            assert_eq!(Unit::Nanoseconds.show(value), shown);
        }
        assert_eq!(Unit::Bytes.show(1_572_864.0), "1.500 MiB");
        assert_eq!(Unit::Count("blocks").show(3.0), "3 blocks");
        assert_eq!(Unit::Number("units").show(288.234), "288.2 units");
    }

    #[test]
    fn budgets_are_read_in_the_units_that_people_write() {
        assert_eq!(Unit::Nanoseconds.parse("2us"), Ok(2000.0));
        assert_eq!(Unit::Bytes.parse("1.5 MiB"), Ok(1_572_864.0));
        assert_eq!(Unit::Bytes.parse("500kB"), Ok(500_000.0));
        assert_eq!(Unit::Count("blocks").parse("3 blocks"), Ok(3.0));
        let wrong = [
            Unit::Nanoseconds.parse("fast"),
            Unit::Nanoseconds.parse("0s"),
            Unit::Bytes.parse("-1 MiB"),
            Unit::Bytes.parse("3 potatoes"),
            Unit::Count("blocks").parse("many"),
        ];
        insta::assert_debug_snapshot!(wrong);
    }
}
