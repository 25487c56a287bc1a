//! All that was measured of one benchmark, in the order in which it was.

use super::confirm::{self, Confirmed, Family};
use super::looks::{CANDIDATE_ERROR, CONFIRMATION_LOOKS, RUN_ERROR, SCREENING_LOOKS};
use super::pairs::Pairs;
use super::screen::{Screened, screen};
use super::time::percent;
use crate::model::{Change, Finding};
use crate::policy::Limits;
use crate::result::Rounds;

/// What pairs are measured for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// To find what may be different.
    Screening,
    /// To prove it with fresh pairs.
    Confirmation,
}

impl Stage {
    /// The most pairs of this stage, of what a policy allows for the first ones. Of fresh pairs there may be
    /// twice as many: only candidates pay for them, and they alone prove.
    pub fn most(self, pairs: usize) -> usize {
        match self {
            Self::Screening => pairs,
            Self::Confirmation => pairs.saturating_mul(2),
        }
    }

    /// Pairs after which there is a look, as far as `most`; the last look is at `most`.
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

/// First pairs, and the fresh ones of a candidate.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sequence {
    /// The first pairs.
    pub screening: Rounds,
    /// Fresh pairs; empty for what was no candidate.
    pub confirmation: Rounds,
}

/// What a sequence comes to.
#[derive(Clone, Debug, PartialEq)]
pub struct Conclusion {
    /// What is said.
    pub finding: Finding,
    /// Why.
    pub reason: String,
    /// The change by the pairs that decided, with its 95 % interval.
    pub change: Change,
    /// The smallest slowdown that such pairs prove.
    pub detectable: Option<f64>,
    /// Whether a slowdown is proven and a failing one is not ruled out.
    pub is_open: bool,
}

impl Sequence {
    /// The pairs of one stage.
    pub fn rounds(&self, stage: Stage) -> &Rounds {
        match stage {
            Stage::Screening => &self.screening,
            Stage::Confirmation => &self.confirmation,
        }
    }

    /// Adds a pair.
    pub fn push(&mut self, stage: Stage, [base, head]: [f64; 2]) {
        let rounds = match stage {
            Stage::Screening => &mut self.screening,
            Stage::Confirmation => &mut self.confirmation,
        };
        rounds.base.push(base);
        rounds.head.push(head);
    }

    /// The chance of such fresh pairs without a slowdown of half the failing threshold; `None` for what
    /// was no candidate.
    pub fn p_value(&self, limits: &Limits) -> Option<f64> {
        Some(confirm::p_value(&Pairs::new(&self.confirmation)?, limits))
    }

    /// What it comes to when nothing more is measured; `None` without a pair. A function of the values
    /// alone, so that a result can be judged again. `stands` says whether its p-value stands beside those
    /// of the run's other candidates.
    pub fn conclude(&self, limits: &Limits, stands: bool) -> Option<Conclusion> {
        if let Some(fresh) = Pairs::new(&self.confirmation) {
            let (finding, reason) =
                match confirm::confirm(&fresh, limits, Family::Stands(stands), true) {
                    Confirmed::Settled(finding, reason) => (finding, reason),
                    Confirmed::Open => (Finding::Inconclusive, String::new()),
                };
            let detectable = fresh.detectable(limits, RUN_ERROR / 2.0);
            return Some(Conclusion {
                finding,
                reason: with_what_would_settle(finding, reason, &fresh, detectable, limits),
                change: fresh.change(),
                detectable,
                is_open: fresh.leaves_open(finding, limits),
            });
        }
        let first = Pairs::new(&self.screening)?;
        let (finding, reason) = match screen(&first, limits, true) {
            Screened::Unchanged(reason) => (Finding::Unchanged, reason),
            Screened::Undecided(reason) => (Finding::Inconclusive, reason),
            Screened::Candidate | Screened::Open => (
                Finding::Inconclusive,
                "it seems different, and there was no time for fresh pairs to prove it".to_owned(),
            ),
        };
        let detectable = first.detectable(limits, CANDIDATE_ERROR);
        Some(Conclusion {
            finding,
            reason: with_what_would_settle(finding, reason, &first, detectable, limits),
            change: first.change(),
            detectable,
            is_open: false,
        })
    }
}

/// The most pairs that are worth asking for.
const WORTH_ASKING: f64 = 500.0;

/// An open question says what it could have shown and what would answer it.
fn with_what_would_settle(
    finding: Finding,
    reason: String,
    pairs: &Pairs,
    detectable: Option<f64>,
    limits: &Limits,
) -> String {
    let (Finding::Inconclusive, Some(detectable)) = (finding, detectable) else { return reason };
    let fail_at = limits.thresholds.of(limits.fail_on);
    if detectable <= fail_at {
        let more = pairs.len() * 2;
        return format!("{reason}; more pairs would settle it (`--pairs {more}`)");
    }
    // The width of the bounds shrinks with the square root of the number of pairs.
    let needed = (pairs.len() as f64 * (detectable / fail_at).powi(2) * 1.5).ceil();
    let shown = percent(detectable);
    let remedy = if needed > pairs.len() as f64 && needed <= WORTH_ASKING {
        format!("about {needed} pairs would settle it (`--pairs {needed}`)")
    } else {
        "more work per iteration, or a quieter machine, would settle it".to_owned()
    };
    format!("{reason}; this scatter would show {shown} or more: {remedy}")
}

#[cfg(test)]
mod tests {
    use super::super::time::MIN_PAIRS;
    use super::*;
    use proptest::prelude::*;

    /// So many pairs around `percent`, with a scatter of `scatter` percent.
    fn rounds(n: usize, percent: f64, scatter: f64, base_ns: f64) -> Rounds {
        let middle = (n as f64 - 1.0) / 2.0;
        let (base, head) = (0..n)
            .map(|i| {
                let away = scatter / 100.0 * (i as f64 - middle) / middle.max(1.0);
                (base_ns, base_ns * (1.0 + percent / 100.0) * (1.0 + away))
            })
            .unzip();
        Rounds { base, head }
    }

    /// The same twice: first pairs, and as many fresh ones.
    fn twice(rounds: Rounds) -> Sequence {
        Sequence { screening: rounds.clone(), confirmation: rounds }
    }

    fn conclude(sequence: &Sequence) -> Conclusion {
        sequence.conclude(&Limits::default(), true).unwrap()
    }

    #[test]
    fn a_level_needs_its_threshold_in_the_centre_and_half_of_it_in_the_bound() {
        for (percent, scatter, expected) in [
            (0.0, 0.1, Finding::Unchanged),
            (1.9, 0.05, Finding::Unchanged),
            (2.1, 0.1, Finding::Note),
            (4.9, 0.1, Finding::Note),
            (5.1, 0.1, Finding::Warning),
            (10.1, 0.1, Finding::Critical),
            (300.0, 0.1, Finding::Critical),
            (-1.9, 0.1, Finding::Unchanged),
            (-2.1, 0.1, Finding::Improved),
            (-60.0, 0.1, Finding::Improved),
            // A slowdown of 3 % is certain, of 5 % it is not, and one of 18 % is possible.
            (10.5, 10.0, Finding::Warning),
            (7.0, 10.0, Finding::Inconclusive),
            (7.0, 2.0, Finding::Warning),
            // Nothing is certain.
            (10.5, 40.0, Finding::Inconclusive),
            (0.0, 40.0, Finding::Inconclusive),
            (-2.1, 10.0, Finding::Unchanged),
        ] {
            let found = conclude(&twice(rounds(15, percent, scatter, 1000.0))).finding;
            assert_eq!(found, expected, "{percent} % ± {scatter} %");
        }
    }

    #[test]
    fn a_warning_that_does_not_rule_the_failing_level_out_is_open() {
        let of = |percent, scatter| {
            let found = conclude(&twice(rounds(15, percent, scatter, 1000.0)));
            (found.finding, found.is_open)
        };
        assert_eq!(of(7.0, 2.0), (Finding::Warning, false));
        assert_eq!(of(9.5, 2.0), (Finding::Warning, true));
        assert_eq!(of(12.0, 2.0), (Finding::Critical, false));
    }

    #[test]
    fn two_percent_of_a_nanosecond_is_no_finding() {
        let of = |percent| {
            let screening = rounds(15, percent, 0.1, 1.2);
            conclude(&Sequence { screening, ..Sequence::default() }).finding
        };
        assert_eq!(of(50.0), Finding::Unchanged);
        assert_eq!(of(-50.0), Finding::Unchanged);
        assert_eq!(conclude(&twice(rounds(15, 100.0, 0.1, 1.2))).finding, Finding::Critical);
    }

    #[test]
    fn six_quiet_pairs_rule_a_slowdown_out_and_prove_none() {
        let first = |percent| Sequence {
            screening: rounds(6, percent, 0.2, 1000.0),
            confirmation: Rounds::default(),
        };
        assert_eq!(conclude(&first(0.0)).finding, Finding::Unchanged);
        assert_eq!(conclude(&first(20.0)).finding, Finding::Inconclusive);
        let five = Sequence { screening: rounds(5, 0.0, 0.2, 1000.0), ..Sequence::default() };
        assert_eq!(conclude(&five).finding, Finding::Inconclusive);
    }

    #[test]
    fn a_first_impression_alone_is_never_red() {
        let screening = rounds(60, 50.0, 0.1, 1000.0);
        let alone = conclude(&Sequence { screening: screening.clone(), ..Sequence::default() });
        assert_eq!(alone.finding, Finding::Inconclusive);
        // Nor is one that fresh pairs do not bear out.
        let confirmation = rounds(15, 0.0, 0.1, 1000.0);
        let refuted = conclude(&Sequence { screening, confirmation });
        assert_eq!(refuted.finding, Finding::Unchanged);
        insta::assert_snapshot!(
            refuted.reason,
            @"fresh pairs did not confirm a first suspicion: a slowdown above 0.1 % is ruled out"
        );
    }

    #[test]
    fn seven_fresh_pairs_are_too_few_and_eight_are_enough() {
        let at = |n| conclude(&twice(rounds(n, 20.0, 0.1, 1000.0))).finding;
        assert_eq!(at(MIN_PAIRS - 1), Finding::Inconclusive);
        assert_eq!(at(MIN_PAIRS), Finding::Critical);
    }

    #[test]
    fn what_does_not_stand_among_the_other_candidates_is_not_red() {
        let slower = twice(rounds(15, 20.0, 0.1, 1000.0));
        let alone = slower.conclude(&Limits::default(), false).unwrap();
        assert_eq!(alone.finding, Finding::Inconclusive);
        insta::assert_snapshot!(
            alone.reason,
            @"slower by at least 19.9 % for itself, but among all candidates the pairs are too few to be certain of it; more pairs would settle it (`--pairs 30`)"
        );
    }

    #[test]
    fn two_slow_processes_of_fifteen_do_not_make_a_regression() {
        let mut screening = rounds(15, 0.2, 0.1, 100.0);
        for slow in &mut screening.head[4..6] {
            *slow = 160.0;
        }
        let found = conclude(&Sequence { screening, ..Sequence::default() });
        assert_eq!(found.finding, Finding::Unchanged);
    }

    #[test]
    fn the_worked_example_of_the_documentation_is_worked_right() {
        let base = [1000.0, 1002.0, 999.0, 1001.0, 1350.0, 1000.0, 998.0, 1003.0];
        let head = [1121.0, 1118.0, 1125.0, 1119.0, 1124.0, 1122.0, 1480.0, 1120.0];
        // Seven more quiet pairs, one of them with a slow base again.
        let more =
            |values: &[f64; 8]| [&values[..], &values[..4], &values[4..6], &values[7..]].concat();
        let rounds = Rounds { base: more(&base), head: more(&head) };
        let first = Pairs::new(&rounds).unwrap();
        let lower = |error| percent(first.bounds(error).lower.exp_m1());
        insta::assert_snapshot!(
            format!("{} {} {}", percent(first.estimate.exp_m1()), lower(0.011), lower(0.005)),
            @"11.8 % 11.6 % 11.6 %"
        );
        assert_eq!(screen(&first, &Limits::default(), false), Screened::Candidate);
        let found = conclude(&twice(rounds));
        let Change { estimate, lower, upper } = found.change;
        insta::assert_snapshot!(
            format!(
                "{} [{}, {}]: {}, {}",
                percent(estimate),
                percent(lower.unwrap()),
                percent(upper.unwrap()),
                found.finding.name(),
                found.reason
            ),
            @"11.8 % [11.6 %, 12.6 %]: critical, slower than 10.0 % by the estimate, and by at least 11.6 % for certain"
        );
    }

    #[test]
    fn what_could_have_been_shown_follows_the_scatter() {
        let of = |scatter| {
            let screening = rounds(60, 0.0, scatter, 1000.0);
            conclude(&Sequence { screening, ..Sequence::default() }).detectable.map(percent)
        };
        let told = [0.1, 5.0, 20.0, 60.0].map(|scatter| of(scatter).unwrap());
        assert_eq!(told, ["2.0 %", "2.7 %", "8.0 %", "25.2 %"]);
        let few = Sequence { screening: rounds(4, 0.0, 0.1, 1000.0), ..Sequence::default() };
        assert_eq!(conclude(&few).detectable, None);
    }

    #[test]
    fn nothing_measured_is_no_conclusion() {
        assert_eq!(Sequence::default().conclude(&Limits::default(), true), None);
    }

    proptest! {
        #[test]
        fn the_same_rounds_on_both_sides_are_never_a_finding(
            rounds in prop::collection::vec(1.0..1e9_f64, 6..70),
            fresh in any::<bool>(),
        ) {
            let same = Rounds { base: rounds.clone(), head: rounds };
            let confirmation = if fresh { same.clone() } else { Rounds::default() };
            let sequence = Sequence { screening: same, confirmation };
            prop_assert_eq!(conclude(&sequence).finding, Finding::Unchanged);
        }

        #[test]
        fn a_slower_head_is_never_judged_milder(
            ratios in prop::collection::vec(0.5..2.0_f64, 8..70),
            more in 1.0..1.5_f64,
        ) {
            let severity = |factor: f64| {
                let head = ratios.iter().map(|r| 1000.0 * r * factor).collect();
                let rounds = Rounds { base: vec![1000.0; ratios.len()], head };
                match conclude(&twice(rounds)).finding {
                    Finding::Improved | Finding::Unchanged => 0,
                    Finding::Inconclusive | Finding::Note | Finding::Warning => 1,
                    _ => 2,
                }
            };
            prop_assert!(severity(more) >= severity(1.0));
        }

        #[test]
        fn any_positive_values_are_survived(
            pairs in prop::collection::vec(
                (f64::MIN_POSITIVE..f64::MAX, f64::MIN_POSITIVE..f64::MAX), 0..70),
            fresh in prop::collection::vec(
                (f64::MIN_POSITIVE..f64::MAX, f64::MIN_POSITIVE..f64::MAX), 0..70),
            stands in any::<bool>(),
        ) {
            let rounds = |pairs: Vec<(f64, f64)>| {
                let (base, head) = pairs.into_iter().unzip();
                Rounds { base, head }
            };
            let sequence = Sequence { screening: rounds(pairs), confirmation: rounds(fresh) };
            sequence.conclude(&Limits::default(), stands);
            sequence.p_value(&Limits::default());
        }
    }
}
