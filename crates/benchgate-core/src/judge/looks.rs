//! The planned looks at the evidence, and the share of the error of each.
//!
//! Looking repeatedly until something is significant finds significance in pure noise. So the looks are
//! few and fixed before the first round, and each has its own share of the error.

use crate::model::{Shard, Stage};

/// Numbers of screening pairs after which a benchmark is looked at. Six is the minimum that can
/// rule a slowdown out at [`RULED_OUT_ERROR`]; every next look costs about half as much again, so that a
/// benchmark never pays much more than it needed.
pub const SCREENING_LOOKS: [usize; 7] = [6, 10, 15, 22, 30, 45, 60];

/// Chance, per look, of calling a benchmark unchanged whose slowdown is above the note threshold:
/// 2^-6 = 0.016 is the first power of a half below it.
pub const RULED_OUT_ERROR: f64 = 0.02;

/// Error of the bound that makes a candidate. It only chooses what is measured again, so it may be
/// large: 0.011 lets one of ten pairs, or two of fifteen, disagree.
pub const CANDIDATE_ERROR: f64 = 0.011;

/// The same after the last pair, where the choice is between confirmation pairs and leaving it open: the
/// pairs are worth their time when it is more likely slower than not.
pub const LAST_CANDIDATE_ERROR: f64 = 0.1;

/// Error with which the next higher level must be ruled out before a candidate is settled early.
pub const NEXT_LEVEL_ERROR: f64 = 0.1;

/// Numbers of confirmation pairs after which a candidate is looked at, and the share of the error that each
/// look spends. Fifteen pairs let two disagree at half of [`RUN_ERROR`].
pub const CONFIRMATION_LOOKS: [(usize, f64); 4] =
    [(15, 0.5), (30, 0.25), (60, 0.125), (120, 0.125)];

/// The probability that a run of unchanged benchmarks is red, for any number of benchmarks.
pub const RUN_ERROR: f64 = 0.01;

/// The error of one shard of a run: all of them together have that of the run.
pub fn run_error(shard: Option<Shard>) -> f64 {
    RUN_ERROR / f64::from(shard.map_or(1, |shard| shard.of))
}

/// Error of each bound of the interval that is reported: with at most 0.016 on either side it holds
/// the true change in at least 95 of 100 cases, also after early stopping (held by simulation). Six
/// pairs are enough for an interval: 2^-6 = 0.0156.
pub const INTERVAL_ERROR: f64 = 0.016;

/// Each bound behind "unchanged" and "the failing level is ruled out" is wrong with at most this
/// probability. One in two hundred keeps a hundred unchanged benchmarks at half a false bound a run, and the
/// size that a finding also needs keeps the false findings far below that.
pub const BOUND_ERROR: f64 = 0.005;

/// *Unchanged* rules out at least this share of the failing threshold.
pub const RULED_OUT_SHARE: f64 = 0.5;

/// From this look on that is enough, where the estimate is at most [`NEAR_SHARE`] of the note threshold: it takes
/// pairs off what scatters and has not changed. What it costs is in `docs/decision.md`.
pub const RULED_OUT_FROM: usize = 15;

/// How near the estimate must be to no change before the last pair, as a share of the note threshold.
pub const NEAR_SHARE: f64 = 0.5;

/// The minimum number of pairs that can bound a change: 2^-8 is the first power below [`BOUND_ERROR`].
pub const MIN_PAIRS: usize = 8;

/// The share of a threshold that must lie below the lower bound. The whole threshold in the bound
/// would lose half of the slowdowns that are truly above it.
pub const PROVEN_SHARE: f64 = 0.5;

impl Stage {
    /// The maximum number of pairs of this stage, given the maximum of screening pairs. There may be twice as
    /// many confirmation pairs: only candidates need them, and they alone prove.
    pub fn most(self, pairs: usize) -> usize {
        match self {
            Self::Screening => pairs,
            Self::Confirmation => pairs.saturating_mul(2),
        }
    }

    /// The number of pairs of the next look, at most `most`; the last look is at `most`.
    pub fn next_look(self, measured: usize, most: usize) -> usize {
        let later = |look: &usize| *look > measured;
        let next = match self {
            Self::Screening => SCREENING_LOOKS.iter().copied().find(later),
            Self::Confirmation => CONFIRMATION_LOOKS.iter().map(|(pairs, _)| *pairs).find(later),
        };
        // With more pairs than the last look, that look is later: another one would spend more error.
        let [.., (last_look, _)] = CONFIRMATION_LOOKS;
        match (self, next) {
            (Self::Confirmation, Some(next)) if next == last_look && most > last_look => most,
            (_, next) => next.unwrap_or(most).min(most),
        }
    }
}

/// The share of [`RUN_ERROR`] that a look after this many confirmation pairs spends. A look forced in
/// between, by a budget or a smaller number of pairs, spends the share of the next one.
pub fn confirmation_share(pairs: usize) -> f64 {
    let [.., (_, last)] = CONFIRMATION_LOOKS;
    CONFIRMATION_LOOKS.iter().find(|(at, _)| pairs <= *at).map_or(last, |(_, share)| *share)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_looks_of_a_confirmation_spend_the_error_once() {
        let spent: f64 = CONFIRMATION_LOOKS.iter().map(|(_, share)| share).sum();
        assert_eq!(spent, 1.0);
        let shares = [1, 15, 16, 30, 60, 1000].map(confirmation_share);
        assert_eq!(shares, [0.5, 0.5, 0.25, 0.25, 0.125, 0.125]);
    }

    #[test]
    fn looks_come_in_order() {
        assert!(SCREENING_LOOKS.is_sorted());
        assert!(CONFIRMATION_LOOKS.is_sorted_by(|a, b| a.0 < b.0));
    }
}
