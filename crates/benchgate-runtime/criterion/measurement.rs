//! What is measured: wall time, or what the bench brings.

use std::time::{Duration, Instant};

use crate::settings::{Amount, Throughput};

/// Makes text of values.
pub trait ValueFormatter {
    /// Returns a value with its unit.
    fn format_value(&self, value: f64) -> String {
        let mut values = [value];
        let unit = self.scale_values(value, &mut values);
        format!("{:>6} {}", short(values[0]), unit)
    }

    /// Returns a throughput with its unit.
    fn format_throughput(&self, throughput: &Throughput, value: f64) -> String {
        let mut values = [value];
        let unit = self.scale_throughputs(value, throughput, &mut values);
        format!("{:>6} {}", short(values[0]), unit)
    }

    /// Scales values to the unit that fits the typical one.
    fn scale_values(&self, typical_value: f64, values: &mut [f64]) -> &'static str;

    /// Makes throughputs of values, in the unit that fits the typical one.
    fn scale_throughputs(
        &self,
        typical_value: f64,
        throughput: &Throughput,
        values: &mut [f64],
    ) -> &'static str;

    /// Scales values to a unit that is always the same.
    fn scale_for_machines(&self, values: &mut [f64]) -> &'static str;
}

/// A way of measuring.
pub trait Measurement {
    /// What the start of a measurement gives to its end.
    type Intermediate;
    /// What is measured.
    type Value;

    /// Begins to measure.
    fn start(&self) -> Self::Intermediate;
    /// Ends measuring.
    fn end(&self, i: Self::Intermediate) -> Self::Value;
    /// Adds two values.
    fn add(&self, v1: &Self::Value, v2: &Self::Value) -> Self::Value;
    /// Returns the value that adds nothing.
    fn zero(&self) -> Self::Value;
    /// Returns the value as a number.
    fn to_f64(&self, value: &Self::Value) -> f64;
    /// Returns what makes text of values.
    fn formatter(&self) -> &dyn ValueFormatter;
}

/// Wall time.
pub struct WallTime;

impl Measurement for WallTime {
    type Intermediate = Instant;
    type Value = Duration;

    fn start(&self) -> Self::Intermediate {
        Instant::now()
    }
    fn end(&self, i: Self::Intermediate) -> Self::Value {
        i.elapsed()
    }
    fn add(&self, v1: &Self::Value, v2: &Self::Value) -> Self::Value {
        *v1 + *v2
    }
    fn zero(&self) -> Self::Value {
        Duration::from_secs(0)
    }
    fn to_f64(&self, val: &Self::Value) -> f64 {
        val.as_nanos() as f64
    }
    fn formatter(&self) -> &dyn ValueFormatter {
        &DurationFormatter
    }
}

struct DurationFormatter;

impl ValueFormatter for DurationFormatter {
    fn scale_values(&self, ns: f64, values: &mut [f64]) -> &'static str {
        let (factor, unit) = if ns < 1.0 {
            (1e3, "ps")
        } else if ns < 1e3 {
            (1.0, "ns")
        } else if ns < 1e6 {
            (1e-3, "µs")
        } else if ns < 1e9 {
            (1e-6, "ms")
        } else {
            (1e-9, "s")
        };
        values.iter_mut().for_each(|value| *value *= factor);
        unit
    }

    fn scale_throughputs(
        &self,
        typical: f64,
        throughput: &Throughput,
        values: &mut [f64],
    ) -> &'static str {
        let (amount, step, units) = match throughput.amount() {
            Amount::Bits(bits) => (bits, 1e3, ["  b/s", "Kb/s", "Mb/s", "Gb/s"]),
            Amount::Bytes(bytes) => (bytes, 1024.0, ["  B/s", "KiB/s", "MiB/s", "GiB/s"]),
            Amount::BytesDecimal(bytes) => (bytes, 1e3, ["  B/s", "KB/s", "MB/s", "GB/s"]),
            Amount::Elements(elements) | Amount::Both { elements, .. } => {
                (elements, 1e3, [" elem/s", "Kelem/s", "Melem/s", "Gelem/s"])
            }
        };
        let per_second = |ns: f64| amount as f64 * (1e9 / ns);
        let (mut scale, mut unit) = (1.0, 0);
        while unit < 3 && per_second(typical) / scale >= step {
            scale *= step;
            unit += 1;
        }
        values.iter_mut().for_each(|value| *value = per_second(*value) / scale);
        units[unit]
    }

    fn scale_for_machines(&self, _values: &mut [f64]) -> &'static str {
        "ns"
    }
}

/// A number with at least three significant digits, on six columns.
fn short(number: f64) -> String {
    let decimals = match number {
        _ if number < 10.0 => 4,
        _ if number < 100.0 => 3,
        _ if number < 1_000.0 => 2,
        _ if number < 10_000.0 => 1,
        _ => 0,
    };
    format!("{:.*}", decimals, number)
}
