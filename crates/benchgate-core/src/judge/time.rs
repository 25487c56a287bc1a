//! What two records prove of one benchmark, whose rounds were run on two occasions.

use super::pairs::PROVEN_SHARE;
use crate::model::{Change, Finding, Level};
use crate::policy::{Limits, Thresholds};
use crate::stats::{self, Bounds};

/// Each bound of a change is wrong with at most this probability. One in two hundred keeps a hundred
/// unchanged benchmarks at half a false bound a run, and the size that a finding also needs keeps the
/// false findings far below that.
pub const BOUND_ERROR: f64 = 0.005;

/// Each side of the interval that is shown: together 95 %.
const SHOWN_ERROR: f64 = 0.025;

/// The fewest pairs that can bound a change at all: 2^-8 is the first power below [`BOUND_ERROR`].
pub const MIN_PAIRS: usize = 8;

/// Head against base, as natural logarithms of the ratio.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Evidence {
    /// Centre.
    pub estimate: f64,
    /// What the data exclude, with [`BOUND_ERROR`] on either side.
    pub bounds: Bounds,
    /// The 95 % interval, to be shown.
    pub interval: Bounds,
    /// Base in nanoseconds: the scale of the absolute floor.
    pub base_ns: f64,
}

impl Evidence {
    /// From rounds of two occasions. `None` without a round on either side.
    pub fn unpaired(base: &[f64], head: &[f64]) -> Option<Self> {
        let logs = |values: &[f64]| values.iter().map(|v| v.ln()).collect::<Vec<_>>();
        let (base_logs, head_logs) = (logs(base), logs(head));
        Some(Self {
            estimate: stats::shift(&base_logs, &head_logs)?,
            bounds: stats::shift_bounds(&base_logs, &head_logs, BOUND_ERROR),
            interval: stats::shift_bounds(&base_logs, &head_logs, SHOWN_ERROR),
            base_ns: stats::median(base)?,
        })
    }

    /// The change as fractions.
    pub fn change(&self) -> Change {
        Change::from_log(self.estimate, self.interval.lower, self.interval.upper)
    }

    /// What is proven, and why.
    pub fn judge(&self, limits: &Limits) -> (Finding, String) {
        let Thresholds { note, .. } = limits.thresholds;
        let fail_at = limits.thresholds.of(limits.fail_on);
        let Bounds { lower, upper } = self.bounds;
        let away_ns = (self.base_ns * self.estimate.exp_m1()).abs();
        let too_small = away_ns < limits.floor_ns;

        if let Some(level) = self.proven_level(limits) {
            let size = percent(limits.thresholds.of(level));
            let least = percent(lower.exp_m1());
            return (
                level.into(),
                format!(
                    "slower than {size} by the estimate, and by at least {least} for certain{}",
                    if self.leaves_open(level.into(), limits) {
                        format!(", and {} is not ruled out", percent(fail_at))
                    } else {
                        String::new()
                    }
                ),
            );
        }
        if self.estimate < -note.ln_1p() && upper < -(note * PROVEN_SHARE).ln_1p() {
            if too_small {
                return (Finding::Unchanged, self.below_floor(away_ns, limits));
            }
            let least = percent(-upper.exp_m1());
            return (Finding::Improved, format!("faster, by at least {least} for certain"));
        }
        if upper == f64::INFINITY {
            return (Finding::Inconclusive, "too few rounds to bound the change".to_owned());
        }
        let most = percent(upper.exp_m1());
        if self.estimate <= note.ln_1p() && upper < fail_at.ln_1p() {
            return (Finding::Unchanged, format!("a slowdown above {most} is ruled out"));
        }
        if too_small && self.base_ns * upper.exp_m1() < limits.floor_ns {
            return (Finding::Unchanged, self.below_floor(away_ns, limits));
        }
        let reason = if self.estimate > note.ln_1p() {
            let certain = match lower {
                lower if lower > 0.0 => format!("only {}", percent(lower.exp_m1())),
                _ => "nothing".to_owned(),
            };
            format!("slower by the estimate, but {certain} is certain; up to {most} is possible")
        } else {
            format!("a slowdown of up to {most} is possible")
        };
        (Finding::Inconclusive, format!("{reason}: the rounds scatter too much"))
    }

    /// The highest level whose threshold the estimate exceeds, and half of it the lower bound.
    pub fn proven_level(&self, limits: &Limits) -> Option<Level> {
        let is_small = (self.base_ns * self.estimate.exp_m1()).abs() < limits.floor_ns;
        Level::DESCENDING.into_iter().filter(|_| !is_small).find(|level| {
            let size = limits.thresholds.of(*level);
            self.estimate > size.ln_1p() && self.bounds.lower > (size * PROVEN_SHARE).ln_1p()
        })
    }

    /// Whether a finding below the failing level leaves that level possible.
    pub fn leaves_open(&self, finding: Finding, limits: &Limits) -> bool {
        let fail_at = limits.thresholds.of(limits.fail_on).ln_1p();
        finding.level().is_some_and(|level| level < limits.fail_on) && self.bounds.upper >= fail_at
    }

    /// What the estimate alone says, without proof: critcmp's way.
    pub fn judge_estimate(&self, limits: &Limits) -> (Finding, String) {
        let size = |level: &Level| self.estimate > limits.thresholds.of(*level).ln_1p();
        let small = (self.base_ns * self.estimate.exp_m1()).abs() < limits.floor_ns;
        let finding = match Level::DESCENDING.into_iter().find(size) {
            Some(level) if !small => level.into(),
            None if !small && self.estimate < -limits.thresholds.note.ln_1p() => Finding::Improved,
            _ => Finding::Unchanged,
        };
        (finding, "by the estimates alone, without proof".to_owned())
    }

    fn below_floor(&self, away_ns: f64, limits: &Limits) -> String {
        format!("{away_ns:.2} ns per iteration is below the floor of {} ns", limits.floor_ns)
    }
}

/// A fraction as a percentage with one decimal.
pub(super) fn percent(fraction: f64) -> String {
    format!("{:.1} %", fraction * 100.0)
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
            let evidence = Evidence::unpaired(&base, &head).unwrap();
            assert_eq!(evidence.judge(&Limits::default()).0, expected, "{percent} %");
        }
    }

    #[test]
    fn a_single_process_a_side_proves_nothing_however_large_the_difference() {
        let evidence = Evidence::unpaired(&[100.0], &[300.0]).unwrap();
        let (finding, reason) = evidence.judge(&Limits::default());
        assert_eq!(
            (finding, reason.as_str()),
            (Finding::Inconclusive, "too few rounds to bound the change")
        );
        assert_eq!(evidence.judge_estimate(&Limits::default()).0, Finding::Critical);
        assert_eq!(evidence.change().lower, None);
    }

    #[test]
    fn no_side_without_rounds_is_judged() {
        assert_eq!(Evidence::unpaired(&[], &[]), None);
        assert_eq!(Evidence::unpaired(&[1.0], &[]), None);
    }

    proptest! {
        #[test]
        fn any_positive_values_are_survived(
            base in prop::collection::vec(f64::MIN_POSITIVE..f64::MAX, 0..12),
            head in prop::collection::vec(f64::MIN_POSITIVE..f64::MAX, 0..12),
        ) {
            if let Some(evidence) = Evidence::unpaired(&base, &head) {
                evidence.judge(&Limits::default());
                evidence.change();
            }
        }
    }
}
