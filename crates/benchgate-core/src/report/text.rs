//! Formats numbers and names for people.

use std::borrow::Cow;

use crate::model::{Change, Evidence, Finding, Metric, Rounds};
use crate::result::BenchmarkReport;

/// A value of a metric in its precision; a dash if there is none.
pub(super) fn value(metric: &Metric, unit: &str, value: Option<f64>) -> String {
    value.map_or_else(|| "–".to_owned(), |value| metric.with_unit(unit).show(value))
}

/// The metric's name as a suffix of a benchmark's name; empty for the time.
pub(super) fn metric_name(metric: &Metric) -> String {
    if *metric == Metric::TIME { String::new() } else { format!(" {}", metric.name()) }
}

/// A fraction as a signed percentage: `+12.3 %`.
pub(super) fn percent(fraction: f64) -> String {
    format!("{} %", signed(fraction))
}

/// The change of the instructions of one iteration, in which hundredths of a percent matter; a dash if they were not
/// counted.
pub(super) fn more_instructions(row: &BenchmarkReport) -> String {
    let change = row.evidence.more_instructions();
    change.map_or_else(|| "–".to_owned(), |change| format!("{:+.2} %", change * 100.0))
}

/// A fraction as a percentage without a direction: `12.3 %`.
pub(super) fn size(fraction: f64) -> String {
    percent(fraction.abs()).trim_start_matches('+').to_owned()
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

/// The interval of a row's change, in percent; `None` of an exact count and of single values, which have none.
pub(super) fn interval(row: &BenchmarkReport) -> Option<String> {
    let has_bound = |change: &&Change| change.lower.or(change.upper).is_some();
    row.change.as_ref().filter(|_| !row.metric.is_count()).filter(has_bound).map(bounds)
}

/// In how many of the pairs that decided head was slower than base: `slower in 15 of 15 pairs`. `None` without pairs, and
/// for a note that something else than their values proves.
pub(super) fn agreement(row: &BenchmarkReport) -> Option<String> {
    let Evidence { rounds, confirmation, .. } = &*row.evidence;
    let is_by_values = row.finding != Finding::Note
        || row.change.is_some_and(|change| change.estimate > row.thresholds.note);
    if row.pairs == 0 || !is_by_values {
        return None;
    }
    let Rounds { base, head } = if confirmation.is_empty() { rounds } else { confirmation };
    let slower = base.iter().zip(head).filter(|(base, head)| head > base).count();
    Some(format!("slower in {slower} of {} pairs", base.len()))
}

/// A line of a file; empty where neither is known.
pub(super) fn place(file: &str, line: u32) -> String {
    match (file, line) {
        ("", _) => String::new(),
        (file, 0) => file.to_owned(),
        (file, line) => format!("{file}:{line}"),
    }
}

/// A name of code with its place, where that is known: "`f`, src/a.rs:3".
pub(super) fn located(name: String, place: &str, plain: impl Fn(&str) -> String) -> String {
    if place.is_empty() { name } else { format!("{name}, {}", plain(place)) }
}

/// A count with commas between its thousands.
pub(super) fn thousands(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A line of plain text: no control character, none that turns the direction of writing.
pub(crate) fn one_line(text: &str) -> Cow<'_, str> {
    // Nearly every name is plain: borrowing avoids ten thousand copies.
    if text.bytes().all(|byte| byte == b' ' || byte.is_ascii_graphic()) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.chars().map(|c| if is_unsafe(c) { '\u{fffd}' } else { c }).collect())
}

/// Control characters, and invisible ones that change how others are displayed.
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

/// A duration in seconds or minutes.
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
