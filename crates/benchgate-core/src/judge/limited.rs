//! The values that a rule limits, and whether they prove that its limit is exceeded.

use super::looks::Attempt;
use crate::model::{EarlierPairs, Evidence, Stage};
use crate::stats;

/// The head's rounds of a benchmark, and how many of them each earlier attempt measured.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct HeadRounds<'a> {
    rounds: &'a [f64],
    earlier: &'a [EarlierPairs],
}

impl<'a> HeadRounds<'a> {
    pub(crate) fn new(rounds: &'a [f64], earlier: &'a [EarlierPairs]) -> Self {
        Self { rounds, earlier }
    }

    pub(crate) fn of(evidence: &'a Evidence) -> Self {
        Self::new(&evidence.rounds.head, &evidence.earlier)
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
    attempt: Attempt,
}

impl Limited {
    /// Rounds of equal index in one attempt ran in the same turn of all benchmarks, so a slow phase of the machine
    /// affects both.
    pub(crate) fn new(this: HeadRounds<'_>, of: Option<HeadRounds<'_>>) -> Self {
        let attempts: Vec<Vec<f64>> = match of {
            None => this.by_attempt().into_iter().map(<[f64]>::to_vec).collect(),
            Some(of) => this.by_attempt().into_iter().zip(of.by_attempt()).map(shares).collect(),
        };
        let attempt = Attempt::last(attempts.iter().map(Vec::len));
        Self { values: attempts.concat(), attempt }
    }

    pub(crate) fn values(&self) -> &[f64] {
        &self.values
    }

    /// The last attempt that measured any of them.
    pub(crate) fn attempt(&self) -> Attempt {
        self.attempt
    }

    /// Whether the estimate is above the limit.
    pub(crate) fn exceeds(&self, limit: f64) -> bool {
        stats::median(&self.values).is_some_and(|estimate| estimate > limit)
    }

    /// The p-value of "the median is at most the limit", over all looks.
    pub(crate) fn excess_p(&self, limit: f64) -> f64 {
        (stats::sign_p(&self.values, limit) / self.attempt.rule_share()).min(1.0)
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
        let this = HeadRounds::new(&[1.0, 2.0, 30.0, 40.0], &first);
        let of = HeadRounds::new(&[1.0, 1.0, 1.0, 10.0], &second);
        let limited = Limited::new(this, Some(of));
        assert_eq!(limited.values(), [1.0, 2.0, 3.0]);
        assert_eq!(limited.attempt(), Attempt::last([2, 1]));
        // One of both was not measured again.
        let limited = Limited::new(this, Some(HeadRounds::new(&[1.0, 1.0, 1.0], &[])));
        assert_eq!((limited.values(), limited.attempt()), (&[1.0, 2.0][..], Attempt::first(2)));
    }

    #[test]
    fn an_exceeded_limit_is_proven_with_the_error_that_earlier_attempts_left() {
        let values = [1.1; 20];
        let p = |earlier: &[EarlierPairs]| {
            Limited::new(HeadRounds::new(&values, earlier), None).excess_p(1.0)
        };
        assert_eq!(p(&[]), 0.5_f64.powi(20) / 0.25);
        assert_eq!(p(&[earlier(10)]), 0.5_f64.powi(20) / 0.5 * 32.0);
        assert_eq!(p(&[earlier(5), earlier(5)]), 0.5_f64.powi(20) / 0.5 * 64.0);
    }
}
