//! Figures and names as people read them.

use std::borrow::Cow;

use crate::model::{Change, Metric};

/// Nanoseconds with four significant digits and a unit.
pub(super) fn time(ns: f64) -> String {
    let (value, unit) = match ns {
        ns if ns < 1e3 => (ns, "ns"),
        ns if ns < 1e6 => (ns / 1e3, "µs"),
        ns if ns < 1e9 => (ns / 1e6, "ms"),
        ns => (ns / 1e9, "s"),
    };
    let decimals = match value {
        value if value < 10.0 => 3,
        value if value < 100.0 => 2,
        value if value < 1000.0 => 1,
        _ => 0,
    };
    format!("{value:.decimals$} {unit}")
}

/// A value of a metric, as precise as it is; a dash where there is none.
pub(super) fn value(metric: Metric, value: Option<f64>) -> String {
    match (metric, value) {
        (_, None) => "–".to_owned(),
        (Metric::Time, Some(ns)) => time(ns),
        (Metric::AllocBlocks | Metric::AllocBytes | Metric::AllocPeak, Some(count)) => {
            format!("{count} {}", metric.unit())
        }
    }
}

/// A fraction as a signed percentage: `+12.3 %`.
pub(super) fn percent(fraction: f64) -> String {
    format!("{} %", signed(fraction))
}

fn signed(fraction: f64) -> String {
    let percent = fraction * 100.0;
    if percent.abs() < 0.05 {
        return "0.0".to_owned();
    }
    // Above a thousand percent a decimal is noise.
    if percent.abs() < 1000.0 { format!("{percent:+.1}") } else { format!("{percent:+.0}") }
}

/// Bounds of a change in percent: `[+10.1, +14.9]`.
pub(super) fn bounds(change: &Change) -> String {
    let bound = |bound: Option<f64>, none: &str| bound.map_or_else(|| none.to_owned(), signed);
    format!("[{}, {}]", bound(change.lower, "−∞"), bound(change.upper, "+∞"))
}

/// How often head was slower than base, over the pairs: `15/15 rounds slower`.
pub(super) fn agreement(base: &[f64], head: &[f64]) -> String {
    let slower = base.iter().zip(head).filter(|(b, h)| h > b).count();
    format!("{slower}/{} rounds slower", base.len())
}

/// One line of plain text: no control character, none that turns the direction of writing.
pub(crate) fn one_line(text: &str) -> Cow<'_, str> {
    // Nearly every name is plain, and ten thousand of them are not worth a copy each.
    if text.bytes().all(|byte| byte == b' ' || byte.is_ascii_graphic()) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.chars().map(|c| if is_unsafe(c) { '\u{fffd}' } else { c }).collect())
}

/// Control characters, and those that show nothing themselves and change how others look.
pub(super) fn is_unsafe(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}'
            | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}')
}

/// `1 benchmark`, `2 benchmarks`.
pub(super) fn count(number: usize, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}

/// Seconds as people say them.
pub(super) fn seconds(seconds: f64) -> String {
    if seconds < 90.0 { format!("{seconds:.0} s") } else { format!("{:.1} min", seconds / 60.0) }
}

/// The first characters of a commit id.
pub(super) fn short(commit: &str) -> &str {
    commit.get(..10).unwrap_or(commit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_four_digits_and_the_unit_that_fits() {
        for (ns, expected) in [
            (0.8124, "0.812 ns"),
            (1.2, "1.200 ns"),
            (999.0, "999.0 ns"),
            (1_000.0, "1.000 µs"),
            (84_570.0, "84.57 µs"),
            (12_345_678.0, "12.35 ms"),
            (2.5e9, "2.500 s"),
            (7.2e12, "7200 s"),
        ] {
            assert_eq!(time(ns), expected);
        }
    }

    #[test]
    fn percentages_are_signed_and_zero_has_no_sign() {
        for (fraction, expected) in [
            (0.1234, "+12.3 %"),
            (-0.0214, "-2.1 %"),
            (0.0004, "0.0 %"),
            (-0.0, "0.0 %"),
            (30.0, "+3000 %"),
        ] {
            assert_eq!(percent(fraction), expected);
        }
    }

    #[test]
    fn a_bound_that_is_missing_is_infinite() {
        let change = Change { estimate: 0.1, lower: Some(-0.02), upper: None };
        assert_eq!(bounds(&change), "[-2.0, +∞]");
    }
}
