//! What the evidence on one benchmark proves.

use crate::model::{Change, Finding, Level};
use crate::policy::{Limits, Thresholds};
use crate::stats::{self, Bounds};

/// Each bound of a change is wrong with at most this probability. One in two hundred keeps a hundred
/// unchanged benchmarks at half a false bound a run, and the size that a finding also needs keeps the
/// false findings far below that; 15 pairs still allow two to disagree.
pub const BOUND_ERROR: f64 = 0.005;

/// The fewest pairs that can bound a change at all: 2^-8 is the first power below [`BOUND_ERROR`].
pub const MIN_PAIRS: usize = 8;

/// A level needs its threshold in the centre and this share of it in the lower bound. The whole
/// threshold in the bound would lose half of the slowdowns that are truly above it.
const PROVEN_SHARE: f64 = 0.5;

/// Head against base, as natural logarithms of the ratio.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Evidence {
    /// Centre.
    pub estimate: f64,
    /// What the data exclude.
    pub bounds: Bounds,
    /// Base in nanoseconds: the scale of the absolute floor.
    pub base_ns: f64,
}

impl Evidence {
    /// From rounds that alternated: equal indices belong together. `None` without a pair.
    ///
    /// The centre is the median of the pairs' log-ratios, so a process that is slow throughout moves
    /// one vote and not the average.
    pub fn paired(base: &[f64], head: &[f64]) -> Option<Self> {
        let ratios: Vec<f64> = base.iter().zip(head).map(|(b, h)| (h / b).ln()).collect();
        Some(Self {
            estimate: stats::median(&ratios)?,
            bounds: stats::median_bounds(&ratios, BOUND_ERROR),
            base_ns: stats::median(base)?,
        })
    }

    /// From rounds of two occasions. `None` without a round on either side.
    pub fn unpaired(base: &[f64], head: &[f64]) -> Option<Self> {
        let logs = |values: &[f64]| values.iter().map(|v| v.ln()).collect::<Vec<_>>();
        let (base_logs, head_logs) = (logs(base), logs(head));
        Some(Self {
            estimate: stats::shift(&base_logs, &head_logs)?,
            bounds: stats::shift_bounds(&base_logs, &head_logs, BOUND_ERROR),
            base_ns: stats::median(base)?,
        })
    }

    /// The change as fractions.
    pub fn change(&self) -> Change {
        Change::from_log(self.estimate, self.bounds.lower, self.bounds.upper)
    }

    /// What is proven, and why.
    pub fn judge(&self, limits: &Limits) -> (Finding, String) {
        let Thresholds { note, .. } = limits.thresholds;
        let fail_at = limits.thresholds.of(limits.fail_on);
        let Bounds { lower, upper } = self.bounds;
        let away_ns = (self.base_ns * self.estimate.exp_m1()).abs();
        let too_small = away_ns < limits.floor_ns;

        let proven = |level: &Level| {
            let size = limits.thresholds.of(*level);
            self.estimate > size.ln_1p() && lower > (size * PROVEN_SHARE).ln_1p()
        };
        if let Some(level) = Level::DESCENDING.into_iter().find(proven) {
            if too_small {
                return (Finding::Unchanged, self.below_floor(away_ns, limits));
            }
            let size = percent(limits.thresholds.of(level));
            let least = percent(lower.exp_m1());
            // Green says that the failing level is ruled out, also for what is slower by less.
            if level < limits.fail_on && upper >= fail_at.ln_1p() {
                let fail_at = percent(fail_at);
                return (
                    Finding::Inconclusive,
                    format!(
                        "slower by at least {least} for certain, and {fail_at} is not ruled out"
                    ),
                );
            }
            return (
                level.into(),
                format!("slower than {size} by the estimate, and by at least {least} for certain"),
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
fn percent(fraction: f64) -> String {
    format!("{:.1} %", fraction * 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Fifteen pairs around `percent`, with a scatter of `scatter` percent, and the finding on them.
    fn finding(percent: f64, scatter: f64, base_ns: f64) -> Finding {
        let (base, head): (Vec<f64>, Vec<f64>) = (0..15)
            .map(|i| {
                let away = scatter / 100.0 * (f64::from(i) - 7.0) / 7.0;
                (base_ns, base_ns * (1.0 + percent / 100.0) * (1.0 + away))
            })
            .unzip();
        Evidence::paired(&base, &head).unwrap().judge(&Limits::default()).0
    }

    #[test]
    fn a_level_needs_its_threshold_in_the_centre_and_half_of_it_in_the_bound() {
        for (percent, scatter, expected) in [
            (0.0, 0.1, Finding::Unchanged),
            (1.9, 0.1, Finding::Unchanged),
            (2.1, 0.1, Finding::Note),
            (4.9, 0.1, Finding::Note),
            (5.1, 0.1, Finding::Warning),
            (10.1, 0.1, Finding::Critical),
            (300.0, 0.1, Finding::Critical),
            (-1.9, 0.1, Finding::Unchanged),
            (-2.1, 0.1, Finding::Improved),
            (-60.0, 0.1, Finding::Improved),
            // A slowdown of 2.6 % is certain, and one of 18 % is possible: neither red nor green.
            (10.5, 10.0, Finding::Inconclusive),
            (7.0, 10.0, Finding::Inconclusive),
            (7.0, 2.0, Finding::Warning),
            // Nothing is certain.
            (10.5, 40.0, Finding::Inconclusive),
            (0.0, 40.0, Finding::Inconclusive),
            (-2.1, 10.0, Finding::Unchanged),
        ] {
            assert_eq!(finding(percent, scatter, 1000.0), expected, "{percent} % ± {scatter} %");
        }
    }

    #[test]
    fn two_percent_of_a_nanosecond_is_no_finding() {
        assert_eq!(finding(50.0, 0.1, 1.2), Finding::Unchanged);
        assert_eq!(finding(-50.0, 0.1, 1.2), Finding::Unchanged);
        assert_eq!(finding(100.0, 0.1, 1.2), Finding::Critical);
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
    fn seven_agreeing_pairs_are_too_few_and_eight_are_enough() {
        let at = |n: usize| {
            Evidence::paired(&vec![100.0; n], &vec![120.0; n]).unwrap().judge(&Limits::default()).0
        };
        assert_eq!(at(MIN_PAIRS - 1), Finding::Inconclusive);
        assert_eq!(at(MIN_PAIRS), Finding::Critical);
    }

    #[test]
    fn three_slow_processes_of_fifteen_do_not_make_a_regression() {
        let base = [100.0; 15];
        let mut head = [100.2; 15];
        for slow in &mut head[4..7] {
            *slow = 160.0;
        }
        let (finding, _) = Evidence::paired(&base, &head).unwrap().judge(&Limits::default());
        assert_eq!(finding, Finding::Inconclusive);
        head[4] = 100.1;
        let (finding, _) = Evidence::paired(&base, &head).unwrap().judge(&Limits::default());
        assert_eq!(finding, Finding::Unchanged);
    }

    #[test]
    fn the_worked_example_of_the_documentation_is_worked_right() {
        let base = [1000.0, 1002.0, 999.0, 1001.0, 1350.0, 1000.0, 998.0, 1003.0];
        let head = [1121.0, 1118.0, 1125.0, 1119.0, 1124.0, 1122.0, 1480.0, 1120.0];
        let told = |evidence: &Evidence| {
            let Change { estimate, lower, upper } = evidence.change();
            let bound = |b: Option<f64>| percent(b.unwrap());
            let finding = evidence.judge(&Limits::default()).0;
            format!(
                "{} [{}, {}]: {}",
                percent(estimate),
                bound(lower),
                bound(upper),
                finding.name()
            )
        };
        let eight = Evidence::paired(&base, &head).unwrap();
        insta::assert_snapshot!(told(&eight), @"11.9 % [-16.7 %, 48.3 %]: inconclusive");
        // Seven more quiet pairs, one of them with a slow base again.
        let more =
            |values: &[f64; 8]| [&values[..], &values[..4], &values[4..6], &values[7..]].concat();
        let fifteen = Evidence::paired(&more(&base), &more(&head)).unwrap();
        insta::assert_snapshot!(told(&fifteen), @"11.8 % [11.6 %, 12.6 %]: critical");
    }

    #[test]
    fn no_side_without_rounds_is_judged() {
        assert_eq!(Evidence::paired(&[], &[]), None);
        assert_eq!(Evidence::unpaired(&[1.0], &[]), None);
    }

    proptest! {
        #[test]
        fn the_same_rounds_on_both_sides_are_never_a_finding(
            rounds in prop::collection::vec(1.0..1e9_f64, 8..40),
        ) {
            let evidence = Evidence::paired(&rounds, &rounds).unwrap();
            prop_assert_eq!(evidence.judge(&Limits::default()).0, Finding::Unchanged);
        }

        #[test]
        fn a_slower_head_is_never_judged_milder(
            ratios in prop::collection::vec(0.5..2.0_f64, 8..30),
            more in 1.0..1.5_f64,
        ) {
            let base = vec![1000.0; ratios.len()];
            let severity = |factor: f64| {
                let head: Vec<f64> = ratios.iter().map(|r| 1000.0 * r * factor).collect();
                let (finding, _) = Evidence::paired(&base, &head).unwrap().judge(&Limits::default());
                match finding {
                    Finding::Improved | Finding::Unchanged => 0,
                    Finding::Inconclusive | Finding::Note | Finding::Warning => 1,
                    _ => 2,
                }
            };
            prop_assert!(severity(more) >= severity(1.0));
        }

        #[test]
        fn any_positive_values_are_survived(
            base in prop::collection::vec(f64::MIN_POSITIVE..f64::MAX, 0..12),
            head in prop::collection::vec(f64::MIN_POSITIVE..f64::MAX, 0..12),
        ) {
            let both = [Evidence::paired(&base, &head), Evidence::unpaired(&base, &head)];
            for evidence in both.into_iter().flatten() {
                evidence.judge(&Limits::default());
                evidence.change();
            }
        }
    }
}
