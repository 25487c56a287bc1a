//! Differences that do not count: those between several counts of one side, and small ones within the C library.
//!
//! Counts repeat but for what depends on where the heap begins and on what was freed before: how `memcmp` and
//! `malloc` go about their work. Unchanged code ran 0.4 % more instructions, all of them in `malloc`, because the head
//! sets up one more benchmark (`scripts/evidence/explain-fixtures`, `quadratic_loop` on Criterion 0.8.2).

use std::fmt;

use super::attribute::{Attributed, Key, Row};
use crate::model::Sides;

/// The lowest and the highest of several counts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Range {
    low: f64,
    high: f64,
}

impl Range {
    fn of(values: impl Iterator<Item = f64>) -> Self {
        let all = Self { low: f64::INFINITY, high: f64::NEG_INFINITY };
        values.fold(all, |all, value| Self { low: all.low.min(value), high: all.high.max(value) })
    }

    fn width(self) -> f64 {
        self.high - self.low
    }

    /// Their distance, as a fraction.
    pub(super) fn scatter(self) -> f64 {
        self.width() / self.low.max(1.0)
    }
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.0} to {:.0} instructions", self.low, self.high)
    }
}

/// Whether two sides differ by more than each does from itself.
pub(super) fn is_apart(sides: Sides<Range>) -> bool {
    let Sides { base, head } = sides;
    let gap = f64::max(head.low - base.high, base.low - head.high);
    gap > base.width() + head.width()
}

/// Maximum distance of two sides that do the same work: a share of all instructions.
const FLAT: f64 = 0.001;
/// Like `FLAT`, if all of the distance is in the C library.
const FLAT_ELSEWHERE: f64 = 0.01;

/// Whether a difference is large enough, given the number of all instructions. `elsewhere` is the C library's part of it.
pub(super) fn is_large(difference: f64, elsewhere: f64, instructions: f64) -> bool {
    let executable = (difference - elsewhere).abs();
    executable > FLAT * instructions || difference.abs() > FLAT_ELSEWHERE * instructions
}

/// Returns the range of the routine's instructions.
pub(super) fn of_routine(counts: &[Attributed]) -> Range {
    Range::of(counts.iter().map(|count| count.totals.routine))
}

/// Returns the range of one function's instructions.
pub(super) fn of_function(counts: &[Attributed], key: &Key) -> Range {
    Range::of(counts.iter().map(|count| count.rows.get(key).map_or(0.0, Row::instructions)))
}

/// The index of the count in the middle, which is shown.
pub(super) fn middle(counts: &[Attributed]) -> Option<usize> {
    let mut order: Vec<usize> = (0..counts.len()).collect();
    order.sort_by(|a, b| counts[*a].totals.routine.total_cmp(&counts[*b].totals.routine));
    order.get(order.len().saturating_sub(1) / 2).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_differ_when_the_gap_is_wider_than_both_ranges_together() {
        let range = |low, high| Range { low, high };
        let differ = |base, head| is_apart(Sides::new(base, head));
        assert!(differ(range(100.0, 100.0), range(101.0, 101.0)));
        assert!(differ(range(103.0, 103.0), range(100.0, 101.0)));
        assert!(!differ(range(100.0, 102.0), range(103.0, 104.0)));
        assert!(!differ(range(100.0, 102.0), range(101.0, 101.0)));
        assert!(!differ(range(100.0, 100.0), range(100.0, 100.0)));
    }
}
