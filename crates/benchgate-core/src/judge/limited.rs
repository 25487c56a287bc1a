//! The values that a rule limits, and whether they prove that its limit is exceeded.

use super::looks::{Attempt, BOUND_ERROR};
use crate::model::{EarlierPairs, Evidence, Side, Stage};
use crate::stats;

/// The rounds of one side of a benchmark, and how many of them each earlier attempt measured.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct OneSide<'a> {
    rounds: &'a [f64],
    earlier: &'a [EarlierPairs],
}

impl<'a> OneSide<'a> {
    pub(crate) fn new(rounds: &'a [f64], earlier: &'a [EarlierPairs]) -> Self {
        Self { rounds, earlier }
    }

    pub(crate) fn of(evidence: &'a Evidence, side: Side) -> Self {
        Self::new(&evidence.rounds[side], &evidence.earlier)
    }

    pub(crate) fn is_empty(self) -> bool {
        self.rounds.is_empty()
    }

    fn by_attempt(self) -> Vec<&'a [f64]> {
        let mut rest = self.rounds;
        let mut attempts = Vec::with_capacity(self.earlier.len() + 1);
        for pairs in self.earlier {
            let (own, later) = rest.split_at(pairs.of(Stage::Screening).min(rest.len()));
            attempts.push(own);
            rest = later;
        }
        attempts.push(rest);
        attempts
    }
}

/// The values that a rule limits: those of a benchmark, or their share of another one's.
#[derive(Clone, Debug)]
pub(crate) struct Limited {
    values: Vec<f64>,
    /// How many of them each attempt measured.
    attempts: Vec<usize>,
}

/// A change that raises what a rule limits by less than this share is not what exceeds the limit, if the base's
/// estimate does too. It is the usual threshold of a note.
const RAISED: f64 = 0.02;

impl Limited {
    /// Rounds of equal index in one attempt ran in the same turn of all benchmarks, so a slow phase of the machine
    /// affects both.
    pub(crate) fn new(this: OneSide<'_>, of: Option<OneSide<'_>>) -> Self {
        let attempts: Vec<Vec<f64>> = match of {
            None => this.by_attempt().into_iter().map(<[f64]>::to_vec).collect(),
            Some(of) => this.by_attempt().into_iter().zip(of.by_attempt()).map(shares).collect(),
        };
        Self { values: attempts.concat(), attempts: attempts.iter().map(Vec::len).collect() }
    }

    pub(crate) fn values(&self) -> &[f64] {
        &self.values
    }

    /// How many of them were measured after this number of attempts.
    pub(crate) fn after(&self, attempts: usize) -> usize {
        self.attempts.get(attempts).copied().unwrap_or(0)
    }

    /// Whether the estimate is above the limit.
    pub(crate) fn exceeds(&self, limit: f64) -> bool {
        stats::median(&self.values).is_some_and(|estimate| estimate > limit)
    }

    /// Whether the base exceeds the limit as well, so that an excess is not the change's: by its estimate, and either that is
    /// certain, or it is certain that the change raises the values by less than [`RAISED`]. Shares scatter from process to
    /// process by more than the two sides of a pair.
    pub(crate) fn exceeded_before(&self, base: &Self, limit: f64) -> bool {
        let raised: Vec<f64> =
            self.values.iter().zip(&base.values).map(|(head, base)| head / base).collect();
        base.exceeds(limit)
            && (stats::median_bounds(&base.values, BOUND_ERROR).lower > limit
                || stats::median_bounds(&raised, BOUND_ERROR).upper < 1.0 + RAISED)
    }

    /// The p-value of "the median is at most the limit", over all looks of all attempts.
    pub(crate) fn excess_p(&self, limit: f64) -> f64 {
        let mut before = 0;
        let mut least: f64 = 1.0;
        for (attempt, measured) in Attempt::all().zip(&self.attempts) {
            for (rounds, share) in attempt.rule_looks(*measured) {
                let values = self.values.get(..before + rounds).unwrap_or_default();
                least = least.min(stats::sign_p(values, limit) / share);
            }
            before += measured;
        }
        least
    }
}

fn shares((this, of): (&[f64], &[f64])) -> Vec<f64> {
    this.iter().zip(of).map(|(this, of)| this / of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn earlier(screening: u32) -> EarlierPairs {
        EarlierPairs { screening, confirmation: 0 }
    }

    #[test]
    fn rounds_are_compared_with_those_of_the_same_attempt() {
        let (first, second) = ([earlier(2)], [earlier(3)]);
        let this = OneSide::new(&[1.0, 2.0, 30.0, 40.0], &first);
        let of = OneSide::new(&[1.0, 1.0, 1.0, 10.0], &second);
        let limited = Limited::new(this, Some(of));
        assert_eq!(limited.values(), [1.0, 2.0, 3.0]);
        assert_eq!([0, 1, 2].map(|attempts| limited.after(attempts)), [2, 1, 0]);
        // One of both was not measured again.
        let limited = Limited::new(this, Some(OneSide::new(&[1.0, 1.0, 1.0], &[])));
        assert_eq!((limited.values(), limited.after(1)), (&[1.0, 2.0][..], 0));
    }

    fn p(values: &[f64], earlier: &[EarlierPairs]) -> f64 {
        Limited::new(OneSide::new(values, earlier), None).excess_p(1.0)
    }

    #[test]
    fn an_exceeded_limit_is_proven_with_the_error_that_earlier_attempts_left() {
        let values = [1.1; 20];
        assert_eq!(p(&values, &[]), 0.5_f64.powi(20) / 0.25);
        assert_eq!(p(&values, &[earlier(10)]), 0.5_f64.powi(20) / 0.5 * 32.0);
        assert_eq!(p(&values, &[earlier(5), earlier(5)]), 0.5_f64.powi(20) / 0.5 * 64.0);
    }

    #[test]
    fn an_excess_is_not_the_changes_where_the_base_exceeds_the_limit_and_the_change_hardly_raises_it()
     {
        // Both sides of a pair meet the same machine, which scatters by 20 %.
        let base: Vec<f64> = (0..20).map(|i| 0.93 + 0.01 * f64::from(i)).collect();
        let before = |base: &[f64], raised: f64| {
            let head: Vec<f64> = base.iter().map(|base| base * raised).collect();
            let [head, base] =
                [&head[..], base].map(|values| Limited::new(OneSide::new(values, &[]), None));
            head.exceeded_before(&base, 1.0)
        };
        assert!(before(&base, 1.0) && before(&base, 1.015));
        assert!(!before(&base, 1.02) && !before(&base, 1.2));
        // Certain of the base, whatever the change did.
        assert!(before(&[1.1; 20], 2.0));
        // Not by the estimate of the base.
        assert!(!before(&base.iter().map(|value| value - 0.05).collect::<Vec<_>>(), 1.0));
        // Seven pairs are certain of nothing.
        assert!(!before(&[1.1; 7], 1.0) && !before(&[], 1.0));
    }

    #[test]
    fn only_the_numbers_of_rounds_at_which_a_rule_is_looked_at_prove_anything() {
        assert_eq!(p(&[1.1; 9], &[]), 0.5_f64.powi(9) / 0.5);
        let at = |more: usize| p(&[&[1.1; 10][..], &vec![1.1; more]].concat(), &[]);
        assert_eq!(at(5), 0.5_f64.powi(10) / 0.5);
        assert_eq!(at(12), 0.5_f64.powi(20) / 0.25);
        // Five rounds more cannot be chosen because they agree.
        let disagrees = [&[1.1; 8][..], &[0.9; 2], &[1.1; 5]].concat();
        assert_eq!(p(&disagrees, &[]), p(&disagrees[..10], &[]));
    }

    #[test]
    fn what_an_attempt_proved_a_later_one_that_is_cut_does_not_take_back() {
        let values = [&[1.1; 10][..], &[0.9; 3]].concat();
        assert_eq!(p(&values, &[earlier(10)]), p(&values[..10], &[]));
    }
}
