//! Judges one benchmark of two records, whose rounds ran at different times.

use super::effect::Effect;
use super::looks::{BOUND_ERROR, RUN_ERROR};
use super::words::percent;
use crate::model::{Change, Finding};
use crate::policy::Limits;
use crate::stats::{self, Bounds};

/// Each side of the interval that is shown: together 95 %.
const SHOWN_ERROR: f64 = 0.025;

/// Head compared with base, over rounds that are not paired.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Unpaired {
    effect: Effect,
    /// The bounds that prove a change, among all benchmarks of the run.
    proof: Bounds,
    /// The 95 % interval, to be shown.
    interval: Bounds,
}

impl Unpaired {
    /// From rounds that are not paired, one of this number of tests of a run. `None` without a round on either side.
    pub(super) fn new(base: &[f64], head: &[f64], tests: usize) -> Option<Self> {
        let logs = |values: &[f64]| values.iter().map(|v| v.ln()).collect::<Vec<_>>();
        let (base_logs, head_logs) = (logs(base), logs(head));
        let error = BOUND_ERROR.min(RUN_ERROR / tests.max(1) as f64);
        Some(Self {
            proof: stats::shift_bounds(&base_logs, &head_logs, error),
            effect: Effect {
                estimate: stats::shift(&base_logs, &head_logs)?,
                bounds: stats::shift_bounds(&base_logs, &head_logs, BOUND_ERROR),
                base: stats::median(base)?,
            },
            interval: stats::shift_bounds(&base_logs, &head_logs, SHOWN_ERROR),
        })
    }

    /// The change with bounds of [`BOUND_ERROR`].
    pub(super) fn effect(&self) -> Effect {
        self.effect
    }

    /// The change as fractions.
    pub(super) fn change(&self) -> Change {
        Change::from_log(self.effect.estimate, self.interval.lower, self.interval.upper)
    }

    /// Returns the proven finding and its reason.
    pub(super) fn judge(&self, limits: &Limits) -> (Finding, String) {
        let proven = Effect { bounds: self.proof, ..self.effect };
        let fail_at = limits.thresholds.of(limits.fail_on);
        if let Some(level) = proven.level(limits) {
            let open = if self.effect.leaves_open(level.into(), limits) {
                format!(", and {} is not ruled out", percent(fail_at))
            } else {
                String::new()
            };
            return (level.into(), proven.slower(level, limits) + &open);
        }
        if proven.is_faster(limits) {
            return (Finding::Improved, proven.faster(limits));
        }
        if self.effect.bounds.upper == f64::INFINITY {
            return (Finding::Inconclusive, "too few rounds to bound the change".to_owned());
        }
        if self.effect.is_not_slower(limits) {
            let finding = match self.effect.is_faster_by_estimate(limits) {
                true => Finding::NotSlower,
                false => Finding::Unchanged,
            };
            return (finding, self.effect.not_slower(limits));
        }
        let reason = self.effect.undecided(self.proof.lower, limits);
        (Finding::Inconclusive, format!("{reason}: the rounds scatter too much"))
    }

    /// Returns the finding by the estimate alone, without proof, as critcmp does.
    pub(super) fn judge_estimate(&self, limits: &Limits) -> (Finding, String) {
        let finding = match self.effect.level_by_estimate(limits) {
            Some(level) => level.into(),
            None if self.effect.is_faster_by_estimate(limits) => Finding::Improved,
            None => Finding::Unchanged,
        };
        (finding, "by the estimates alone, without proof".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn two_records_prove_with_rounds_that_do_not_overlap_by_chance() {
        let rounds = |ns: f64| -> Vec<f64> { (0..10).map(|i| ns + f64::from(i)).collect() };
        for (percent, expected) in [
            (0.0, Finding::Unchanged),
            (3.0, Finding::Note),
            (7.0, Finding::Warning),
            (12.0, Finding::Critical),
            (-7.0, Finding::Improved),
        ] {
            let (base, head) = (rounds(1000.0), rounds(1000.0 * (1.0 + percent / 100.0)));
            let unpaired = Unpaired::new(&base, &head, 1).unwrap();
            assert_eq!(unpaired.judge(&Limits::default()).0, expected, "{percent} %");
        }
    }

    #[test]
    fn what_rules_out_less_than_half_of_the_failing_threshold_is_not_unchanged() {
        // Each round is slower than the one before by this number of thousandths.
        for (step, expected) in [(4, Finding::Unchanged), (13, Finding::Inconclusive)] {
            let rounds: Vec<f64> = (0..10).map(|i| 1000.0 + f64::from(step * i)).collect();
            let unpaired = Unpaired::new(&rounds, &rounds, 1).unwrap();
            assert!(unpaired.effect.rules_out(0.1), "a critical slowdown is ruled out in both");
            assert_eq!(unpaired.judge(&Limits::default()).0, expected, "{step}");
        }
    }

    #[test]
    fn a_slowdown_among_many_benchmarks_needs_more_rounds() {
        let rounds = |n: u8, ns: f64| -> Vec<f64> { (0..n).map(|i| ns + f64::from(i)).collect() };
        let finding = |n, benchmarks| {
            let unpaired = Unpaired::new(&rounds(n, 1000.0), &rounds(n, 1200.0), benchmarks);
            unpaired.unwrap().judge(&Limits::default()).0
        };
        assert_eq!(finding(5, 1), Finding::Critical);
        assert_eq!(finding(5, 2), Finding::Critical);
        // One of 252 orders of five and five rounds.
        assert_eq!(finding(5, 3), Finding::Inconclusive);
        assert_eq!(finding(15, 10_000), Finding::Critical);
    }

    #[test]
    fn a_single_process_a_side_proves_nothing_however_large_the_difference() {
        let unpaired = Unpaired::new(&[100.0], &[300.0], 1).unwrap();
        let (finding, reason) = unpaired.judge(&Limits::default());
        assert_eq!(
            (finding, reason.as_str()),
            (Finding::Inconclusive, "too few rounds to bound the change")
        );
        assert_eq!(unpaired.judge_estimate(&Limits::default()).0, Finding::Critical);
        assert_eq!(unpaired.change().lower, None);
    }

    #[test]
    fn no_side_without_rounds_is_judged() {
        assert_eq!(Unpaired::new(&[], &[], 1), None);
        assert_eq!(Unpaired::new(&[1.0], &[], 1), None);
    }

    proptest! {
        #[test]
        fn no_positive_values_cause_a_panic(
            base in prop::collection::vec(f64::MIN_POSITIVE..f64::MAX, 0..12),
            head in prop::collection::vec(f64::MIN_POSITIVE..f64::MAX, 0..12),
        ) {
            if let Some(unpaired) = Unpaired::new(&base, &head, 1) {
                unpaired.judge(&Limits::default());
                unpaired.change();
            }
        }
    }
}
