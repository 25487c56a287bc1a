//! Slowdowns of a minority: of some iterations, or of some processes. The values of a pair are of quartiles and medians,
//! and the change is a median: all leave a minority out on purpose, because what disturbs a machine is one. The means of the
//! pairs include it.
//!
//! Without a change, a disturbance meets the head as often as the base. So it counts where more is slow on the head, and
//! only confirmation pairs prove it. It is a note and never red, so the correction for all candidates does not include it.

use super::looks::{CANDIDATE_ERROR, LAST_CANDIDATE_ERROR, MIN_PAIRS, RULED_OUT_ERROR, RUN_ERROR};
use super::pairs::Pairs;
use super::words::{Words, percent};
use crate::model::{Evidence, Level, Stage};
use crate::policy::Limits;
use crate::stats;

/// Error of each of the two tests, of the mean and of the far pairs: together they have that of a look.
const ERROR: f64 = RUN_ERROR / 2.0;

/// The means of the sides of a distant pair differ by more than this many times the failing threshold.
const FAR: f64 = 2.0;

/// Number of pairs up to which more are measured while most of the far pairs have the slower head. Of 30 processes, of
/// which 30 % are slow, fewer than four are slow in 1 of 100 cases.
const LOOKED_FOR: usize = 30;

/// The outcome of a look at the means of screening pairs whose values are unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Suspicion {
    /// Nothing.
    None,
    /// More pairs are needed.
    Open,
    /// Confirmation pairs decide.
    Candidate,
}

/// The means of the pairs of a stage, which show a minority.
#[derive(Debug)]
pub struct Minority<'a> {
    averages: Pairs,
    limits: &'a Limits,
    far: Far,
}

impl<'a> Minority<'a> {
    /// Of the pairs of one stage; `None` where not every pair has a mean, and where a note would be red: its error is not
    /// corrected for the other candidates.
    pub fn of(evidence: &Evidence, stage: Stage, limits: &'a Limits) -> Option<Self> {
        if limits.fail_on == Level::Note {
            return None;
        }
        Some(Self::new(Pairs::of_averages(evidence, stage)?, limits))
    }

    fn new(averages: Pairs, limits: &'a Limits) -> Self {
        let far = Far::of(averages.logs(), limits);
        Self { averages, limits, far }
    }

    /// Judges screening pairs; `last` when no more follow.
    pub(super) fn suspect(&self, last: bool) -> Suspicion {
        if self.averages.len() >= MIN_PAIRS && self.is_likely(CANDIDATE_ERROR) {
            return Suspicion::Candidate;
        }
        let more_would_tell = self.is_slower(RULED_OUT_ERROR) || self.may_be_far();
        if more_would_tell && !last { Suspicion::Open } else { Suspicion::None }
    }

    /// Whether screening pairs suggest one.
    pub(super) fn is_suggested(&self) -> bool {
        self.is_likely(RULED_OUT_ERROR)
    }

    /// Whether more confirmation pairs may prove one.
    pub(super) fn is_open(&self) -> bool {
        self.is_likely(CANDIDATE_ERROR) || self.may_be_far()
    }

    /// Returns what confirmation pairs prove, with this look's share of the error; `None` if nothing.
    pub(super) fn proven(&self) -> Option<String> {
        let effect = self.averages.confirmed_at(ERROR);
        if effect.level(self.limits).is_some() {
            let (mean, least) = (effect.estimate.exp_m1(), effect.bounds.lower.exp_m1());
            return Some(format!(
                "the mean is {} {}, at least {} at 99 % confidence: some iterations take longer",
                percent(mean),
                Words::of(self.limits).slower,
                percent(least)
            ));
        }
        let p = self.averages.confirmed_p_of(|logs| Far::of(logs, self.limits).p_value());
        (p <= ERROR).then(|| {
            let Far { slower, faster, by } = self.far;
            let faster = if faster == 0 { "none".to_owned() } else { faster.to_string() };
            format!(
                "in {slower} of {} pairs the mean of the head is higher by more than {}, in {faster} that of the base, \
                 at 99 % confidence: some of its processes are slow",
                self.averages.len(),
                percent(by)
            )
        })
    }

    /// Whether the mean is slower, with this error of its bound, or the far pairs are probably not even.
    fn is_likely(&self, error: f64) -> bool {
        self.is_slower(error) || self.far.p_value() <= LAST_CANDIDATE_ERROR
    }

    fn is_slower(&self, error: f64) -> bool {
        self.averages.effect(error).level(self.limits).is_some()
    }

    fn may_be_far(&self) -> bool {
        self.far.slower > self.far.faster && self.averages.len() < LOOKED_FOR
    }
}

/// The number of distant pairs.
#[derive(Clone, Copy, Debug)]
struct Far {
    /// With the slower head.
    slower: usize,
    /// With the slower base.
    faster: usize,
    /// The least distance, as a fraction.
    by: f64,
}

impl Far {
    fn of(logs: &[f64], limits: &Limits) -> Self {
        let by = limits.thresholds.of(limits.fail_on) * FAR;
        let far = by.ln_1p();
        let count = |is: &dyn Fn(f64) -> bool| logs.iter().filter(|log| is(**log)).count();
        let (slower, faster) = (count(&|log| log > far), count(&|log| log < -far));
        Self { slower, faster, by }
    }

    /// The p-value of "a far pair has the slower head at most as often as the slower base".
    fn p_value(self) -> f64 {
        let signs: Vec<f64> = std::iter::repeat_n(1.0, self.slower)
            .chain(std::iter::repeat_n(-1.0, self.faster))
            .collect();
        stats::sign_p(&signs, 0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Rounds;

    /// Pairs with these ratios of head to base.
    fn pairs(ratios: &[f64]) -> Pairs {
        let base = vec![1000.0; ratios.len()];
        let head = ratios.iter().map(|ratio| ratio * 1000.0).collect();
        Pairs::new(&Rounds { base, head }).unwrap()
    }

    /// A number of equal pairs, and pairs of other ratios.
    fn with(equal: usize, others: &[f64]) -> Pairs {
        pairs(&[&vec![1.0; equal], others].concat())
    }

    #[test]
    fn what_the_means_suggest_of_a_benchmark_that_is_unchanged_by_its_values() {
        use Suspicion::{Candidate, None, Open};
        let limits = Limits::default();
        let cases = [
            ("alike", with(6, &[]), None),
            ("some iterations, six pairs", pairs(&[1.3; 6]), Open),
            ("some iterations, ten pairs", pairs(&[1.3; 10]), Candidate),
            ("less than a note", pairs(&[1.015; 10]), None),
            ("a slow process of the head", with(5, &[2.0]), Open),
            ("a slow process of each side", with(4, &[2.0, 0.5]), None),
            ("a slow process of the base", with(5, &[0.5]), None),
            ("not far", with(5, &[1.19]), None),
            ("four slow processes of the head", with(11, &[2.0; 4]), Candidate),
            ("five and one of the base", with(11, &[2.0, 2.0, 2.0, 2.0, 2.0, 0.5]), Open),
            ("two of thirty", with(28, &[2.0; 2]), None),
        ];
        for (name, averages, expected) in cases {
            assert_eq!(Minority::new(averages, &limits).suspect(false), expected, "{name}");
        }
        // Where no pair follows, nothing stays open.
        let last = |averages| Minority::new(averages, &limits).suspect(true);
        assert_eq!(last(pairs(&[1.3; 6])), None);
        assert_eq!(last(with(11, &[2.0; 4])), Candidate);
        assert_eq!(last(with(5, &[2.0])), None);
    }

    #[test]
    fn a_minority_is_proven_by_its_mean_or_by_its_processes_or_not() {
        let limits = Limits::default();
        let of = |averages| Minority::new(averages, &limits).proven().unwrap_or_default() + "\n";
        insta::assert_snapshot!(
            [
                of(pairs(&[1.3; 15])),
                of(with(30, &[])),
                of(with(22, &[2.0; 8])),
                of(with(20, &[2.0; 10])),
                of(with(16, &[&[2.0; 12][..], &[0.5; 2]].concat())),
            ]
            .concat()
        );
    }
}
