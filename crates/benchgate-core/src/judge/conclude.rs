//! Concludes from the pairs of one benchmark when nothing more is measured.

use super::confirm::{self, Confirmed, Family};
use super::looks::{CANDIDATE_ERROR, RUN_ERROR};
use super::minority::Minority;
use super::pairs::Pairs;
use super::screen::{Screened, screen};
use super::words::{Words, percent};
use crate::model::{Change, Evidence, Finding, Stage};
use crate::policy::Limits;

/// The conclusion from the pairs of a benchmark.
#[derive(Clone, Debug, PartialEq)]
pub struct Conclusion {
    /// The finding.
    pub finding: Finding,
    /// The reason for the finding.
    pub reason: String,
    /// The change according to the pairs that decided, with its 95 % interval.
    pub change: Change,
    /// The smallest slowdown that pairs with this scatter prove.
    pub detectable: Option<f64>,
    /// Whether a slowdown is proven and a failing one is not ruled out.
    pub is_open: bool,
}

/// The p-value of the confirmation pairs against a slowdown of at most half the failing threshold; `None`
/// for a benchmark that was not a candidate.
pub(super) fn p_value(evidence: &Evidence, limits: &Limits) -> Option<f64> {
    Some(confirm::p_value(&Pairs::of(evidence, Stage::Confirmation)?, limits))
}

/// Concludes from pairs; `None` without a pair. A function of the values alone, so that a result can be
/// judged again. `survives` states whether its p-value survives the correction for the run's other candidates and
/// rules; `most` is the maximum of screening pairs, which only the remedy for an open end names.
pub fn conclude(
    evidence: &Evidence,
    limits: &Limits,
    survives: bool,
    most: usize,
) -> Option<Conclusion> {
    if let Some(pairs) = Pairs::of(evidence, Stage::Confirmation) {
        let minority = Minority::of(evidence, Stage::Confirmation, limits);
        let family = Family::Corrected { survives };
        let confirmed = confirm::confirm(&pairs, minority.as_ref(), limits, family, true);
        let (finding, reason) = match confirmed {
            Confirmed::Settled(finding, reason) => (finding, reason),
            Confirmed::Open => (Finding::Inconclusive, String::new()),
        };
        let detectable = pairs.detectable(limits, RUN_ERROR / 2.0);
        let remedy = Remedy::new(&pairs, Stage::Confirmation, most);
        let effect = pairs.bounded();
        return Some(Conclusion {
            finding,
            reason: with_what_would_settle(finding, reason, detectable, limits, &remedy),
            change: pairs.change(),
            detectable,
            // A note that only the means prove leaves nothing open: its values rule a slowdown out.
            is_open: effect.level_by_estimate(limits).is_some()
                && effect.leaves_open(finding, limits),
        });
    }
    let pairs = Pairs::of(evidence, Stage::Screening)?;
    let minority = Minority::of(evidence, Stage::Screening, limits);
    let is_suggested = minority.is_some_and(|minority| minority.is_suggested());
    let unconfirmed = |reason: String| match is_suggested {
        true => format!(
            "{reason}; the means suggest that a part is {}, and no confirmation pair proves it",
            Words::of(limits).slower
        ),
        false => reason,
    };
    // By the values alone: at worst a minority is a note, which passes, so without confirmation pairs it takes nothing back.
    let (finding, reason) = match screen(&pairs, None, limits, true) {
        Screened::Unchanged(reason) => (Finding::Unchanged, unconfirmed(reason)),
        Screened::NotSlower(reason) => (Finding::NotSlower, unconfirmed(reason)),
        Screened::Undecided(reason) => (Finding::Inconclusive, reason),
        Screened::Candidate | Screened::Open => (
            Finding::Inconclusive,
            "it seems different, but there was no time for confirmation pairs".to_owned(),
        ),
    };
    let detectable = pairs.detectable(limits, CANDIDATE_ERROR);
    let remedy = Remedy::new(&pairs, Stage::Screening, most);
    Some(Conclusion {
        finding,
        reason: with_what_would_settle(finding, reason, detectable, limits, &remedy),
        change: pairs.change(),
        detectable,
        is_open: false,
    })
}

/// Above this number of pairs, measuring longer is not suggested.
const MOST_SUGGESTED: f64 = 500.0;

/// The maximum of `--pairs`.
const MOST_PAIRS: f64 = 1000.0;

/// What more pairs of a stage would be asked for with.
struct Remedy {
    measured: usize,
    /// The maximum that the stage was allowed.
    allowed: usize,
    stage: Stage,
    is_pooled: bool,
}

impl Remedy {
    fn new(pairs: &Pairs, stage: Stage, most: usize) -> Self {
        let (measured, is_pooled) = (pairs.len(), pairs.is_pooled());
        Self { measured, allowed: stage.most(most), stage, is_pooled }
    }

    /// How to get this number of pairs of the stage. `--pairs` is the maximum of screening pairs, half of that of
    /// confirmation pairs, and about one attempt; another attempt adds its pairs without it.
    fn how(&self, wanted: f64) -> String {
        if self.is_pooled {
            return String::new();
        }
        let of_option = |pairs: f64| (pairs / self.stage.most(1) as f64).ceil();
        let pairs = of_option(wanted);
        let is_more = pairs > of_option(self.allowed as f64) && pairs <= MOST_PAIRS;
        let option = is_more.then(|| format!("`--pairs {pairs}`"));
        // Something other than their maximum ended them: the time, or the share of the error of a shard.
        let ended = (self.measured < self.allowed)
            .then(|| format!("{} of at most {} were measured", self.measured, self.allowed));
        let words: Vec<String> = option.into_iter().chain(ended).collect();
        if words.is_empty() { String::new() } else { format!(" ({})", words.join("; ")) }
    }
}

/// Adds to the reason of an inconclusive finding what was detectable, and what would settle it.
fn with_what_would_settle(
    finding: Finding,
    reason: String,
    detectable: Option<f64>,
    limits: &Limits,
    remedy: &Remedy,
) -> String {
    let (Finding::Inconclusive, Some(detectable)) = (finding, detectable) else { return reason };
    let fail_at = limits.thresholds.of(limits.fail_on);
    let measured = remedy.measured as f64;
    if detectable <= fail_at {
        return format!("{reason}; more pairs would settle it{}", remedy.how(measured * 2.0));
    }
    // The width of the bounds shrinks with the square root of the number of pairs.
    let needed = (measured * (detectable / fail_at).powi(2) * 1.5).ceil();
    let shown = percent(detectable);
    let words = if needed > measured && needed <= MOST_SUGGESTED {
        let all = if remedy.is_pooled { " of all attempts" } else { "" };
        format!("about {needed} pairs{all} would settle it{}", remedy.how(needed))
    } else {
        "more work per iteration, or a quieter machine, would settle it".to_owned()
    };
    format!("{reason}; with this scatter, {shown} or more is detectable: {words}")
}

#[cfg(test)]
mod tests {
    use super::super::looks::MIN_PAIRS;
    use super::*;
    use crate::model::{Averages, Level, Metric, Rounds, Sides};
    use proptest::prelude::*;

    /// `n` pairs around `percent`, with a scatter of `scatter` percent.
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

    /// Identical values as screening pairs and as confirmation pairs.
    fn twice(rounds: Rounds) -> Evidence {
        Evidence { rounds: rounds.clone(), confirmation: rounds, ..Evidence::default() }
    }

    fn concluded(evidence: &Evidence) -> Conclusion {
        conclude(evidence, &Limits::default(), true, 60).unwrap()
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
            // A slowdown of 3 % is proven, 5 % is not, and 18 % is possible.
            (10.5, 10.0, Finding::Warning),
            (7.0, 10.0, Finding::Inconclusive),
            (7.0, 2.0, Finding::Warning),
            // Nothing is proven.
            (10.5, 40.0, Finding::Inconclusive),
            (0.0, 40.0, Finding::Inconclusive),
            (-1.9, 5.0, Finding::Unchanged),
            // A speed-up that is not proven, and no slowdown.
            (-2.1, 10.0, Finding::NotSlower),
            (-7.0, 12.0, Finding::NotSlower),
        ] {
            let finding = concluded(&twice(rounds(15, percent, scatter, 1000.0))).finding;
            assert_eq!(finding, expected, "{percent} % ± {scatter} %");
        }
    }

    #[test]
    fn what_is_faster_by_an_estimate_that_is_not_proven_is_not_slower_and_not_unchanged() {
        let of = |percent| {
            let screening = rounds(60, percent, 18.0, 1000.0);
            concluded(&Evidence { rounds: screening, ..Evidence::default() })
        };
        assert_eq!(of(-1.5).finding, Finding::Unchanged);
        let conclusion = of(-5.0);
        assert_eq!(conclusion.finding, Finding::NotSlower);
        let reason = "5.0 % faster, which is not proven; a slowdown above ";
        assert!(conclusion.reason.starts_with(reason), "{}", conclusion.reason);
        assert!(
            conclusion.reason.ends_with(" is ruled out at 99 % confidence"),
            "{}",
            conclusion.reason
        );
    }

    #[test]
    fn a_warning_that_does_not_rule_the_failing_level_out_is_open() {
        let of = |percent, scatter| {
            let conclusion = concluded(&twice(rounds(15, percent, scatter, 1000.0)));
            (conclusion.finding, conclusion.is_open)
        };
        assert_eq!(of(7.0, 2.0), (Finding::Warning, false));
        assert_eq!(of(9.5, 2.0), (Finding::Warning, true));
        assert_eq!(of(12.0, 2.0), (Finding::Critical, false));
    }

    #[test]
    fn a_minority_that_the_means_of_confirmation_pairs_prove_is_a_note_that_leaves_nothing_open() {
        let with = |averages: Rounds| {
            let averages = Averages { rounds: averages.clone(), confirmation: averages };
            concluded(&Evidence { averages, ..twice(rounds(30, 0.0, 0.1, 1000.0)) })
        };
        let mean = with(rounds(30, 30.0, 1.0, 1200.0));
        assert_eq!((mean.finding, mean.is_open), (Finding::Note, false));
        insta::assert_snapshot!(mean.reason, @"the mean is 30.0 % slower, at least 29.2 % at 99 % confidence: some iterations take longer; by the values a slowdown above 0.0 % is ruled out at 98 % confidence");
        assert_eq!(with(rounds(30, 0.0, 1.0, 1200.0)).finding, Finding::Unchanged);
        // Means of some pairs only, as from the journal of an earlier version, say nothing.
        assert_eq!(with(rounds(29, 30.0, 1.0, 1200.0)).finding, Finding::Unchanged);
    }

    #[test]
    fn means_that_suggest_a_minority_take_nothing_back_without_confirmation_pairs_and_are_named() {
        let averages = Averages { rounds: rounds(10, 30.0, 1.0, 1200.0), ..Averages::default() };
        let screening = rounds(10, 0.0, 0.1, 1000.0);
        let conclusion =
            concluded(&Evidence { averages, rounds: screening, ..Evidence::default() });
        assert_eq!(conclusion.finding, Finding::Unchanged);
        insta::assert_snapshot!(conclusion.reason, @"a slowdown above 0.1 % is ruled out at 98 % confidence; the means suggest that a part is slower, and no confirmation pair proves it");
    }

    #[test]
    fn where_notes_are_red_the_means_prove_none() {
        let slower = rounds(30, 30.0, 1.0, 1200.0);
        let averages = Averages { rounds: slower.clone(), confirmation: slower };
        let evidence = Evidence { averages, ..twice(rounds(30, 0.0, 0.1, 1000.0)) };
        let limits = Limits { fail_on: Level::Note, ..Limits::default() };
        assert_eq!(conclude(&evidence, &limits, true, 60).unwrap().finding, Finding::Unchanged);
    }

    #[test]
    fn what_one_attempt_proved_by_its_means_another_one_that_is_cut_short_does_not_take_back() {
        let mut evidence = twice(rounds(30, 0.0, 0.1, 1000.0));
        let mut slower = evidence.confirmation.clone();
        for head in &mut slower.head[..11] {
            *head *= 2.0;
        }
        evidence.averages = Averages { rounds: slower.clone(), confirmation: slower };
        let first = concluded(&evidence);
        assert_eq!(first.finding, Finding::Note);
        let mut second = evidence.continued(1);
        second.push(Stage::Confirmation, Sides::new(1000.0, 1000.0));
        second.push_average(Stage::Confirmation, Sides::new(1000.0, 1000.0));
        let second = concluded(&second);
        assert_eq!(second.finding, Finding::Note, "{}", second.reason);
        insta::assert_snapshot!(second.reason, @"in 11 of 31 pairs the mean of the head is higher by more than 20.0 %, in none that of the base, at 99 % confidence: some of its processes are slow; by the values a slowdown above 0.0 % is ruled out at 98 % confidence");
    }

    #[test]
    fn a_proven_slowdown_below_the_floor_is_a_note_with_its_numbers() {
        let of = |percent, base_ns| {
            let conclusion = concluded(&twice(rounds(15, percent, 0.1, base_ns)));
            assert!(!conclusion.is_open, "{percent} % of {base_ns} ns");
            (conclusion.finding, conclusion.reason.contains("less than the floor of 0.25 ns"))
        };
        assert_eq!(of(15.0, 1.2), (Finding::Note, true));
        assert_eq!(of(15.0, 3.0), (Finding::Critical, false));
        assert_eq!(of(50.0, 1.2), (Finding::Critical, false));
        assert_eq!(of(-15.0, 1.2), (Finding::Improved, false));
        assert_eq!(of(1.0, 1.2), (Finding::Unchanged, false));
    }

    #[test]
    fn two_loops_without_a_routine_that_differ_are_a_note() {
        let of = |percent, base_ns| concluded(&twice(rounds(15, percent, 0.1, base_ns)));
        // As `SmolStr::clone` of twelve bytes, which the compiler moves out of the loop.
        let conclusion = of(167.0, 0.227);
        assert_eq!((conclusion.finding, conclusion.is_open), (Finding::Note, false));
        insta::assert_snapshot!(conclusion.reason, @"167.0 % slower, at least 166.8 % at 99 % confidence (note above 2.0 %); 0.23 ns per iteration leave no time for a routine, and loops without one differ by up to 1 ns: pass its input through `black_box`");
        // What is more than a loop takes is a routine that one side no longer removes.
        assert_eq!(of(500.0, 0.227).finding, Finding::Critical);
        // A routine of two nanoseconds is one.
        assert_eq!(of(40.0, 2.0).finding, Finding::Critical);
    }

    #[test]
    fn a_slowdown_that_may_be_above_the_floor_is_left_open() {
        // 15 % of 1.5 ns is 0.225; more than 20 % is possible.
        let conclusion = concluded(&twice(rounds(15, 15.0, 10.0, 1.5)));
        assert!(conclusion.is_open, "{conclusion:?}");
        assert_eq!(conclusion.finding, Finding::Note);
    }

    #[test]
    fn six_quiet_pairs_rule_a_slowdown_out_and_prove_none() {
        let screened = |n, percent| Evidence {
            rounds: rounds(n, percent, 0.2, 1000.0),
            ..Evidence::default()
        };
        assert_eq!(concluded(&screened(6, 0.0)).finding, Finding::Unchanged);
        assert_eq!(concluded(&screened(6, 20.0)).finding, Finding::Inconclusive);
        assert_eq!(concluded(&screened(5, 0.0)).finding, Finding::Inconclusive);
    }

    #[test]
    fn screening_pairs_alone_are_never_red() {
        let screening = rounds(60, 50.0, 0.1, 1000.0);
        let alone = concluded(&Evidence { rounds: screening.clone(), ..Evidence::default() });
        assert_eq!(alone.finding, Finding::Inconclusive);
        // Nor are screening pairs that confirmation pairs do not confirm.
        let confirmation = rounds(15, 0.0, 0.1, 1000.0);
        let refuted =
            concluded(&Evidence { rounds: screening, confirmation, ..Evidence::default() });
        assert_eq!(refuted.finding, Finding::Unchanged);
        insta::assert_snapshot!(
            refuted.reason,
            @"confirmation pairs did not confirm the suspected change: a slowdown above 0.1 % is ruled out at 98 % confidence"
        );
    }

    #[test]
    fn seven_confirmation_pairs_are_too_few_and_eight_are_enough() {
        let at = |n| concluded(&twice(rounds(n, 20.0, 0.1, 1000.0))).finding;
        assert_eq!(at(MIN_PAIRS - 1), Finding::Inconclusive);
        assert_eq!(at(MIN_PAIRS), Finding::Critical);
    }

    #[test]
    fn what_does_not_survive_the_correction_for_the_other_candidates_is_not_red() {
        let slower = twice(rounds(15, 20.0, 0.1, 1000.0));
        let alone = conclude(&slower, &Limits::default(), false, 60).unwrap();
        assert_eq!(alone.finding, Finding::Inconclusive);
        insta::assert_snapshot!(
            alone.reason,
            @"at least 19.9 % slower on its own, but not significant after correction for all candidates and rules; more pairs would settle it (15 of at most 120 were measured)"
        );
    }

    #[test]
    fn the_remedy_names_more_pairs_than_were_allowed() {
        let reason = |measured, scatter, most| {
            let evidence = twice(rounds(measured, 20.0, scatter, 1000.0));
            conclude(&evidence, &Limits::default(), false, most).unwrap().reason
        };
        let named = |reason: &str| -> Option<usize> {
            reason.split_once("`--pairs ")?.1.split_once('`')?.0.parse().ok()
        };
        assert_eq!(named(&reason(120, 0.1, 60)), Some(120));
        assert_eq!(named(&reason(30, 0.1, 15)), Some(30));
        let scattered = reason(120, 55.0, 60);
        assert!(scattered.contains("with this scatter"), "{scattered}");
        assert!(named(&scattered) > Some(60), "{scattered}");
        // The time ended them, and not their maximum; and there is no `--pairs 2000`.
        assert_eq!(named(&reason(30, 0.1, 60)), None);
        assert_eq!(named(&reason(2000, 0.1, 1000)), None);
        let screening = Evidence { rounds: rounds(60, 0.0, 40.0, 1000.0), ..Evidence::default() };
        let open = conclude(&screening, &Limits::default(), false, 60).unwrap().reason;
        assert!(named(&open) > Some(60), "{open}");
    }

    #[test]
    fn two_slow_processes_of_fifteen_do_not_make_a_regression() {
        let mut screening = rounds(15, 0.2, 0.1, 100.0);
        for slow in &mut screening.head[4..6] {
            *slow = 160.0;
        }
        let conclusion = concluded(&Evidence { rounds: screening, ..Evidence::default() });
        assert_eq!(conclusion.finding, Finding::Unchanged);
    }

    #[test]
    fn the_worked_example_of_the_documentation_is_right() {
        let base = [1000.0, 1002.0, 999.0, 1001.0, 1350.0, 1000.0, 998.0, 1003.0];
        let head = [1121.0, 1118.0, 1125.0, 1119.0, 1124.0, 1122.0, 1480.0, 1120.0];
        // Seven more quiet pairs, one of them with a slow base again.
        let more =
            |values: &[f64; 8]| [&values[..], &values[..4], &values[4..6], &values[7..]].concat();
        let rounds = Rounds { base: more(&base), head: more(&head) };
        let first = Pairs::new(&rounds).unwrap();
        let lower = |error| percent(first.effect(error).bounds.lower.exp_m1());
        insta::assert_snapshot!(
            format!("{} {} {}", percent(first.estimate.exp_m1()), lower(0.011), lower(0.005)),
            @"11.8 % 11.6 % 11.6 %"
        );
        assert_eq!(screen(&first, None, &Limits::default(), false), Screened::Candidate);
        let conclusion = concluded(&twice(rounds));
        let Change { estimate, lower, upper } = conclusion.change;
        insta::assert_snapshot!(
            format!(
                "{} [{}, {}]: {}, {}",
                percent(estimate),
                percent(lower.unwrap()),
                percent(upper.unwrap()),
                conclusion.finding.name(),
                conclusion.reason
            ),
            @"11.8 % [11.6 %, 12.6 %]: critical, 11.8 % slower, at least 11.6 % at 99 % confidence (critical above 10.0 %)"
        );
    }

    #[test]
    fn a_value_that_is_not_a_time_is_higher_or_lower_and_not_slower_or_faster() {
        let limits = Limits::default().of_metric(&Metric::MEMORY_PEAK);
        let reasons: Vec<String> = [12.0, -12.0, 0.0]
            .map(|percent| twice(rounds(15, percent, 0.1, 1000.0)))
            .map(|evidence| conclude(&evidence, &limits, true, 60).unwrap().reason)
            .into();
        insta::assert_snapshot!(reasons.join("\n"), @"
        12.0 % higher, at least 11.9 % at 99 % confidence (critical above 10.0 %)
        at least 11.9 % lower at 99 % confidence
        confirmation pairs did not confirm the suspected change: an increase above 0.1 % is ruled out at 98 % confidence
        ");
        for reason in reasons {
            assert!(!["slow", "fast"].iter().any(|word| reason.contains(word)), "{reason}");
        }
    }

    #[test]
    fn the_detectable_slowdown_follows_the_scatter() {
        let of = |scatter| {
            let screening = rounds(60, 0.0, scatter, 1000.0);
            concluded(&Evidence { rounds: screening, ..Evidence::default() })
                .detectable
                .map(percent)
        };
        let detectable = [0.1, 5.0, 20.0, 60.0].map(|scatter| of(scatter).unwrap());
        assert_eq!(detectable, ["2.0 %", "2.7 %", "8.0 %", "25.2 %"]);
        let few = Evidence { rounds: rounds(4, 0.0, 0.1, 1000.0), ..Evidence::default() };
        assert_eq!(concluded(&few).detectable, None);
    }

    #[test]
    fn nothing_measured_is_not_a_conclusion() {
        assert_eq!(conclude(&Evidence::default(), &Limits::default(), true, 60), None);
    }

    proptest! {
        #[test]
        fn the_same_rounds_on_both_sides_are_never_a_finding(
            rounds in prop::collection::vec(1.0..1e9_f64, 6..70),
            confirmed in any::<bool>(),
        ) {
            let same = Rounds { base: rounds.clone(), head: rounds };
            let confirmation = if confirmed { same.clone() } else { Rounds::default() };
            let evidence = Evidence { rounds: same, confirmation, ..Evidence::default() };
            prop_assert_eq!(concluded(&evidence).finding, Finding::Unchanged);
        }

        #[test]
        fn a_slower_head_is_never_judged_milder(
            ratios in prop::collection::vec(0.5..2.0_f64, 8..70),
            more in 1.0..1.5_f64,
        ) {
            let severity = |factor: f64| {
                let head = ratios.iter().map(|r| 1000.0 * r * factor).collect();
                let rounds = Rounds { base: vec![1000.0; ratios.len()], head };
                match concluded(&twice(rounds)).finding {
                    Finding::Improved | Finding::NotSlower | Finding::Unchanged => 0,
                    Finding::Inconclusive | Finding::Note | Finding::Warning => 1,
                    _ => 2,
                }
            };
            prop_assert!(severity(more) >= severity(1.0));
        }

        #[test]
        fn no_positive_values_cause_a_panic(
            pairs in prop::collection::vec(
                (f64::MIN_POSITIVE..f64::MAX, f64::MIN_POSITIVE..f64::MAX), 0..70),
            confirmed in prop::collection::vec(
                (f64::MIN_POSITIVE..f64::MAX, f64::MIN_POSITIVE..f64::MAX), 0..70),
            survives in any::<bool>(),
        ) {
            let rounds = |pairs: Vec<(f64, f64)>| {
                let (base, head) = pairs.into_iter().unzip();
                Rounds { base, head }
            };
            let turned = |pairs: &[(f64, f64)]| rounds(pairs.iter().map(|(a, b)| (*b, *a)).collect());
            let averages = Averages { rounds: turned(&pairs), confirmation: turned(&confirmed) };
            let evidence = Evidence {
                rounds: rounds(pairs),
                confirmation: rounds(confirmed),
                averages,
                ..Evidence::default()
            };
            conclude(&evidence, &Limits::default(), survives, 60);
            p_value(&evidence, &Limits::default());
        }
    }
}
