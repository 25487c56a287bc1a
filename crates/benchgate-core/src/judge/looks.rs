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

/// Error of the bound that makes a candidate. It only chooses what to measure again, so it may be
/// large: 0.011 lets one of ten pairs, or two of fifteen, disagree.
pub const CANDIDATE_ERROR: f64 = 0.011;

/// Like `CANDIDATE_ERROR`, after the last pair, where the choice is between confirmation pairs and leaving it open: the
/// pairs are worth their time when it is more likely slower than not.
pub const LAST_CANDIDATE_ERROR: f64 = 0.1;

/// Error with which the next higher level must be ruled out before a candidate is settled early.
pub const NEXT_LEVEL_ERROR: f64 = 0.1;

/// Numbers of confirmation pairs after which a candidate is looked at, and the share of the error that each
/// look spends. Fifteen pairs let two disagree at half of [`RUN_ERROR`].
///
/// What is left, a sixteenth, is for later attempts on the same base and head: see [`Attempt`].
pub const CONFIRMATION_LOOKS: [(usize, f64); 4] =
    [(15, 0.5), (30, 0.25), (60, 0.125), (120, 0.0625)];

/// Looks for the rounds of a rule's benchmarks. Only these numbers of rounds of an attempt prove anything: screening
/// may end its benchmarks at another one, and what is beyond the last of these is in the estimate alone.
pub const RULE_LOOKS: [(usize, f64); 4] = [(10, 0.5), (20, 0.25), (40, 0.125), (60, 0.0625)];

/// The probability that a run of unchanged benchmarks is red, for any number of benchmarks and rules whose values are
/// sampled. Counts are compared exactly and are not in it.
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
/// pairs off what scatters and has not changed. What it costs is in `docs/dev/decision-constants.md`.
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

/// An attempt of several on the same base and head, as `check --earlier` makes them. Each has its share of the run's
/// error: a run that is repeated until it passes, or until it fails, spends no more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attempt(u32);

impl Attempt {
    /// The one before which there is none.
    pub const FIRST: Self = Self(1);

    /// All, in their order.
    pub fn all() -> impl Iterator<Item = Self> {
        (1..).map(Self)
    }

    /// The share of [`RUN_ERROR`] that a look at this number of confirmation pairs of this attempt spends. A look forced in
    /// between, by a budget or a smaller number of pairs, spends the share of the next one.
    pub fn confirmation_share(self, pairs: usize) -> f64 {
        let looks = CONFIRMATION_LOOKS.iter();
        let next = looks.clone().find(|(at, _)| pairs <= *at).or(CONFIRMATION_LOOKS.last());
        next.map_or(0.0, |(_, share)| share * self.share())
    }

    /// The numbers of rounds at which a rule was looked at in this attempt, which ended after this number, with the share
    /// that each spends. An attempt that ended before the first look has one look, at its end.
    pub fn rule_looks(self, ended: usize) -> impl Iterator<Item = (usize, f64)> {
        let [(first, share), ..] = RULE_LOOKS;
        let forced = (0 < ended && ended < first).then_some((ended, share));
        let planned = RULE_LOOKS.into_iter().filter(move |(rounds, _)| *rounds <= ended);
        planned.chain(forced).map(move |(rounds, share)| (rounds, share * self.share()))
    }

    /// What a bound behind *unchanged* may be wrong with, as a share of what it may in a first attempt: all attempts
    /// together have at most twice the error of one.
    pub fn bound_share(self) -> f64 {
        half_to_the(self.0 - 1)
    }

    /// Its part of the shares of a first attempt, whose looks leave a sixteenth: 1/32 is for the second, 1/64 for the
    /// third …
    fn share(self) -> f64 {
        if self == Self::FIRST { 1.0 } else { half_to_the(self.0 + 3) }
    }
}

/// The share of a first attempt's look at this number of confirmation pairs.
pub fn confirmation_share(pairs: usize) -> f64 {
    Attempt::FIRST.confirmation_share(pairs)
}

fn half_to_the(power: u32) -> f64 {
    0.5_f64.powi(i32::try_from(power).unwrap_or(i32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_look_spends_the_share_of_the_next_planned_one() {
        let shares = [1, 15, 16, 30, 60, 1000].map(confirmation_share);
        assert_eq!(shares, [0.5, 0.5, 0.25, 0.25, 0.125, 0.0625]);
    }

    #[test]
    fn all_looks_of_all_attempts_spend_the_error_at_most_once() {
        let looks = CONFIRMATION_LOOKS;
        let confirmation =
            |attempt: Attempt| looks.map(|(at, _)| attempt.confirmation_share(at)).iter().sum();
        let rules = |attempt: Attempt| attempt.rule_looks(60).map(|(_, share)| share).sum();
        let kinds: [&dyn Fn(Attempt) -> f64; 2] = [&confirmation, &rules];
        for spent in kinds {
            assert_eq!(spent(Attempt::FIRST), 1.0 - 1.0 / 16.0);
            assert_eq!(spent(Attempt(2)), spent(Attempt::FIRST) / 32.0);
            assert!(Attempt::all().take(60).map(spent).sum::<f64>() <= 1.0);
        }
        assert!(Attempt::all().take(60).map(Attempt::bound_share).sum::<f64>() <= 2.0);
    }

    #[test]
    fn looks_come_in_order() {
        assert!(SCREENING_LOOKS.is_sorted());
        assert!(CONFIRMATION_LOOKS.is_sorted_by(|a, b| a.0 < b.0));
        assert!(RULE_LOOKS.is_sorted_by(|a, b| a.0 < b.0));
    }
}
