//! Where a chain of ratios has a change that is none of chance.
//!
//! A change comes with one merge, or creeps in over several: so the sum of every window of increments is tested against
//! its own error, and the error of the whole search is divided among all windows (Bonferroni). The most certain window is
//! a change; what is left of it and right of it is searched again.

use serde::Serialize;

use crate::stats;

/// How likely a chain without a change is to show one.
pub const ERROR: f64 = 0.01;

/// Numbers of increments that are tested together.
const WINDOWS: [usize; 12] = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64];

/// Standard error of a median, in median absolute deviations.
const DEVIATIONS: f64 = 1.482_6;

/// With fewer increments their scatter is unknown.
const FEW: usize = 10;

/// A change from one run to the next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Increment {
    /// ln(head / base).
    pub log: f64,
    /// The standard error that the interval below it stands for; 0 if it is exact. A few slow processes widen one side
    /// alone: whether it is slower is decided by this one, whether it is faster by the other.
    pub below: f64,
    /// That of the interval above it.
    pub above: f64,
}

impl Increment {
    /// No change: the same machine code.
    pub const EXACT: Self = Self { log: 0.0, below: 0.0, above: 0.0 };

    fn errors(self) -> [f64; 2] {
        [self.below, self.above]
    }

    /// The error in its direction.
    pub fn error(self) -> f64 {
        if self.log < 0.0 { self.above } else { self.below }
    }
}

/// A change of the level.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Shift {
    /// The first increment of it.
    pub first: usize,
    /// The last increment of it.
    pub last: usize,
    /// ln(after / before).
    pub log: f64,
    /// Its standard error; 0 if it is exact.
    pub error: f64,
}

/// The changes of a chain, the oldest first. In a chain without any, one is found with a probability of at most `error`,
/// as far as the errors of its increments are right.
pub fn shifts(increments: &[Increment], error: f64) -> Vec<Shift> {
    let errors = errors(increments);
    let tests: usize =
        WINDOWS.iter().map(|window| (increments.len() + 1).saturating_sub(*window)).sum();
    let least = stats::normal_quantile(1.0 - error / (2.0 * tests.max(1) as f64));
    let search = Search { increments, errors, least };
    let mut shifts = Vec::new();
    search.within(0, increments.len(), &mut shifts);
    shifts.sort_by_key(|shift: &Shift| shift.first);
    shifts
}

/// The errors of the increments, which may be too small by luck: none is below the scatter of all of them, which changes in
/// fewer than half of them do not move, nor below half of the usual one.
fn errors(increments: &[Increment]) -> Vec<[f64; 2]> {
    let measured: Vec<&Increment> =
        increments.iter().filter(|at| at.below + at.above > 0.0).collect();
    let known: Vec<f64> = measured.iter().flat_map(|at| at.errors()).collect();
    let logs: Vec<f64> = measured.iter().map(|at| at.log.abs()).collect();
    // A few may be the changes themselves.
    let scatter = stats::median(&logs).filter(|_| logs.len() >= FEW).unwrap_or(0.0);
    let least = (DEVIATIONS * scatter).max(stats::median(&known).unwrap_or(0.0) / 2.0);
    let raised = |at: &Increment| match at.below + at.above > 0.0 {
        true => at.errors().map(|error| error.max(least)),
        false => [0.0; 2],
    };
    increments.iter().map(raised).collect()
}

struct Search<'a> {
    increments: &'a [Increment],
    errors: Vec<[f64; 2]>,
    /// Standard errors that a window must be away from zero.
    least: f64,
}

impl Search<'_> {
    fn within(&self, from: usize, to: usize, found: &mut Vec<Shift>) {
        let mut best: Option<(f64, Shift)> = None;
        for window in WINDOWS.into_iter().filter(|window| *window <= to - from) {
            for first in from..=to - window {
                let shift = self.sum(first, first + window - 1);
                let away = shift.log.abs() / shift.error;
                // Without an error any change is certain, and no change is none.
                let away = if shift.log == 0.0 { 0.0 } else { away };
                if away > self.least && best.as_ref().is_none_or(|(most, _)| away > *most) {
                    best = Some((away, shift));
                }
            }
        }
        if let Some((_, shift)) = best {
            self.within(from, shift.first, found);
            self.within(shift.last + 1, to, found);
            found.push(shift);
        }
    }

    fn sum(&self, first: usize, last: usize) -> Shift {
        let window = first..=last;
        let log: f64 = self.increments[window.clone()].iter().map(|at| at.log).sum();
        let side = usize::from(log < 0.0);
        let squares: f64 = self.errors[window].iter().map(|errors| errors[side].powi(2)).sum();
        Shift { first, last, log, error: squares.sqrt() }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn chain(logs: &[f64], error: f64) -> Vec<Increment> {
        logs.iter().map(|log| Increment { log: *log, below: error, above: error }).collect()
    }

    fn found(increments: &[Increment]) -> Vec<(usize, usize, f64)> {
        let round = |log: f64| (log * 1e4).round() / 1e4;
        shifts(increments, ERROR).iter().map(|s| (s.first, s.last, round(s.log))).collect()
    }

    #[test]
    fn a_step_is_the_merge_that_it_came_with() {
        let mut logs = [0.001, -0.001].repeat(20);
        logs[17] += 0.03;
        assert_eq!(found(&chain(&logs, 0.002)), [(17, 17, 0.029)]);
    }

    #[test]
    fn small_steps_of_one_direction_are_one_change() {
        let mut logs = vec![0.0; 40];
        logs[10..18].fill(0.006);
        assert_eq!(found(&chain(&logs, 0.002)), [(10, 17, 0.048)]);
    }

    #[test]
    fn a_slowdown_and_its_repair_are_two_changes() {
        let mut logs = vec![0.0; 30];
        (logs[5], logs[20]) = (0.1, -0.1);
        assert_eq!(found(&chain(&logs, 0.002)), [(5, 5, 0.1), (20, 20, -0.1)]);
    }

    #[test]
    fn exact_values_change_by_the_least_difference_and_not_without_one() {
        let mut logs = vec![0.0; 30];
        logs[7] = 1e-5;
        assert_eq!(shifts(&chain(&logs, 0.0), ERROR).len(), 1);
        assert_eq!(shifts(&chain(&[0.0; 30], 0.0), ERROR), []);
        assert_eq!(shifts(&[], ERROR), []);
    }

    #[test]
    fn a_chain_that_scatters_by_more_than_it_says_has_wider_errors() {
        let logs = [0.02, -0.03, 0.025, -0.02, 0.03, -0.025].repeat(10);
        assert_eq!(found(&chain(&logs, 0.002)), []);
    }

    proptest! {
        #[test]
        fn changes_do_not_overlap_and_are_in_order(
            logs in prop::collection::vec(-0.1..0.1_f64, 0..200), error in 0.0..0.01_f64,
        ) {
            let detected = shifts(&chain(&logs, error), ERROR);
            prop_assert!(detected.windows(2).all(|two| two[0].last < two[1].first));
            prop_assert!(detected.iter().all(|shift| shift.first <= shift.last && shift.last < logs.len()));
        }
    }
}
