//! Slowdowns of a part: of some iterations, or of some processes. The value of a pair, a lower quartile, and the median of
//! the pairs leave them out, on purpose: so is what disturbs a machine. The means of the pairs have them.
//!
//! Where nothing changed, a disturbance meets the head as often as the base. So a part is looked for where more is slow on
//! the head, and it is proven as a slowdown is: by confirmation pairs of its own. It is a note and never red, so it is not
//! in the correction for all candidates; a policy that has notes fail does not look for it.

use super::looks::{CANDIDATE_ERROR, LAST_CANDIDATE_ERROR, MIN_PAIRS, RULED_OUT_ERROR, RUN_ERROR};
use super::pairs::Pairs;
use super::words::percent;
use crate::model::Level;
use crate::policy::Limits;
use crate::stats;

/// The mean and the far pairs are two tests: each has a half of the error.
const ERROR: f64 = RUN_ERROR / 2.0;

/// A pair is far apart when one side takes longer than the other one by this many times the failing threshold: a process
/// that meets another heap or another place in memory rarely does.
const FAR: f64 = 2.0;

/// Screening pairs up to which a head that has more of the far pairs is not called unchanged. Of 30 processes, of which
/// 30 % are slow, fewer than four are in 1 of 100.
const LOOKED_FOR: usize = 30;

/// What the means of the screening pairs suggest of a benchmark whose values are unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Suspicion {
    /// Nothing.
    None,
    /// More pairs will tell.
    Open,
    /// Confirmation pairs decide.
    Candidate,
}

/// Whether a part is looked for.
pub(super) fn is_asked(limits: &Limits) -> bool {
    limits.fail_on > Level::Note
}

/// Looks for a minority after so many screening pairs; `last` when no more follow.
pub(super) fn suspect(averages: &Pairs, limits: &Limits, last: bool) -> Suspicion {
    let pairs = averages.len();
    let is_slower = |error| averages.effect(error).level(limits).is_some();
    let far = Far::of(averages.logs(), limits);
    let is_far = far.p_value() <= LAST_CANDIDATE_ERROR;
    let may_be_far = far.slower > far.faster && pairs < LOOKED_FOR;
    if pairs >= MIN_PAIRS && (is_slower(CANDIDATE_ERROR) || is_far) {
        return Suspicion::Candidate;
    }
    let more_would_tell = !last && (is_slower(RULED_OUT_ERROR) || may_be_far);
    if more_would_tell { Suspicion::Open } else { Suspicion::None }
}

/// What the means of screening pairs suggest, after the reason for what their values rule out: there was no time for
/// confirmation pairs. At worst it would be a note, which passes, so it takes nothing back.
pub(super) fn unconfirmed(reason: String, averages: Option<&Pairs>, limits: &Limits) -> String {
    let suggests = |averages: &Pairs| {
        averages.effect(RULED_OUT_ERROR).level(limits).is_some()
            || Far::of(averages.logs(), limits).p_value() <= LAST_CANDIDATE_ERROR
    };
    match averages.filter(|_| is_asked(limits)).is_some_and(suggests) {
        true => format!(
            "{reason}; the means suggest that a part is slower, and no confirmation pair proves it"
        ),
        false => reason,
    }
}

/// Whether more confirmation pairs may prove a minority.
pub(super) fn is_open(averages: &Pairs, limits: &Limits) -> bool {
    let far = Far::of(averages.logs(), limits);
    averages.effect(CANDIDATE_ERROR).level(limits).is_some()
        || (averages.len() < LOOKED_FOR && far.slower > far.faster)
        || far.p_value() <= LAST_CANDIDATE_ERROR
}

/// What the means of the confirmation pairs prove, with this look's share of the error; `None` if nothing.
pub(super) fn proven(averages: &Pairs, limits: &Limits) -> Option<String> {
    let effect = averages.confirmed_at(ERROR);
    if effect.level(limits).is_some() {
        let (mean, least) = (effect.estimate.exp_m1(), effect.bounds.lower.exp_m1());
        return Some(format!(
            "the mean is slower by {}, by at least {} at 99 % confidence: some iterations take longer",
            percent(mean),
            percent(least)
        ));
    }
    let p = averages.confirmed_p_of(|logs| Far::of(logs, limits).p_value());
    (p <= ERROR).then(|| {
        let Far { slower, faster, of, by } = Far::of(averages.logs(), limits);
        let faster = if faster == 0 { "none".to_owned() } else { faster.to_string() };
        format!(
            "in {slower} of {of} pairs the mean of the head is higher by more than {}, in {faster} that of the base, at \
             99 % confidence: some of its processes are slow",
            percent(by)
        )
    })
}

/// Pairs that are far apart.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Far {
    /// In which the head is slower.
    slower: usize,
    /// In which the base is.
    faster: usize,
    of: usize,
    /// How far, as a fraction.
    by: f64,
}

impl Far {
    fn of(logs: &[f64], limits: &Limits) -> Self {
        let by = limits.thresholds.of(limits.fail_on) * FAR;
        let far = by.ln_1p();
        let count = |is: &dyn Fn(f64) -> bool| logs.iter().filter(|log| is(**log)).count();
        let (slower, faster) = (count(&|log| log > far), count(&|log| log < -far));
        Self { slower, faster, of: logs.len(), by }
    }

    /// The chance of so many in which the head is slower, or more, where it has as many as the base.
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

    /// Pairs whose head takes as many times as long as the base.
    fn pairs(ratios: &[f64]) -> Pairs {
        let base = vec![1000.0; ratios.len()];
        let head = ratios.iter().map(|ratio| ratio * 1000.0).collect();
        Pairs::new(&Rounds { base, head }).unwrap()
    }

    /// So many pairs that are alike, and so many of other ratios.
    fn with(alike: usize, others: &[f64]) -> Pairs {
        pairs(&[&vec![1.0; alike], others].concat())
    }

    #[test]
    fn what_the_means_suggest_of_a_benchmark_that_is_unchanged_by_its_values() {
        use Suspicion::{Candidate, None, Open};
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
            assert_eq!(suspect(&averages, &Limits::default(), false), expected, "{name}");
        }
        // Where no pair follows, nothing stays open.
        let last = |averages| suspect(&averages, &Limits::default(), true);
        assert_eq!(last(pairs(&[1.3; 6])), None);
        assert_eq!(last(with(11, &[2.0; 4])), Candidate);
        assert_eq!(last(with(5, &[2.0])), None);
    }

    #[test]
    fn a_minority_is_proven_by_its_mean_or_by_its_processes_or_not() {
        let of = |averages: Pairs| proven(&averages, &Limits::default()).unwrap_or_default() + "\n";
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
