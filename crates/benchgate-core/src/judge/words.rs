//! Numbers in reasons.

/// A fraction as a percentage with one decimal.
pub(super) fn percent(fraction: f64) -> String {
    format!("{:.1} %", fraction * 100.0)
}
